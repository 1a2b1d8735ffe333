"""Hits in a terminal: the score, the text with the words that made it a hit, and the other columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.text import Text

from heedful.explain.similarity import Similarity
from heedful.search.hit import Hit
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.sanitise import one_line, visible
from heedful.show.similarity.terminal import shaded_text
from heedful.show.similarity.view import side_of, strongest_pairs
from heedful.text.terms.matches import clear_matches
from heedful.text.terms.mix import MIXES, By

LONGEST, BEFORE = 500, 150  # characters shown of a text, and of those the ones before its strongest word
PAIRS, MATCHES = 3, 6
DIGITS = 3  # of a score
CELL = 60  # characters of another column


def hit_view(rank: int, hit: Hit, why: Similarity | None, *, by: By = "both") -> Text:
    """Return one hit."""
    block = Text.assemble((f"{rank}. {number(hit.score)}", "bold"), (f"  {one_line(hit.id)}", "dim"))
    if by == "both":
        block.append(f"  {parts_sentence(hit)}", style="dim")
    if hit.passage is not None:
        block.append(f"  passage {hit.passage.number} of {hit.passage.of}", style="dim")
    if hit.columns:
        block.append(f"  {_columns(hit)}")
    block.append("\n")
    block.append_text(_excerpt(hit, None if by == "words" else why))
    for line in (_matches(hit), _pairs(why, MIXES[by].meaning)):
        if line:
            block.append(f"\n{line}", style="dim")
    return block


def parts_sentence(hit: Hit) -> str:
    """Return the two parts of a score; as they are shown, they add up to the score as it is shown."""
    words = round(hit.by_words, DIGITS)
    meaning = round(hit.score, DIGITS) - words
    return f"= {number(words)} words {'−' if meaning < -(10**-DIGITS) / 2 else '+'} {number(abs(meaning))} meaning"


def words_of(why: Similarity, n: int = 5, *, weight: float = 1.0) -> list[dict[str, Any]]:
    """Return the pairs of words that add most to the part of meaning, ready for JSON."""
    adding, _ = strongest_pairs(why, n)
    return [
        {"query": pair.words[0], "text": pair.words[1], "adds": round(weight * pair.part, 6)}
        for pair in adding
        if weight > 0
    ]


def hit_values(hit: Hit) -> dict[str, Any]:
    """Return a hit ready for JSON, with rounded scores."""
    parts = {name: round(value, 6) for name, value in (("score", hit.score), ("by_words", hit.by_words))}
    return {**hit.to_dict(), **parts, "by_meaning": round(parts["score"] - parts["by_words"], 6)}


def _columns(hit: Hit) -> str:
    cells = ((name, one_line(str(value))) for name, value in hit.columns.items() if value is not None)
    return "  ".join(
        f"{one_line(name)}={cell if len(cell) <= CELL else cell[: CELL - 1] + '…'}" for name, cell in cells
    )


def _matches(hit: Hit) -> str:
    matches = (f"{one_line(match.words[0])} {number(match.adds)}" for match in hit.matches[:MATCHES])
    more = f"   and {len(hit.matches) - MATCHES} more" if len(hit.matches) > MATCHES else ""
    return f"words: {'   '.join(matches)}{more}" if hit.matches else ""


def _pairs(why: Similarity | None, weight: float) -> str:
    if why is None or weight <= 0:
        return ""
    adding, _ = strongest_pairs(why, PAIRS)
    pairs = "   ".join(f"{one_line(p.words[0])} ~ {one_line(p.words[1])} {number(weight * p.part)}" for p in adding)
    return f"meaning: {pairs}" if pairs else ""


def _excerpt(hit: Hit, why: Similarity | None) -> Text:
    """Return the text, or the part of it around the word that adds most."""
    text = Text(visible(hit.text)) if why is None else shaded_text(side_of(why, 1))
    if len(text) == len(hit.text):
        for match in clear_matches(hit.matches):
            for start, end in match.spans:
                text.stylize("bold underline", start, end)
    if len(text) <= LONGEST:
        return text
    strongest = _strongest(hit, why)
    start = max(0, min(strongest - BEFORE, len(text) - LONGEST))
    cut = text[start : start + LONGEST]
    return Text.assemble("…" if start else "", cut, "…" if start + LONGEST < len(text) else "")


def _strongest(hit: Hit, why: Similarity | None) -> int:
    """Return where in the text the word is that adds most: one that matches, if there is one."""
    if hit.matches:
        return hit.matches[0].spans[0][0]
    best = int(np.argmax(why.by_word[1])) if why is not None and why.words[1] else None
    return why.words[1][best].start if why is not None and best is not None else 0
