"""A labelled text as pieces to be shown: spans, single words, and what stands between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heedful.tasks.tag.explain import TagExplanation
from heedful.tasks.tag.show.colours import kind_of


@dataclass(frozen=True)
class Piece:
    """Words `first` to `end` (not included) that are shown as one, with what stands before them."""

    between: str
    text: str
    kind: str  # empty for a word that belongs to no span
    first: int
    end: int


def pieces(explanation: TagExplanation) -> Iterator[Piece]:
    """Yield spans whole and other words one by one; at the end, what is left of the text."""
    inside = {first: end for _, first, end in explanation.spans}
    words, at, i = explanation.words, 0, 0
    while i < len(words):
        end = inside.get(i, i + 1)
        start, stop = words[i].start, words[end - 1].end
        kind = kind_of(explanation.labels[i], has_spans=explanation.has_spans)
        if not explanation.has_spans or i in inside:
            yield Piece(explanation.text[at:start], explanation.text[start:stop], kind, i, end)
        else:
            yield Piece(explanation.text[at:start], explanation.text[start:stop], "", i, end)
        at, i = stop, end
    if explanation.text[at : explanation.read_to]:
        yield Piece(explanation.text[at : explanation.read_to], "", "", i, i)


def all_kinds(explanations: list[TagExplanation] | tuple[TagExplanation, ...]) -> set[str]:
    """Return the kinds of labels that there are."""
    return {kind_of(label, has_spans=e.has_spans) for e in explanations for label in e.labels} - {""}
