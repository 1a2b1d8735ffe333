"""The filter language: conditions on columns, joined by AND, OR and NOT. It is checked here, before LanceDB sees it.

stars >= 4 AND lang = 'en'   ·   topic IN ('food', 'wine') OR NOT seen   ·   title LIKE '%wine%'   ·   price IS NULL
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from heedful.errors import HeedfulError, did_you_mean

WORDS = {"AND", "OR", "NOT", "IN", "IS", "NULL", "LIKE", "BETWEEN", "TRUE", "FALSE"}
MAX_LENGTH, MAX_JOINS, MAX_DEPTH = 100_000, 200, 30  # characters, ANDs and ORs, open brackets: no stack is that deep
HELP = "A filter looks like: stars >= 4 AND lang = 'en'"

_TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<text>'(?:[^']|'')*')
      | (?P<number>-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?(?!\w))
      | (?P<quoted>`[^`]+`|"[^"]+")
      | (?P<name>[^\W\d]\w*)
      | (?P<mark><=|>=|<>|!=|[=<>(),])""",
    re.VERBOSE,
)


def checked_filter(where: str, columns: Iterable[str]) -> str:
    """Return the filter in LanceDB's own terms, or say what is wrong with it. Only columns, values and marks get by."""
    if not where.strip():
        raise HeedfulError(f"the filter is empty. {HELP}")
    if len(where) > MAX_LENGTH:
        raise HeedfulError(f"the filter has {len(where):,} characters, at most {MAX_LENGTH:,} are allowed")
    tokens = list(_tokens(where))
    _check_depth(where, tokens)
    known = list(columns)
    return " ".join(_written(where, tokens, i, known) for i in range(len(tokens)))


def as_text(value: str) -> str:
    """Return a text as it stands in a filter."""
    return "'" + value.replace("'", "''") + "'"


def as_column(name: str) -> str:
    """Return a column's name as it stands in a filter."""
    return f"`{name}`"


def wrong_filter(where: str, error: Exception) -> HeedfulError:
    """Return what LanceDB says of a filter, without the places in its source."""
    said = re.sub(r",? ?/\S+\.rs:\d+:\d+", "", str(error)).splitlines()[0] if str(error) else type(error).__name__
    said = re.sub(r"^(lance error: )?(Invalid input, |Invalid user input: )*", "", said)
    said = said.replace("SELECT 1 FROM t WHERE ", "").rstrip(". ")
    return HeedfulError(f"the filter {where!r:.200} cannot be used: {said:.300}. {HELP}")


def _tokens(where: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(where):
        found = _TOKEN.match(where, at)
        if found is None or found.lastgroup is None:
            raise HeedfulError(f"the filter {where!r:.200} has {where[at : at + 10]!r} at {at + 1}: {_hint(where[at])}")
        if found.lastgroup != "space":
            yield found.lastgroup, found.group()
        at = found.end()


def _hint(mark: str) -> str:
    if mark == "'":
        return "is a quote opened here and never closed? A quote inside a text is doubled: 'it''s'"
    return f"this is not part of a filter. {HELP}"


def _check_depth(where: str, tokens: Sequence[tuple[str, str]]) -> None:
    depth = joins = 0
    for kind, token in tokens:
        depth += {"(": 1, ")": -1}.get(token, 0)
        joins += kind == "name" and token.upper() in ("AND", "OR", "NOT")
        if depth > MAX_DEPTH or joins > MAX_JOINS:
            raise HeedfulError(f"the filter has more than {MAX_DEPTH} open brackets or {MAX_JOINS} ANDs, ORs and NOTs")
        if depth < 0:
            break
    if depth:
        raise HeedfulError(f"the filter {where!r:.200} has a bracket that is not {'closed' if depth > 0 else 'opened'}")


def _written(where: str, tokens: Sequence[tuple[str, str]], i: int, columns: Sequence[str]) -> str:
    kind, token = tokens[i]
    if kind == "name" and token.upper() in WORDS:
        return token.upper()
    if kind not in ("name", "quoted"):
        return token
    if kind == "name" and i + 1 < len(tokens) and tokens[i + 1][1] == "(":
        raise HeedfulError(f"the filter {where!r:.200} calls {token}(): functions are not part of a filter. {HELP}")
    name = token if kind == "name" else token[1:-1]
    if name not in columns:
        quote = f" A text stands in single quotes: {as_text(name)}." if kind == "quoted" else ""
        raise HeedfulError(
            f"the filter {where!r:.200}: no column {name!r}. The columns are {', '.join(columns)}."
            f"{did_you_mean(name, columns)}{quote}"
        )
    return as_column(name)
