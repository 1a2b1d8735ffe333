"""What is drawn of labelled texts, as plain values: pieces with their labels, and the parts of each label's score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heedful.show.heatmaps.units import in_units, unit_of
from heedful.show.kit.svg.shades import relative, signed
from heedful.tasks.tag.explanation import TagExplanation
from heedful.tasks.tag.show.colours import hues, kind_of

Values = NDArray[np.float64]
ACCOUNT = (
    "Each word has a label and its probability. In the table, a row is a word, and its cells show how much it looked "
    "at each word. Attention has no sign, and does not say why a label was chosen. This model does not give the score "
    "of a label as a sum over words."
)
PICTURE_ACCOUNT = "Each row is a word, each column a word it looked at. Attention has no sign."
SUM = "The score of a word's label is the bias, plus {own}the contribution of each word that it looked at, exactly."
OWN = "the contribution of the word's own state, plus "
ROWS = "Each row is a word, each column a part of the sum."
COLOURS = "Blue adds to the score, orange with a line takes away from it."
STATES = "A state holds its word and, unless the encoder is static, what stands around it."
CRF = "With a CRF, the label also depends on transitions: a score for one label after another, which is not in the sum."
ATTENTION = "How much each word looked at each word. Attention has no sign, and does not say why a label was chosen."
TITLE = "Label of each word"
TOP = 5  # words that a word looked at most
OWN_STATE = "own state"
LEAST = 0.25  # of a score: a row whose parts are all smaller has no dark cell


@dataclass(frozen=True)
class Piece:
    """Words `first` to `end` (not included) that are shown as one, with what stands before them."""

    between: str
    text: str
    kind: str  # empty for a word that belongs to no span
    first: int
    end: int


@dataclass(frozen=True)
class Looked:
    """How much a word looked at each word."""

    weights: Values  # (word,)
    shades: NDArray[np.float32]  # (word,), from 0 to 1
    top: tuple[tuple[str, float], ...]  # the words with the most weight


@dataclass(frozen=True)
class LabelSum:
    """The score of a word's label as a sum: bias + own + Σ contributions = score."""

    score: float
    bias: float
    own: float
    contributions: Values  # (word looked at,)
    own_shade: float  # from -1 to 1, on the scale of the others
    shades: NDArray[np.float32]  # (word looked at,), from -1 to 1
    strongest: tuple[tuple[str, float], ...]  # words looked at and the own state, by size
    transition: float | None  # of a CRF


@dataclass(frozen=True)
class TaggedWord:
    """A word, its label and how probable that is."""

    text: str
    is_known: bool
    label: str
    kind: str  # what the label is about; empty for O
    probability: float


@dataclass(frozen=True)
class TagView:
    """Everything to see of a labelled text; what belongs to one word is made when it is drawn."""

    explanation: TagExplanation
    pieces: tuple[Piece, ...]
    words: tuple[TaggedWord, ...]
    hues: Mapping[str, float]  # of each kind, in degrees
    unread: str  # what was truncated
    verdict: str
    is_doubtful: bool
    has_sum: bool  # whether scores are sums
    has_own: bool  # whether a word's own state is a part of them
    has_transitions: bool

    @property
    def account(self) -> str:
        """How to read the sum; empty if there is no sum."""
        if not self.has_sum:
            return ""
        return in_units(f"{self._sum_account} {ROWS} {COLOURS} {self._limits}", unit_of(self.explanation.kind))

    @property
    def short_account(self) -> str:
        """The same for where there are no colours."""
        return in_units(f"{self._sum_account} {self._limits}", unit_of(self.explanation.kind)) if self.has_sum else ""

    @property
    def _sum_account(self) -> str:
        return SUM.format(own=OWN if self.has_own else "")

    @property
    def _limits(self) -> str:
        return f"{STATES} {CRF}" if self.has_transitions else STATES

    def looked(self, word: int) -> Looked:
        """Return how much a word, counted from 0, looked at each word."""
        weights = self.explanation.weights[word]
        return Looked(
            weights.astype(np.float64), relative(weights.astype(np.float32)), tuple(self.explanation.top(word, TOP))
        )

    def sum_of(self, word: int) -> LabelSum:
        """Return the parts of the score of a word's label; only if there is a sum."""
        made, added = self.explanation, self.explanation.contributions_of(word)
        assert added is not None and made.scores is not None and made.bias is not None and made.own is not None
        column = made.tagset.index(made.labels[word])
        own = float(made.own[word, column])
        shades = signed(np.append(added, own), least=LEAST)
        return LabelSum(
            score=float(made.scores[word, column]),
            bias=float(made.bias[column]),
            own=own,
            contributions=added,
            own_shade=float(shades[-1]),
            shades=shades[:-1],
            strongest=tuple(_strongest(made, added, own, has_own=self.has_own)),
            transition=None if made.transitions is None else float(made.transitions[word]),
        )


