"""The search for the smallest set of words whose removal changes the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice
from math import comb

import numpy as np
from numpy.typing import NDArray

from heedful.explain.attention.explain import MOST_CELLS
from heedful.explain.attention.model_input import Reading, answers
from heedful.explain.attention.summed_run import summed_run
from heedful.explain.contributions import has_contributions
from heedful.runtime.model import Model

MOST_SETS = 4_000  # that are tried of one size before the search goes on word by word
MOST_WORDS = 20  # in a set: without more of its words a text is another text
CHUNK = 512
SHARE, FEWEST = 0.03, 4  # of the sets of one size that are tried, if contributions say which are likely
MOST_LIKELY = 64  # sets of one size


def search_of(model: Model, reading: Reading, answer: int) -> Search:
    """Return a search that uses contributions, if the model has them."""
    return (SumSearch if has_contributions(model) else Search)(model, reading, answer)


class Search:
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


class SumSearch(Search):
    """Tries only the sets whose words add most to the lead of the answer over another label.

    The sum says what the scores would be without the words if nothing else changed. Attention and context do change,
    so the likeliest sets of each size are run.
    """

    def smallest(self) -> tuple[tuple[int, ...], bool]:
        """Return the set, and whether it is surely the smallest; an empty set if there is none."""
        lead, adds = self._leads()
        n = len(self._reading.words)
        untried: list[tuple[int, ...]] = []
        has_tried_all = n <= MOST_WORDS
        for size in range(1, min(n, MOST_WORDS) + 1):
            likely = self._likely(lead, adds, size)
            if self._cost(len(likely)) > self._left:
                has_tried_all = False
                break
            if positions := self._best_of(iter(likely)):
                return (positions, True) if has_tried_all else self._confirmed(positions, untried)
            if size == 1:
                untried = [(i,) for i in range(n) if (i,) not in likely]
            has_tried_all = has_tried_all and len(likely) == comb(n, size)
        return ((), True) if has_tried_all else (self._word_by_word(), False)

    def _confirmed(self, positions: tuple[int, ...], untried: list[tuple[int, ...]]) -> tuple[tuple[int, ...], bool]:
        """Try the single words that were not tried, before two words are reported; prune larger sets."""
        if len(positions) == 1:
            return positions, True
        if len(positions) > 2:
            return self._pruned(positions), False
        if self._cost(len(untried)) > self._left:
            return positions, False
        return self._best_of(iter(untried)) or positions, True

    def _leads(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the lead of the answer over each other label, and what each word adds to it (word, label)."""
        run = summed_run(self._model, self._reading)
        assert run.parts
        by_word = np.asarray(self._reading.folded(run.parts.by_token.T).T)  # (word, label)
        others = [label for label in range(len(run.scores)) if label != self._answer]
        lead = run.scores[self._answer] - run.scores[others]
        return lead, by_word[:, [self._answer]] - by_word[:, others]

    def _likely(self, lead: NDArray[np.float64], adds: NDArray[np.float64], size: int) -> list[tuple[int, ...]]:
        """Return the sets of a size without which the answer would lose most of its smallest lead."""
        n = len(adds)
        most = min(MOST_LIKELY, max(FEWEST, int(SHARE * comb(n, size)))) if comb(n, size) < 1e6 else MOST_LIKELY
        rivals = np.argsort(lead - np.sort(adds, axis=0)[::-1][:size].sum(axis=0))[:3]
        left: dict[tuple[int, ...], float] = {}
        for rival in rivals:
            order = np.argsort(-adds[:, rival], kind="stable")
            wide = size
            while wide < n and comb(wide + 1, size) <= most:
                wide += 1
            for words in combinations(sorted(order[:wide].tolist()), size):
                rest = float(lead[rival] - adds[list(words), rival].sum())
                left[words] = min(rest, left.get(words, np.inf))
        return sorted(left, key=lambda words: left[words])[:most]
