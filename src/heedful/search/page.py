"""Hits as one HTML page: no script, nothing from another host, every text escaped."""

from __future__ import annotations

from collections.abc import Sequence

from heedful.explain.similarity import Similarity
from heedful.search.hit import Hit
from heedful.show.kit.html import document as html
from heedful.show.kit.html.shaded_text import UNREAD
from heedful.show.kit.html.templates import render
from heedful.show.kit.text.truncate import shortened
from heedful.show.similarity.page import PACKAGE, marked_text, unread_text
from heedful.show.similarity.view import ACCOUNT, LONGEST, side_of, strongest_pairs

__all__ = ["CELL", "UNREAD", "hits_page"]
PAIRS = 3
CELL = 200  # characters shown of another column
TITLE = "Search results"


def hits_page(query: str, hits: Sequence[Hit], reasons: Sequence[Similarity], *, where: str | None = None) -> str:
    """Return a whole page. `reasons` are why each hit is like the query, as `Index.explain` gives them."""
    sides = [side_of(similarity, 1) for similarity in reasons]
    cards = [
        (hit, _columns(hit), marked_text(side), unread_text(side), strongest_pairs(similarity, PAIRS)[0])
        for hit, side, similarity in zip(hits, sides, reasons, strict=True)
    ]
    body = render(
        "search/page.html",
        title=TITLE,
        query=query,
        where=where,
        cards=cards,
        has_unknown=any(not word.is_known for side in sides for word in side.words),
        account=ACCOUNT,
        style=html.style(PACKAGE),
        cell=CELL,
        longest=LONGEST,
    )
    return html.document(TITLE, body)


def _columns(hit: Hit) -> list[str]:
    return [shortened(f"{name}={value}", CELL) for name, value in hit.columns.items() if value is not None]
