"""Variations of texts: sentences that nobody wrote, for a teacher to label.

Words are left out, spans are swapped between texts, and n-grams are taken alone (after Tang et al. 2019,
arXiv:1903.12136). What a variation means does not matter: the teacher says it, and shows what it makes of single words
and of their combinations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from heedful.text.word_tokeniser import WordTokeniser

LEAVE_OUT, SWAP = 0.4, 0.35  # shares of the variations by kind; the rest are n-grams
MOST_LEFT_OUT = 0.4  # share of the words
LONGEST_NGRAM = 5  # words, or half of a longer text
TRIALS = 4  # a variation that was seen before is made again so often

Words = list[str]  # each with what stands before it: spaces, as a rule


class Variations:
    """Variations of a list of texts, each determined by the seed, the position of its text and its number."""

    def __init__(self, texts: Sequence[str], *, seed: int = 0) -> None:
        self._texts, self._seed, self._tokeniser = texts, seed, WordTokeniser(lowercase=False)

    def new(self, each: int, *, without: Iterable[str] = ()) -> Iterator[str]:
        """Yield up to `each` variations of every text: none twice, none that is a text of the list or in `without`."""
        seen = {text.strip() for text in (*self._texts, *without)}
        for number in range(each):
            for i in range(len(self._texts)):
                rng = np.random.default_rng([self._seed, 0x7EAC, i, number])
                for _ in range(TRIALS):
                    text = self._variation(i, rng)
                    if text and text not in seen:
                        seen.add(text)
                        yield text
                        break

    def _variation(self, i: int, rng: np.random.Generator) -> str:
        words, kind = self._words(i), rng.random()
        if kind < LEAVE_OUT:
            words = left_out(words, rng)
        elif kind < LEAVE_OUT + SWAP:
            words = swapped(words, self._words(int(rng.integers(len(self._texts)))), rng)
        else:
            words = ngram(words, rng)
        return "".join(words).strip()

    def _words(self, i: int) -> Words:
        text, at, words = self._texts[i], 0, []
        for token in self._tokeniser.tokens(text):
            words.append(text[at : token.end])
            at = token.end
        return words


def left_out(words: Words, rng: np.random.Generator) -> Words:
    """Return a text without some of its words, at least without one."""
    kept = rng.random(len(words)) >= rng.uniform(0.0, MOST_LEFT_OUT)
    if kept.all() and len(words) > 1:
        kept[rng.integers(len(words))] = False
    return [word for word, is_kept in zip(words, kept, strict=True) if is_kept]


def swapped(words: Words, others: Words, rng: np.random.Generator) -> Words:
    """Return a text with a span of it replaced by a span of another text, each at most half as long as its text."""
    start, end = span(len(words), max(1, len(words) // 2), rng)
    other_start, other_end = span(len(others), max(1, len(others) // 2), rng)
    return [*words[:start], *others[other_start:other_end], *words[end:]]


def ngram(words: Words, rng: np.random.Generator) -> Words:
    """Return some words of a text that stand side by side."""
    start, end = span(len(words), max(LONGEST_NGRAM, len(words) // 2), rng)
    return words[start:end]


def span(n: int, longest: int, rng: np.random.Generator) -> tuple[int, int]:
    """Return the start and end of a random span in a list of `n`."""
    length = int(rng.integers(1, max(1, min(n, longest)) + 1))
    start = int(rng.integers(max(0, n - length) + 1))
    return start, min(n, start + length)
