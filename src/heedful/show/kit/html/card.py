"""One text in a page: its answer, the heatmaps side by side, each hop, and the same numbers in a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from heedful.show.heatmaps.view import HeatmapView, Row
from heedful.show.kit.html.shaded_text import ShadedText, excerpt, is_excerpt, whole_text
from heedful.show.kit.html.templates import render

MOST_HOPS = 30  # shown on their own
MOST_WORDS = 200  # in the table
LONGEST = 100  # characters of a label, and of a word in the table


@dataclass(frozen=True)
class Table:
    """The numbers of each word; the words with the largest come first."""

    columns: tuple[Row, ...]
    rows: tuple[tuple[str, bool, list[str]], ...]  # word, whether the model knows it, its numbers
    note: str


def card(view: HeatmapView, *, note: str = "", image: str = "") -> Markup:
    """Return everything to see of one text, as HTML.

    `note` stands beside the answer, `image` is the data of a picture above the words.
    """
    maps: list[tuple[Row, ShadedText]] = [(row, whole_text(view, row)) for row in view.rows]
    hops = [(row, excerpt(view, row)) for row in view.hops[:MOST_HOPS]]
    table = _table(view) if view.words else None
    return render(
        "show/kit/html/card.html",
        view=view,
        note=note,
        image=image,
        maps=maps,
        hops=hops,
        hop_notes=_hop_notes(view),
        table=table,
        longest=LONGEST,
    )


def _hop_notes(view: HeatmapView) -> str:
    n = len(view.hops)
    notes = [f"Of {n} hops, the first {MOST_HOPS} are shown."] if n > MOST_HOPS else []
    if is_excerpt(view):
        notes.append("Of this long text, each hop shows only the words around its strongest.")
    return " ".join([*notes, *filter(None, [view.hops_account])])


def _table(view: HeatmapView) -> Table:
    columns = (*view.rows, *view.hops[:MOST_HOPS])
    order = np.argsort(-np.abs(view.rows[0].values), kind="stable")[:MOST_WORDS]
    n = len(view.words)
    note = f"The {MOST_WORDS} words with the largest numbers, of {n:,}." if n > MOST_WORDS else ""
    return Table(columns, tuple(_table_row(view, columns, int(i)) for i in order), note)


def _table_row(view: HeatmapView, columns: Sequence[Row], i: int) -> tuple[str, bool, list[str]]:
    word = view.words[i]
    return word.text, word.is_known, [view.number(row, i) for row in columns]
