"""The filter language: conditions on columns, joined by AND, OR and NOT. LanceDB never sees the user's text.

stars >= 4 AND lang = 'en'   ·   topic IN ('food', 'wine') OR NOT seen   ·   title LIKE '%wine%'   ·   price IS NULL
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from heedful.errors import HeedfulError
from heedful.search.filter_parser import HELP, MAX_DEPTH, MAX_JOINS, parse_filter
from heedful.search.filter_tree import as_column, as_text, written

__all__ = ["HELP", "MAX_DEPTH", "MAX_JOINS", "as_column", "as_text", "checked_filter", "wrong_filter"]

MAX_LENGTH = 100_000  # characters


def checked_filter(where: str, columns: Iterable[str]) -> str:
    """Parse a filter and return it in LanceDB's syntax, or raise if it is invalid.

    If `columns` is a mapping, it has the type of each column, and values must match it.
    """
    if not where.strip():
        raise HeedfulError(f"the filter is empty. {HELP}")
    if len(where) > MAX_LENGTH:
        raise HeedfulError(f"the filter has {len(where):,} characters, expected at most {MAX_LENGTH:,}")
    kinds = columns if isinstance(columns, Mapping) else dict.fromkeys(columns)
    return written(parse_filter(where, kinds))


def wrong_filter(where: str, error: Exception) -> HeedfulError:
    """Return LanceDB's message about a filter without its source locations."""
    message = re.sub(r",? ?/\S+\.rs:\d+:\d+", "", str(error)).splitlines()[0] if str(error) else type(error).__name__
    message = re.sub(r"^(lance error: )?(Invalid input, |Invalid user input: )*", "", message)
    message = message.replace("SELECT 1 FROM t WHERE ", "").rstrip(". ")
    return HeedfulError(f"invalid filter {where!r:.200}: {message:.300}. {HELP}")
