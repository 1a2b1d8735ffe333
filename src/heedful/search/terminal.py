"""Hits in a terminal: the score, the text with the words that made it a hit, and the other columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.text import Text

from heedful.explain.similarity import Similarity
from heedful.search.hit import Hit
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.sanitise import one_line
from heedful.show.similarity.terminal import shaded_text
from heedful.show.similarity.view import side_of, strongest_pairs

LONGEST, BEFORE = 500, 150  # characters shown of a text, and of those the ones before its strongest word
PAIRS = 3
CELL = 60  # characters of another column


def hit_view(rank: int, hit: Hit, why: Similarity | None) -> Text:
    """Return one hit."""
    block = Text.assemble((f"{rank}. {number(hit.score)}", "bold"), (f"  {one_line(hit.id)}", "dim"))
    if hit.columns:
        block.append(f"  {_columns(hit)}")
    block.append("\n")
    block.append_text(_excerpt(hit, why))
    if why is not None and (pairs := _pairs(why)):
        block.append(f"\n{pairs}", style="dim")
    return block


def words_of(why: Similarity, n: int = 5) -> list[dict[str, Any]]:
    """Return the pairs of words that add most, ready for JSON."""
    adding, _ = strongest_pairs(why, n)
    return [{"query": pair.words[0], "text": pair.words[1], "adds": round(pair.part, 6)} for pair in adding]


def _columns(hit: Hit) -> str:
    cells = ((name, one_line(str(value))) for name, value in hit.columns.items() if value is not None)
    return "  ".join(
        f"{one_line(name)}={cell if len(cell) <= CELL else cell[: CELL - 1] + '…'}" for name, cell in cells
    )


def _pairs(why: Similarity) -> str:
    adding, _ = strongest_pairs(why, PAIRS)
    return "   ".join(f"{one_line(p.words[0])} ~ {one_line(p.words[1])} {number(p.part)}" for p in adding)


def _excerpt(hit: Hit, why: Similarity | None) -> Text:
    """Return the text, or the part of it around the word that adds most."""
    text = Text(one_line(hit.text)) if why is None else shaded_text(side_of(why, 1))
    if len(text) <= LONGEST:
        return text
    best = int(np.argmax(why.by_word[1])) if why is not None and why.words[1] else None
    strongest = why.words[1][best].start if why is not None and best is not None else 0
    start = max(0, min(strongest - BEFORE, len(text) - LONGEST))
    cut = text[start : start + LONGEST]
    return Text.assemble("…" if start else "", cut, "…" if start + LONGEST < len(text) else "")
