"""Hits as one HTML page: no script, nothing from another host, every text escaped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from heedful.explain.similarity import Similarity
from heedful.search.hit import Hit
from heedful.search.terminal import parts_sentence
from heedful.show.kit.html import document as html
from heedful.show.kit.html.shaded_text import UNREAD
from heedful.show.kit.html.templates import render
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.truncate import shortened
from heedful.show.similarity.page import PACKAGE, MarkedWord, marked_text, unread_text
from heedful.show.similarity.view import ACCOUNT, LONGEST, Side, side_of, strongest_pairs
from heedful.text.terms.matches import clear_matches
from heedful.text.terms.mix import MIXES, By

__all__ = ["CELL", "UNREAD", "hits_page"]
PAIRS = 3
CELL = 200  # characters shown of another column
TITLE = "Search results"


@dataclass(frozen=True)
class Card:
    """What is drawn of a hit."""

    hit: Hit
    sum: str  # of the two parts of the score
    columns: list[str]
    parts: list[str | MarkedWord]
    unread: str
    matches: list[tuple[str, str]]  # words of the query in the text, each with its contribution
    pairs: list[tuple[str, str, str]]  # words of similar meaning


def hits_page(
    query: str, hits: Sequence[Hit], reasons: Sequence[Similarity], *, where: str | None = None, by: By = "both"
) -> str:
    """Return a whole page. `reasons` are why each hit is like the query, as `Index.explain` gives them."""
    weight = MIXES[by].meaning
    sides = [_weighted(side_of(similarity, 1), weight) for similarity in reasons]
    cards = [_card(hit, side, similarity, by) for hit, side, similarity in zip(hits, sides, reasons, strict=True)]
    body = render(
        "search/page.html",
        title=TITLE,
        query=query,
        where=where,
        cards=cards,
        by=by,
        has_matches=any(hit.matches for hit in hits),
        has_unknown=any(not word.is_known for side in sides for word in side.words),
        account=ACCOUNT,
        style=html.style(PACKAGE),
        cell=CELL,
        longest=LONGEST,
    )
    return html.document(TITLE, body)


def _card(hit: Hit, side: Side, similarity: Similarity, by: By) -> Card:
    weight = MIXES[by].meaning
    pairs = strongest_pairs(similarity, PAIRS)[0] if weight > 0 else []
    return Card(
        hit,
        parts_sentence(hit) if by == "both" else "",
        _columns(hit),
        marked_text(side, [span for match in clear_matches(hit.matches) for span in match.spans]),
        unread_text(side),
        [(match.words[0], number(match.adds)) for match in hit.matches],
        [(pair.words[0], pair.words[1], number(weight * pair.part)) for pair in pairs],
    )


def _weighted(side: Side, weight: float) -> Side:
    return replace(side, parts=side.parts * weight, shades=side.shades * (weight > 0))


def _columns(hit: Hit) -> list[str]:
    place = [f"passage {hit.passage.number} of {hit.passage.of}"] if hit.passage is not None else []
    cells = [shortened(f"{name}={value}", CELL) for name, value in hit.columns.items() if value is not None]
    return [*place, *cells]
