"""Column types: number, yes or no, text. They are inferred from the first rows; later rows must match."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from decimal import Decimal
from numbers import Real
from typing import Any

from heedful.errors import HeedfulError
from heedful.files.json_text import json_text
from heedful.files.unicode import without_lone_surrogates
from heedful.search.ranking.columns import HIDDEN

NUMBER, YES_NO, TEXT = "number", "yes or no", "text"
# Column names reserved by the database.
RESERVED = {
    "_distance", "_score", "_relevance_score", "_rowid", "_rowaddr", "_rowoffset",
    "_row_last_updated_at_version", "_row_created_at_version", *HIDDEN,
}  # fmt: skip

# 007 and +49… are identifiers, not numbers.
_NUMBER = re.compile(r"\s*-?(?:0|[1-9]\d*)?(?:\.\d+)?(?:[eE][+-]?\d{1,3})?\s*")
_EXACT = 2**53  # integers up to this are exact as floats


class DoesNotFitError(ValueError):
    """A value that does not match the type of its column."""


def kind_of(values: Iterable[Any], *, numbers_in_text: bool = False) -> str:
    """Infer the type of values; with `numbers_in_text`, '4.5' is a number, as in a CSV file."""
    given = [value for value in values if not _is_missing(value) and value != ""]
    if given and all(isinstance(value, bool) for value in given):
        return YES_NO
    if given and all(_is_number(value) or (numbers_in_text and _is_written_number(value)) for value in given):
        return NUMBER
    return TEXT


def as_kind(value: Any, kind: str) -> Any:
    """Convert a value to the type of its column."""
    if _is_missing(value) or (value == "" and kind != TEXT):
        return None
    if kind == TEXT:
        return _as_text(value)
    if kind == YES_NO and isinstance(value, bool):
        return value
    if kind == NUMBER and (_is_number(value) or _is_written_number(value)):
        return float(value) + 0.0  # no -0.0, which the database orders below 0
    expected = "a number" if kind == NUMBER else "true or false"
    raise DoesNotFitError(f"{value!r:.60}, expected {expected} as in earlier rows")


def given_back(value: Any) -> Any:
    """Return a stored value as the user gave it: 4 and not 4.0."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) <= _EXACT else value


def check_name(name: Any) -> None:
    """Raise for an invalid column name."""
    if not isinstance(name, str) or not name.strip() or name in RESERVED or set(name) & set('.`"'):
        raise HeedfulError(
            f"{name!r} is not a valid column name. Rename the column (dots and quotes are not allowed, "
            "and a few names starting with _ are reserved)"
        )


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, (Real, Decimal)) and _is_exact(value)


def _is_written_number(value: Any) -> bool:
    if not isinstance(value, str) or not _NUMBER.fullmatch(value):
        return False
    try:
        return _is_exact(int(value))
    except ValueError:  # not an integer, or no digits
        return any(c.isdigit() for c in value) and _is_exact(float(value))


def _is_exact(value: Any) -> bool:
    return math.isfinite(value) and (abs(value) <= _EXACT or not isinstance(value, int))


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return without_lone_surrogates(value)
    if isinstance(value, (dict, list, bool)):
        return json_text(value, default=str)
    return str(given_back(value))
