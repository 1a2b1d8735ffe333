"""The parser of filters.

    any        = all { OR all }
    all        = negation { AND negation }
    negation   = { NOT } ( "(" any ")" | condition )
    condition  = operand [ compare operand | IS [NOT] NULL | [NOT] ( in | between | like ) ]
    compare    = "=" | "!=" | "<>" | "<" | "<=" | ">" | ">="
    in         = IN "(" operand { "," operand } ")"
    between    = BETWEEN operand AND operand
    like       = LIKE text
    operand    = column | number | text | TRUE | FALSE

An operand alone is a condition if it is a yes-or-no column, TRUE or FALSE.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, NoReturn

from heedful.errors import HeedfulError, did_you_mean
from heedful.search.column_types import NUMBER, TEXT, YES_NO
from heedful.search.filter_tree import (
    And,
    Between,
    Column,
    Compare,
    Holds,
    In,
    IsNull,
    Like,
    Not,
    Operand,
    Or,
    Tree,
    Value,
    as_text,
)

WORDS = {"AND", "OR", "NOT", "IN", "IS", "NULL", "LIKE", "BETWEEN", "TRUE", "FALSE"}
COMPARE = {"=": "=", "!=": "!=", "<>": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
MAX_JOINS, MAX_DEPTH = 200, 30  # ANDs, ORs and NOTs; open brackets: bounds the recursion
HELP = "A filter looks like: stars >= 4 AND lang = 'en'"
AS_WRITTEN = {NUMBER: "a number such as 4.5", TEXT: "a text in single quotes such as 'en'", YES_NO: "TRUE or FALSE"}

_TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<text>'(?:[^']|'')*')
      | (?P<number>-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?(?!\w))
      | (?P<quoted>`[^`]+`|"[^"]+")
      | (?P<name>[^\W\d]\w*)
      | (?P<mark><=|>=|<>|!=|[=<>(),])""",
    re.VERBOSE,
)


class Token(NamedTuple):
    """A token of the filter."""

    kind: str
    text: str
    at: int  # position in the filter, from 1

    @property
    def word(self) -> str:
        """The keyword in capitals, or the text if it is not a keyword."""
        return self.text.upper() if self.kind == "name" and self.text.upper() in WORDS else self.text

    @property
    def is_word(self) -> bool:
        """Whether it is a keyword."""
        return self.kind == "name" and self.text.upper() in WORDS


END = "end"


def parse_filter(where: str, columns: Mapping[str, str | None]) -> Tree:
    """Parse a filter, or raise with the position of the error. `columns` maps names to types, None if unknown."""
    tokens = [*_tokens(where), Token(END, "", len(where) + 1)]
    _check_size(tokens)
    return _Parser(where, tokens, columns).whole()


