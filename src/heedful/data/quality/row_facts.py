"""Rows that are empty, cut off, mis-encoded, in another language, or of extreme length."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from heedful.data.quality.languages import language_of
from heedful.data.quality.mojibake import has_markup, is_misread

MOST_KEPT = 200  # rows of a kind whose numbers are kept
MAIN = 0.8  # share of the rows in one language from which others are mentioned
FEWEST_CUT, TIMES = 5, 5.0  # rows of exactly the greatest length, and how many times more than of lengths just below
LONG_TEXT = 40  # characters: shorter texts have few different lengths, and no limit shows in them
ENDING = 8  # characters: texts that are cut off end in different ways, most in the middle of a sentence
ENDS = (".", "!", "?", "…", "。", "！", "？", '"', "”", ")")
FAR = 3.0  # interquartile ranges of the log of the length
LEAST_TIMES = 4.0  # a long text is at least so many times as long as the median


@dataclass(frozen=True)
class RowFault:
    """Rows with a fault of one kind. Rows are numbered from 0, and only the first are listed."""

    kind: str  # empty, no words, unlabelled, misread, markup, language, cut, short, long
    n: int
    rows: tuple[int, ...]
    detail: str = ""


@dataclass
class RowFacts:
    """Counts of faulty rows, taken row by row."""

    n: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    rows: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    lengths: array[int] = field(default_factory=lambda: array("l"))
    languages: Counter[str] = field(default_factory=Counter)
    by_language: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    longest: int = 0
    endings: list[str] = field(default_factory=list)  # of the longest texts

    def add(self, text: str, *, has_label: bool = True) -> None:
        """Take the text of the next row."""
        row = self.n
        self.n += 1
        stripped = text.strip()
        self.lengths.append(len(stripped))
        if not has_label:
            self._note("unlabelled", row)
        if not stripped:
            self._note("empty", row)
            return
        if not any(map(str.isalnum, stripped[:1_000])):
            self._note("no words", row)
        if is_misread(text):
            self._note("misread", row)
        if has_markup(text):
            self._note("markup", row)
        self._note_ending(stripped)
        language = language_of(stripped)
        self.languages[language] += 1
        if language and len(kept := self.by_language[language]) < MOST_KEPT:
            kept.append(row)

    def _note_ending(self, text: str) -> None:
        if len(text) > self.longest:
            self.longest, self.endings = len(text), []
        if len(text) == self.longest and len(self.endings) < MOST_KEPT:
            self.endings.append(text[-ENDING:])

    def _note(self, kind: str, row: int) -> None:
        self.counts[kind] += 1
        if len(self.rows[kind]) < MOST_KEPT:
            self.rows[kind].append(row)

    def faults(self) -> tuple[RowFault, ...]:
        """Return the faults of all rows."""
        noted = [
            RowFault(kind, self.counts[kind], tuple(self.rows[kind]))
            for kind in ("unlabelled", "empty", "no words", "misread", "markup")
            if self.counts[kind]
        ]
        lengths = np.frombuffer(self.lengths, dtype=np.dtype("l")) if self.n else np.zeros(0, dtype=np.int64)
        return (*noted, *self._other_languages(), *_cut(lengths, self.endings), *_extreme(lengths))

    def _other_languages(self) -> list[RowFault]:
        known = Counter({name: n for name, n in self.languages.items() if name})
        if not known:
            return []
        main, most = known.most_common(1)[0]
        others = {name: n for name, n in known.items() if name != main}
        if not others or most < MAIN * known.total():
            return []
        rows = sorted(row for name in others for row in self.by_language[name])[:MOST_KEPT]
        names = ", ".join(f"{name} {n:,}" for name, n in Counter(others).most_common(4))
        return [RowFault("language", sum(others.values()), tuple(rows), f"most rows: {main}; others: {names}")]


def _cut(lengths: NDArray[np.int64], endings: Sequence[str]) -> list[RowFault]:
    """Return the rows of exactly the greatest length, if far more have it than the lengths just below.

    They must also end in different ways, and few of them at the end of a sentence.
    """
    if not len(lengths) or lengths.max() < LONG_TEXT:
        return []
    longest = int(lengths.max())
    n = int((lengths == longest).sum())
    below = ((lengths >= longest - 10) & (lengths < longest)).sum() / 10
    if n < FEWEST_CUT or n < TIMES * max(1.0, float(below)):
        return []
    n_ended = sum(ending.endswith(ENDS) for ending in endings)
    if 2 * len(set(endings)) < len(endings) or 2 * n_ended > len(endings):
        return []
    rows = np.flatnonzero(lengths == longest)[:MOST_KEPT]
    return [RowFault("cut", n, tuple(rows.tolist()), f"exactly {longest:,} characters")]


def _extreme(lengths: NDArray[np.int64]) -> list[RowFault]:
    """Return the rows that are far longer, or shorter, than the others."""
    full = lengths[lengths > 0]
    if len(full) < 20:
        return []
    logs = np.log(full)
    low, middle, high = np.quantile(logs, [0.25, 0.5, 0.75])
    width = max(float(high - low), 0.2)
    most = max(np.exp(high + FAR * width), LEAST_TIMES * np.exp(middle))
    least = np.exp(low - FAR * width)
    usual = f"half of all rows have {np.exp(low):,.0f} to {np.exp(high):,.0f} characters"
    found = []
    for kind, chosen in (("long", lengths > most), ("short", (lengths > 0) & (lengths < least))):
        rows = np.flatnonzero(chosen)
        rows = rows[np.argsort(-lengths[rows] if kind == "long" else lengths[rows], kind="stable")]
        if len(rows):
            found.append(RowFault(kind, len(rows), tuple(rows[:MOST_KEPT].tolist()), usual))
    return found
