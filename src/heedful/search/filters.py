"""The filter language: conditions on columns, joined by AND, OR and NOT. LanceDB sees only what was understood here.

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
    """Return the filter in LanceDB's terms, written from what was understood of it, or say what is wrong with it.

    Where `columns` is a mapping, it has the kind of each column, and values must be of these kinds.
    """
    if not where.strip():
        raise HeedfulError(f"the filter is empty. {HELP}")
    if len(where) > MAX_LENGTH:
        raise HeedfulError(f"the filter has {len(where):,} characters, at most {MAX_LENGTH:,} are allowed")
    kinds = columns if isinstance(columns, Mapping) else dict.fromkeys(columns)
    return written(parse_filter(where, kinds))


def wrong_filter(where: str, error: Exception) -> HeedfulError:
    """Return what LanceDB says of a filter, without the places in its source."""
    said = re.sub(r",? ?/\S+\.rs:\d+:\d+", "", str(error)).splitlines()[0] if str(error) else type(error).__name__
    said = re.sub(r"^(lance error: )?(Invalid input, |Invalid user input: )*", "", said)
    said = said.replace("SELECT 1 FROM t WHERE ", "").rstrip(". ")
    return HeedfulError(f"the filter {where!r:.200} cannot be used: {said:.300}. {HELP}")
