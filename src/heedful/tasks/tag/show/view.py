"""What is drawn of labelled texts, as plain values: pieces with their labels, and where each word looked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heedful.show.kit.svg.shades import relative
from heedful.tasks.tag.explain import TagExplanation
from heedful.tasks.tag.show.colours import hues, kind_of

ACCOUNT = (
    "Each word has a label and its probability. In the table, a row is a word, and its cells show how much it looked "
    "at each word. Attention has no sign, and does not say why a label was chosen."
)
PICTURE_ACCOUNT = "Each row is a word, each column a word it looked at. Attention has no sign."
TITLE = "Label of each word"
TOP = 5  # words that a word looked at most


@dataclass(frozen=True)
class Piece:
    """Words `first` to `end` (not included) that are shown as one, with what stands before them."""

    between: str
    text: str
    kind: str  # empty for a word that belongs to no span
    first: int
    end: int


@dataclass(frozen=True)
class TaggedWord:
    """A word, its label and how probable that is, and how much it looked at each word."""

    text: str
    is_known: bool
    label: str
    kind: str  # what the label is about; empty for O
    probability: float
    weights: NDArray[np.float64]  # (word,)
    shades: NDArray[np.float32]  # (word,), from 0 to 1
    top: tuple[tuple[str, float], ...]  # the words with the most weight


@dataclass(frozen=True)
class TagView:
    """Everything to see of a labelled text."""

    pieces: tuple[Piece, ...]
    words: tuple[TaggedWord, ...]
    hues: Mapping[str, float]  # of each kind, in degrees
    unread: str  # what was truncated
    verdict: str
    is_doubtful: bool


def view(explanation: TagExplanation) -> TagView:
    """Return what is to see of a labelled text."""
    return views([explanation])[0]


def views(explanations: Sequence[TagExplanation]) -> list[TagView]:
    """Return what is to see of texts that stand together: a kind of label has one colour in all of them."""
    colours = hues(all_kinds(explanations))
    return [
        TagView(
            pieces=tuple(pieces(explanation)),
            words=tuple(_word(explanation, i) for i in range(len(explanation.words))),
            hues=colours,
            unread=explanation.text[explanation.read_to :],
            verdict=explanation.verdict.words,
            is_doubtful=explanation.verdict.is_warning,
        )
        for explanation in explanations
    ]


def pieces(explanation: TagExplanation) -> Iterator[Piece]:
    """Yield spans whole and other words one by one; at the end, what is left of the text."""
    inside = {first: end for _, first, end in explanation.spans}
    words, at, i = explanation.words, 0, 0
    while i < len(words):
        end = inside.get(i, i + 1)
        start, stop = words[i].start, words[end - 1].end
        has_label = not explanation.has_spans or i in inside
        kind = kind_of(explanation.labels[i], has_spans=explanation.has_spans) if has_label else ""
        yield Piece(explanation.text[at:start], explanation.text[start:stop], kind, i, end)
        at, i = stop, end
    if explanation.text[at : explanation.read_to]:
        yield Piece(explanation.text[at : explanation.read_to], "", "", i, i)


def all_kinds(explanations: Sequence[TagExplanation]) -> set[str]:
    """Return the kinds of labels that there are."""
    return {kind_of(label, has_spans=e.has_spans) for e in explanations for label in e.labels} - {""}


def _word(explanation: TagExplanation, i: int) -> TaggedWord:
    word, label, weights = explanation.words[i], explanation.labels[i], explanation.weights[i]
    return TaggedWord(
        text=word.text,
        is_known=word.is_known,
        label=label,
        kind=kind_of(label, has_spans=explanation.has_spans),
        probability=float(explanation.probabilities[i]),
        weights=weights,
        shades=relative(weights.astype(np.float32)),
        top=tuple(explanation.top(i, TOP)),
    )