class _Parser:
    """A recursive-descent parser."""

    def __init__(self, where: str, tokens: list[Token], columns: Mapping[str, str | None]) -> None:
        self._where, self._tokens, self._columns, self._i = where, tokens, columns, 0

    def whole(self) -> Tree:
        tree = self._any()
        if self._next.word == ")":
            self._fail(self._next, "this bracket was not opened")
        if self._next.kind != END:
            self._wrong("AND, OR or the end of the filter")
        return tree

    @property
    def _next(self) -> Token:
        return self._tokens[self._i]

    def _take(self) -> Token:
        self._i += 1
        return self._tokens[self._i - 1]

    def _takes(self, word: str) -> bool:
        """Consume the next token if it is this keyword or symbol."""
        if self._next.word != word or self._next.kind not in ("name", "mark"):
            return False
        self._i += 1
        return True

    def _any(self) -> Tree:
        return self._joined("OR", self._all, Or)

    def _all(self) -> Tree:
        return self._joined("AND", self._negation, And)

    def _joined(self, word: str, part: Callable[[], Tree], kind: type[And] | type[Or]) -> Tree:
        parts = [part()]
        while self._takes(word):
            parts.append(part())
        return parts[0] if len(parts) == 1 else kind(tuple(parts))

    def _negation(self) -> Tree:
        is_not = False
        while self._takes("NOT"):
            is_not = not is_not  # a double NOT cancels out, for NULL too
        start = self._next
        if self._takes("("):
            tree = self._any()
            if not self._takes(")"):
                if self._next.kind == END:
                    self._fail(start, "this bracket is not closed")
                self._wrong("AND, OR or a closing bracket")
        else:
            tree = self._condition()
        return _opposite(tree) if is_not else tree

    def _condition(self) -> Tree:
        start = self._next
        operand = self._operand()
        if self._next.kind == "mark" and self._next.text in COMPARE:
            op = COMPARE[self._take().text]
            return Compare(op, operand, self._like_kind(operand, self._kind(operand)))
        if self._takes("IS"):
            is_not = self._takes("NOT")
            if not self._takes("NULL"):
                self._wrong("NULL" if is_not else "NULL or NOT NULL")
            return Not(IsNull(operand)) if is_not else IsNull(operand)
        is_not = self._takes("NOT")
        condition = self._membership(operand, start)
        if condition is None and is_not:
            self._wrong("IN, BETWEEN or LIKE")
        if condition is None:
            return self._holds(operand, start)
        return Not(condition) if is_not else condition

    def _membership(self, operand: Operand, start: Token) -> Tree | None:
        kind = self._kind(operand)
        if self._takes("IN"):
            if not self._takes("("):
                self._wrong("an opening bracket")
            choices = [self._like_kind(operand, kind)]
            while self._takes(","):
                choices.append(self._like_kind(operand, kind))
            if not self._takes(")"):
                self._wrong("a comma or a closing bracket")
            return In(operand, tuple(choices))
        if self._takes("BETWEEN"):
            low = self._like_kind(operand, kind)
            if not self._takes("AND"):
                self._wrong("AND")
            return Between(operand, low, self._like_kind(operand, kind))
        if self._takes("LIKE"):
            if kind not in (TEXT, None):
                self._fail(start, f"LIKE needs a text, and this is {kind}")
            if self._next.kind != "text":
                self._wrong("a pattern in single quotes such as '%wine%'")
            return Like(operand, Value(_unquoted(self._take())))
        return None

    def _holds(self, operand: Operand, start: Token) -> Tree:
        """Return an operand alone as a condition."""
        after = self._next
        if after.kind == END or after.word in ("AND", "OR", ")"):
            if self._kind(operand) in (YES_NO, None):
                return Holds(operand)
            self._fail(start, f"this is {self._kind(operand)}, not a condition: compare it with a value")
        return self._wrong("a comparison such as = or >=, or IN, IS, LIKE, BETWEEN")

    def _like_kind(self, other: Operand, kind: str | None) -> Operand:
        """Return the next operand, which must have the same type as the one it is compared with."""
        token = self._next
        operand = self._operand()
        operand_kind = self._kind(operand)
        if kind is not None and operand_kind is not None and operand_kind != kind:
            self._fail(token, f"{_named(other)} is {kind}, so {AS_WRITTEN[kind]} is expected")
        return operand

    def _kind(self, operand: Operand) -> str | None:
        match operand:
            case Column(name):
                return self._columns[name]
            case Value():
                return operand.kind

    def _operand(self) -> Operand:
        token = self._next
        if token.kind == "text":
            return Value(_unquoted(self._take()))
        if token.kind == "number":
            value = float(self._take().text)
            if not math.isfinite(value):
                self._fail(token, "this number is too large")
            return Value(value + 0.0)
        if token.is_word and token.word in ("TRUE", "FALSE"):
            return Value(self._take().word == "TRUE")
        if token.is_word and token.word == "NULL":
            self._fail(token, "nothing is equal to NULL: use IS NULL or IS NOT NULL")
        if token.kind == "quoted" or (token.kind == "name" and not token.is_word):
            return self._column(self._take())
        return self._wrong("a column or a value")

    def _column(self, token: Token) -> Column:
        if token.kind == "name" and self._next.text == "(":
            self._fail(token, f"{token.text}() is a function call, which filters do not support")
        name = token.text if token.kind == "name" else token.text[1:-1]
        if name in self._columns:
            return Column(name)
        quote = f" A text is in single quotes: {as_text(name)}." if token.kind == "quoted" else ""
        names = list(self._columns)
        more = f" and {len(names) - 20} more" if len(names) > 20 else ""
        raise HeedfulError(
            f"the filter {self._where!r:.200}: no column {name!r:.100}. The columns are {', '.join(names[:20])}{more}."
            f"{did_you_mean(name, names)}{quote}"
        )

    def _wrong(self, expected: str) -> NoReturn:
        situation = "the filter ends here" if self._next.kind == END else "unexpected"
        self._fail(self._next, f"{situation}, expected {expected}")

    def _fail(self, token: Token, problem: str) -> NoReturn:
        location = f"{token.text!r:.60} at" if token.text else "after"
        position = f"{location} character {token.at if token.text else token.at - 1}"
        raise HeedfulError(f"invalid filter {self._where!r:.200}: {position}: {problem}. {HELP}")


def _named(operand: Operand) -> str:
    match operand:
        case Column(name):
            return f"column {name!r}"
        case Value():
            return "the value before"


def _opposite(tree: Tree) -> Tree:
    match tree:
        case Not(part):
            return part
        case _:
            return Not(tree)


def _unquoted(token: Token) -> str:
    return token.text[1:-1].replace("''", "'")


def _tokens(where: str) -> Iterator[Token]:
    at = 0
    while at < len(where):
        match = _TOKEN.match(where, at)
        if match is None or match.lastgroup is None:
            raise HeedfulError(f"the filter {where!r:.200} has {where[at : at + 10]!r} at {at + 1}: {_hint(where[at])}")
        if match.lastgroup != "space":
            yield Token(match.lastgroup, match.group(), at + 1)
        at = match.end()


def _hint(mark: str) -> str:
    if mark == "'":
        return "is a quote opened here and never closed? A quote inside a text is doubled: 'it''s'"
    return f"unexpected character. {HELP}"


def _check_size(tokens: list[Token]) -> None:
    """Raise for a filter that is nested too deeply or has too many parts."""
    depth = joins = 0
    for token in tokens:
        depth += {"(": 1, ")": -1}.get(token.text, 0) if token.kind == "mark" else 0
        joins += token.is_word and token.word in ("AND", "OR", "NOT")
        if depth > MAX_DEPTH or joins > MAX_JOINS:
            raise HeedfulError(f"the filter has more than {MAX_DEPTH} open brackets or {MAX_JOINS} ANDs, ORs and NOTs")
