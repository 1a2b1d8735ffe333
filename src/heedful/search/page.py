"""Hits as one HTML page: no script, nothing from another host, every text escaped."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from heedful.explain.similarity import Similarity
from heedful.search.index import Hit
from heedful.show.heatmaps.page import document, escape
from heedful.show.kit.text.sanitise import one_line
from heedful.show.similarity.grid import signed_shades
from heedful.show.similarity.view import ACCOUNT, FAINT, LONGEST, number, strongest_pairs, unread_from

PAIRS = 3
CELL, UNREAD = 200, 300  # characters shown of another column, and of what the model did not read
TITLE = "What was found"
LEGEND = (
    'Each word is coloured by what it adds to the score: takes away <span class="legend" aria-hidden="true"></span> '
    "adds. A − stands before a word that clearly takes away. The score is the cosine of the query's vector and the "
    "text's: 1 is the same direction, 0 is nothing in common."
)
UNKNOWN = "A dotted line marks a word that the model does not know."


def hits_page(query: str, hits: Sequence[Hit], reasons: Sequence[Similarity], *, where: str | None = None) -> str:
    """Return a whole page. `reasons` are why each hit is like the query, as `Index.explain` gives them."""
    cards = "\n".join(_card(i, hit, why) for i, (hit, why) in enumerate(zip(hits, reasons, strict=True), start=1))
    has_unknown = any(not word.is_known for why in reasons for word in why.words[1])
    legend = f"{LEGEND} {UNKNOWN if has_unknown else ''} {escape(ACCOUNT)}"
    said = f'<p class="soft">{legend}</p>' if hits else "<p>Nothing was found.</p>"
    only = f'<p class="soft">Only rows where {escape(one_line(where))}</p>' if where else ""
    body = f'<p class="score" dir="auto">{escape(one_line(query))}</p>\n{only}\n{said}\n{cards}'
    return document(TITLE, f'<h1>{TITLE}</h1>\n<div class="hf similar"><style>\n{_style()}</style>\n{body}</div>')


@cache
def _style() -> str:
    return (files("heedful.show.similarity") / "style.css").read_text(encoding="utf-8")


def _card(rank: int, hit: Hit, why: Similarity) -> str:
    cells = ((name, value) for name, value in hit.columns.items() if value is not None)
    columns = "".join(f'<span dir="auto">{_short(f"{name}={value}", CELL)}</span>' for name, value in cells)
    return (
        f'<section class="card"><div class="answer"><strong>{rank}. {number(hit.score)}</strong>'
        f'<span class="soft" dir="auto">{_short(hit.id, CELL)}</span>{columns}</div>'
        f'<div class="text" dir="auto">{_marked(why)}</div>{_pairs(why)}</section>'
    )


def _marked(why: Similarity) -> str:
    """Return the text of the hit, each word with what it adds."""
    text, adds = why.texts[1], why.by_word[1]
    shown: list[str] = []
    at = 0
    for word, part, shade in zip(why.words[1], adds, signed_shades(adds), strict=True):
        kind = "" if abs(shade) < FAINT else " more" if shade > 0 else " less"
        known = "" if word.is_known else " unknown"
        about = f'class="part{kind}{known}" style="--w:{abs(shade):.2f}" title="{number(part)}"'
        shown.append(f"{escape(text[at : word.start])}<span {about}>{escape(word.text)}</span>")
        at = word.end
    end = unread_from(why, 1)
    shown.append(escape(text[at:end]))
    if end < len(text):
        more = "…" if len(text) > end + UNREAD else ""
        shown.append(f'<span class="unread" title="not read">{escape(text[end : end + UNREAD])}{more}</span>')
    return "".join(shown) if text.strip() else '<span class="soft">(empty)</span>'


def _pairs(why: Similarity) -> str:
    adding, _ = strongest_pairs(why, PAIRS)
    said = " · ".join(
        f'<span dir="auto">{_short(pair.words[0], LONGEST)} ~ {_short(pair.words[1], LONGEST)}</span> '
        f"{number(pair.part)}"
        for pair in adding
    )
    return f'<p class="soft">{said}</p>' if said else ""


def _short(text: str, most: int) -> str:
    shown = one_line(text)
    return escape(shown if len(shown) <= most else shown[: most - 1] + "…")
