"""The syntax tree of a filter, and its translation for LanceDB."""

from __future__ import annotations

from dataclasses import dataclass

from heedful.search.column_types import NUMBER, TEXT, YES_NO


@dataclass(frozen=True)
class Column:
    """A column of the table."""

    name: str


@dataclass(frozen=True)
class Value:
    """A number, a text, or true or false."""

    value: float | str | bool

    @property
    def kind(self) -> str:
        """The column type that it can be compared with."""
        if isinstance(self.value, bool):
            return YES_NO
        return TEXT if isinstance(self.value, str) else NUMBER


Operand = Column | Value


@dataclass(frozen=True)
class Compare:
    """left op right, where op is one of = != < <= > >=."""

    op: str
    left: Operand
    right: Operand


@dataclass(frozen=True)
class IsNull:
    """Whether a column has no value."""

    operand: Operand


@dataclass(frozen=True)
class In:
    """Whether a column has one of several values."""

    operand: Operand
    choices: tuple[Operand, ...]


@dataclass(frozen=True)
class Between:
    """low <= operand <= high."""

    operand: Operand
    low: Operand
    high: Operand


@dataclass(frozen=True)
class Like:
    """Whether a text matches a pattern: % is any text, _ any character, a backslash escapes them."""

    operand: Operand
    pattern: Value


@dataclass(frozen=True)
class Holds:
    """Whether a yes-or-no column is true."""

    operand: Operand


@dataclass(frozen=True)
class Not:
    """The negation; NULL stays NULL."""

    part: Tree


@dataclass(frozen=True)
class And:
    """All of two or more parts."""

    parts: tuple[Tree, ...]


@dataclass(frozen=True)
class Or:
    """Any of two or more parts."""

    parts: tuple[Tree, ...]


Tree = Compare | IsNull | In | Between | Like | Holds | Not | And | Or


def written(tree: Tree) -> str:
    """Return the filter in LanceDB's syntax, generated from the tree and never from the user's text."""
    match tree:
        case And(parts):
            return " AND ".join(map(_written_part, parts))
        case Or(parts):
            return " OR ".join(map(_written_part, parts))
        case Not(part):
            return _written_not(part)
        case Compare():
            return f"{written_operand(tree.left)}{_rest(tree)}"
        case _:
            return f"{written_operand(tree.operand)}{_rest(tree)}"


def _written_part(part: Tree) -> str:
    """Return a part of AND or OR, in brackets if it is one of these itself."""
    match part:
        case And() | Or():
            return _bracketed(part)
        case _:
            return written(part)


def _written_not(part: Tree) -> str:
    """Return IS NOT NULL, NOT IN and so on, else NOT before a bracket."""
    match part:
        case IsNull(operand):
            return f"{written_operand(operand)} IS NOT NULL"
        case In() | Between() | Like():
            return f"{written_operand(part.operand)} NOT{_rest(part)}"
        case _:
            return f"NOT {_bracketed(part)}"


def _rest(tree: Compare | IsNull | In | Between | Like | Holds) -> str:
    """Return the part of a condition after its operand."""
    match tree:
        case Compare():
            return f" {tree.op} {written_operand(tree.right)}"
        case IsNull():
            return " IS NULL"
        case In():
            return f" IN ( {' , '.join(map(written_operand, tree.choices))} )"
        case Between():
            return f" BETWEEN {written_operand(tree.low)} AND {written_operand(tree.high)}"
        case Like():
            return f" LIKE {written_operand(tree.pattern)}"
        case Holds():
            return ""


def _bracketed(tree: Tree) -> str:
    return f"( {written(tree)} )"


def written_operand(operand: Operand) -> str:
    """Return a column or a value in LanceDB's syntax."""
    match operand:
        case Column(name):
            return as_column(name)
        case Value(bool(value)):
            return "TRUE" if value else "FALSE"
        case Value(str(value)):
            return as_text(value)
        case Value(value):
            return as_number(float(value))


def as_text(value: str) -> str:
    """Return a text as a literal."""
    return "'" + value.replace("'", "''") + "'"


def as_column(name: str) -> str:
    """Return a column name as an identifier."""
    return f"`{name}`"


def as_number(value: float) -> str:
    """Return a number as a literal that parses back to the same number."""
    value = float(value) + 0.0  # no -0.0, which the database orders below 0
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