def view(explanation: TagExplanation) -> TagView:
    """Return what is to see of a labelled text."""
    return views([explanation])[0]


def views(explanations: Sequence[TagExplanation]) -> list[TagView]:
    """Return what is to see of texts that stand together: a kind of label has one colour in all of them."""
    colours = hues(all_kinds(explanations))
    return [
        TagView(
            explanation=explanation,
            pieces=tuple(pieces(explanation)),
            words=tuple(_words(explanation)),
            hues=colours,
            unread=explanation.text[explanation.read_to :],
            verdict=explanation.verdict.words,
            is_doubtful=explanation.verdict.is_warning,
            has_sum=explanation.has_contributions,
            has_own=explanation.own is not None and bool(explanation.own.any()),
            has_transitions=explanation.transitions is not None,
        )
        for explanation in explanations
    ]


def pieces(explanation: TagExplanation) -> Iterator[Piece]:
    """Yield spans whole and other words one by one; at the end, what is left of the text."""
    inside, has_spans = {first: end for _, first, end in explanation.spans}, explanation.has_spans
    words, at, i = explanation.words, 0, 0
    while i < len(words):
        end = inside.get(i, i + 1)
        start, stop = words[i].start, words[end - 1].end
        has_label = not has_spans or i in inside
        kind = kind_of(explanation.labels[i], has_spans=has_spans) if has_label else ""
        yield Piece(explanation.text[at:start], explanation.text[start:stop], kind, i, end)
        at, i = stop, end
    if explanation.text[at : explanation.read_to]:
        yield Piece(explanation.text[at : explanation.read_to], "", "", i, i)


def all_kinds(explanations: Sequence[TagExplanation]) -> set[str]:
    """Return the kinds of labels that there are."""
    return {kind_of(label, has_spans=e.has_spans) for e in explanations for label in set(e.labels)} - {""}


def _words(explanation: TagExplanation) -> Iterator[TaggedWord]:
    has_spans = explanation.has_spans
    for word, label, p in zip(explanation.words, explanation.labels, explanation.probabilities.tolist(), strict=True):
        yield TaggedWord(word.text, word.is_known, label, kind_of(label, has_spans=has_spans), p)


def _strongest(explanation: TagExplanation, added: Values, own: float, *, has_own: bool) -> list[tuple[str, float]]:
    """Return the largest parts by size; a word that occurs more than once is one part, nodes are not grouped."""
    order = np.argsort(-np.abs(added), kind="stable")
    sums: dict[str, float] = {}
    times: dict[str, int] = {}
    names: dict[str, str] = {}
    for j in order.tolist():
        word = explanation.words[j].text
        key = word.casefold() if explanation.kind == "text" else str(j)
        names.setdefault(key, word)
        sums[key], times[key] = sums.get(key, 0.0) + float(added[j]), times.get(key, 0) + 1
    parts = [(names[key] + (f" × {times[key]}" if times[key] > 1 else ""), value) for key, value in sums.items()]
    parts += [(OWN_STATE, own)] if has_own else []
    return sorted(parts, key=lambda part: -abs(part[1]))[:TOP]
