"""The smallest set of words whose removal changes the prediction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.explain.attention.explain import MOST_CELLS, check_can_explain
from heedful.explain.attention.explanation import Word
from heedful.explain.attention.model_input import Reading, answers, read
from heedful.explain.shown import Forms, Shown
from heedful.runtime.model import Model
from heedful.tasks.task import FLIP

MOST_SETS = 4_000  # that are tried of one size before the search goes on word by word
MOST_WORDS = 20  # in a set: without more of its words a text is another text
CHUNK = 512


@dataclass(frozen=True)
class Flip(Shown):
    """Words whose removal changes the answer; none if no such set was found."""

    FORMS = Forms(
        page="heedful.show.flips.page:flip_page",
        fragment="heedful.show.flips.page:flip_fragment",
        plain="heedful.show.flips.terminal:plain_flip",
    )

    text: str
    label: str
    probability: float
    words: tuple[Word, ...]
    new_label: str
    new_probability: float
    is_smallest: bool  # whether every smaller set was tried

    @property
    def sentence(self) -> str:
        """The finding in plain words."""
        if not self.text.strip():
            return "There are no words to leave out."
        if not self.words and self.is_smallest:
            return f"Whatever is left out, this would still be {self.label}."
        if not self.words:
            return (
                f"No words were found without which this would not be {self.label}; the search ends after "
                f"{MOST_WORDS} words or some seconds."
            )
        named = [f"“{word.text}”" for word in self.words]
        listed = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
        surely = "" if self.is_smallest else " A smaller set may exist: not all were tried."
        return f"Without {listed} this would be {self.new_label} ({self.new_probability:.2f}).{surely}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return {
            "words": [{"text": w.text, "start": w.start, "end": w.end} for w in self.words],
            "new_label": self.new_label,
            "new_probability": self.new_probability,
            "is_smallest": self.is_smallest,
            "sentence": self.sentence,
        }


def find_flip(model: Model, source: Any) -> Flip:
    """Try every word, then every pair, and so on while feasible; then remove words greedily."""
    check_can_explain(model)
    if FLIP not in model.can:
        raise HeedfulError(f"{model.path.name} {model.does}: there is no other label to change it to")
    reading = read(model, source)
    own = answers(model, [reading.features])[0]
    search = _Search(model, reading, int(own.argmax()))
    chosen, is_smallest = search.smallest() if reading.words else ((), True)
    new = answers(model, [reading.without(chosen)])[0] if chosen else own
    return Flip(
        text=reading.text,
        label=model.labels[int(own.argmax())],
        probability=float(own.max()),
        words=tuple(reading.words[i] for i in sorted(chosen)),
        new_label=model.labels[int(new.argmax())],
        new_probability=float(new.max()),
        is_smallest=is_smallest,
    )


class _Search:
    """Sets of words in order of size; of equal size, the one that makes the old answer least probable."""

    def __init__(self, model: Model, reading: Reading, answer: int) -> None:
        self._model, self._reading, self._answer = model, reading, answer
        self._left = MOST_CELLS

    def smallest(self) -> tuple[tuple[int, ...], bool]:
        """Return the set, and whether it is surely the smallest; an empty set if there is none."""
        n = len(self._reading.words)
        for size in range(1, n + 1):
            if size > MOST_WORDS or comb(n, size) > MOST_SETS or self._cost(comb(n, size)) > self._left:
                return self._word_by_word(), False
            if positions := self._best_of(combinations(range(n), size)):
                return positions, True
        return (), True

    def _word_by_word(self) -> tuple[int, ...]:
        """Take away the word that helps most, until the answer changes; then put back what was not needed."""
        chosen: tuple[int, ...] = ()
        for _ in range(min(len(self._reading.words), MOST_WORDS)):
            if self._cost(len(self._reading.words)) > self._left:
                return ()
            rest = [(*chosen, i) for i in range(len(self._reading.words)) if i not in chosen]
            probabilities = self._run(rest)
            best = int(probabilities[:, self._answer].argmin())
            chosen = rest[best]
            if probabilities[best].argmax() != self._answer:
                return self._pruned(chosen)
        return ()

    def _pruned(self, chosen: tuple[int, ...]) -> tuple[int, ...]:
        for word in chosen:
            fewer = tuple(i for i in chosen if i != word)
            if fewer and self._run([fewer])[0].argmax() != self._answer:
                chosen = fewer
        return chosen

    def _best_of(self, sets: Iterator[tuple[int, ...]]) -> tuple[int, ...]:
        best: tuple[int, ...] = ()
        least = np.inf
        for first in sets:
            some = list(chain([first], islice(sets, CHUNK - 1)))
            probabilities = self._run(some)
            for i in np.flatnonzero(probabilities.argmax(axis=1) != self._answer):
                if probabilities[i, self._answer] < least:
                    best, least = some[i], float(probabilities[i, self._answer])
        return best

    def _cost(self, n_sets: int) -> int:
        """Return the number of tokens that so many sets take to run."""
        return n_sets * len(self._reading.features)

    def _run(self, sets: Sequence[tuple[int, ...]]) -> NDArray[np.float64]:
        self._left -= self._cost(len(sets))
        return answers(self._model, [self._reading.without(words) for words in sets])
