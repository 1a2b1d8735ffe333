"""The hop atlas: what each hop of a model attends to over many texts."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from heedful.explain.shown import Forms, Shown
from heedful.tasks import TASKS

State = Literal["alive", "even", "first", "last", "ends"]
LabelKind = Literal["true", "predicted", "none"]

EVEN = 0.98  # entropy over tokens: above this a hop attends uniformly
FIXED = 0.95  # share of the weight on the first and last word: above this a hop attends to positions, not words
ALIKE = 0.95  # mean cosine of two hops' weights from which they are duplicates

SAID = {
    "even": "reads nearly every word alike",
    "first": "reads the first word, whatever the text",
    "last": "reads the last word, whatever the text",
    "ends": "reads the first and the last word, whatever the text",
}


@dataclass(frozen=True)
class Sighting:
    """An occurrence of a word with its context, and the hop's weights."""

    text: str  # the window
    spans: tuple[tuple[int, int], ...]  # of its words in `text`
    weights: tuple[float, ...]  # of those words
    at: int  # index of the word among them
    n_words: int  # of the whole text
    is_start: bool  # the window starts at the start of the text
    is_end: bool

    @property
    def weight(self) -> float:
        """The hop's weight on the word."""
        return self.weights[self.at]


@dataclass(frozen=True)
class HopWord:
    """A word that a hop attends to. `lift` is its weight relative to uniform attention, shrunk to 1 for rare words."""

    word: str
    lift: float
    weight: float  # mean
    count: int
    is_known: bool
    places: tuple[Sighting, ...] = ()  # largest weight first


@dataclass(frozen=True)
class HopLabel:
    """What a hop attends to in the texts of one label."""

    label: str
    n_texts: int
    entropy: float | None
    words: tuple[HopWord, ...]


@dataclass(frozen=True)
class Shares:
    """Mean shares of the weight. Words, marks (punctuation and symbols) and unknown words sum to 1."""

    words: float
    marks: float
    unknown: float
    first: float | None  # of the first and last word in texts of three or more words; None without such texts
    last: float | None


@dataclass(frozen=True)
class Hop:
    """What one hop attends to."""

    number: int  # from 1
    entropy: float | None  # over words: 1 is uniform, 0 is a single word; None if no text has two words
    state: State
    shares: Shares
    words: tuple[HopWord, ...]  # strongest first
    by_label: tuple[HopLabel, ...]

    @property
    def is_dead(self) -> bool:
        """Whether its weights do not depend on the words."""
        return self.state != "alive"


@dataclass(frozen=True, repr=False)
class HopAtlas(Shown):
    """What every hop attends to, the similarity of the hops, and the words that distinguish them."""

    FORMS = Forms(
        page="heedful.show.hops.page:hops_page",
        fragment="heedful.show.hops.page:hops_fragment",
        plain="heedful.show.hops.terminal:plain_hops",
    )

    model: str  # name of the model's folder
    file: str  # name of the file of texts
    task: str
    n_texts: int  # with at least one word
    n_words: int
    labels_are: LabelKind
    hops: tuple[Hop, ...]
    even: Shares  # of a hop that attends uniformly
    likeness: NDArray[np.float64]  # (hop, hop): cosine of their weights, mean over texts
    map_words: tuple[str, ...]
    map: NDArray[np.float64]  # (hop, map word): lift
    n_forgotten: int = 0  # rare words dropped to bound memory

    @property
    def dead(self) -> tuple[Hop, ...]:
        """The hops whose weights do not depend on the words."""
        return tuple(hop for hop in self.hops if hop.is_dead)

    @property
    def duplicates(self) -> tuple[tuple[int, ...], ...]:
        """Groups of living hops, by number, linked by pairs with a cosine of ALIKE or more."""
        groups = linked(self.likeness, self._living)
        return tuple(tuple(i + 1 for i in group) for group in groups if len(group) > 1)

    @property
    def needed(self) -> int:
        """The number of living hops without duplicates, at least 1: a suggestion."""
        return max(1, len(distinct(self.likeness, self._living)))

    @property
    def _living(self) -> list[int]:
        return [i for i, hop in enumerate(self.hops) if not hop.is_dead]

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about dead hops and duplicates."""
        sentences = [
            f"{named([h.number for h in self.dead if h.state == state], verb)} {rest}"
            for state in SAID
            for verb, rest in [SAID[state].split(" ", 1)]
            if any(h.state == state for h in self.dead)
        ]
        sentences += [f"{named(group, 'reads')} the same words (cosine {ALIKE} or more)" for group in self.duplicates]
        return tuple(sentences)

    @property
    def suggestion(self) -> str:
        """The suggested number of hops, and how to check it."""
        n = len(self.hops)
        if n == 1:
            return f"This model has one hop; it {SAID.get(self.hops[0].state, 'chooses among words')}."
        if self.needed == n:
            return f"All {n} hops choose among words, and no two of them choose the same."
        if not self._living:
            finding = f"None of the {n} hops chooses among words: one may do as well."
        elif self.needed == 1:
            finding = f"1 of the {n} hops chooses among words in a way of its own."
        else:
            finding = f"{self.needed} of the {n} hops choose among words in a way of their own."
        return f"{finding} This is a suggestion, not a finding: train again and compare, with {self.command}"

    @property
    def command(self) -> str:
        """How to train with as many hops as are suggested."""
        is_trained = self.task not in TASKS or TASKS[self.task].goal  # an encoder learns from a teacher
        return f"heedful {'train' if is_trained else 'distill'} … --hops {self.needed}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        tree = {name: value for name, value in vars(self).items() if name not in ("hops", "even", "likeness", "map")}
        return {
            "format": 1,
            **tree,
            "map_words": list(self.map_words),
            "hops": [{**asdict(hop), "is_dead": hop.is_dead} for hop in self.hops],
            "even": asdict(self.even),
            "likeness": self.likeness.tolist(),
            "map": self.map.tolist(),
            "duplicates": [list(group) for group in self.duplicates],
            "needed": self.needed,
            "notes": list(self.notes),
            "suggestion": self.suggestion,
        }


def state_of(evenness: float | None, shares: Shares) -> State:
    """Return whether a hop's weights depend on the words; `evenness` is its entropy over tokens."""
    if evenness is not None and evenness > EVEN:
        return "even"
    first, last = shares.first or 0.0, shares.last or 0.0
    if first + last <= FIXED:
        return "alive"
    return "first" if first > FIXED else "last" if last > FIXED else "ends"


def linked(likeness: NDArray[np.float64], hops: Sequence[int]) -> list[list[int]]:
    """Group hops by single linkage at a cosine of ALIKE."""
    groups: list[list[int]] = []
    for hop in hops:
        neighbours = [group for group in groups if any(likeness[hop, other] >= ALIKE for other in group)]
        groups = [group for group in groups if group not in neighbours] + [sorted([hop, *itertools.chain(*neighbours)])]
    return sorted(groups)


def distinct(likeness: NDArray[np.float64], hops: Sequence[int]) -> list[int]:
    """Return hops without duplicates: each is kept unless a similar one was kept before."""
    kept: list[int] = []
    for hop in hops:
        if all(likeness[hop, other] < ALIKE for other in kept):
            kept.append(hop)
    return kept


def named(numbers: Sequence[int], verb: str) -> str:
    """Return `hop 3 reads`, `hops 1, 4 and 5 read`."""
    if len(numbers) == 1:
        return f"hop {numbers[0]} {verb}"
    return f"hops {', '.join(map(str, numbers[:-1]))} and {numbers[-1]} {verb.removesuffix('s')}"
