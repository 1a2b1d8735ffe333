"""Running sums per word and hop, and the occurrences with the largest weights, in bounded memory."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from heedful.explain.hops.atlas import HopWord, Sighting

SEEN = 3  # minimum number of occurrences
PRIOR = 10.0  # pseudo-occurrences with lift 1, for shrinkage
STANDS_OUT = 1.1  # lift from which a hop attends to a word
MOST_WORDS = 200_000  # different words kept
MOST_CELLS = 4_000_000  # words × hops kept
MOST_READ = 400  # words of a hop whose occurrences are kept; beyond this, the better half stays
PLACES = 3  # for each word of a hop
MAP_WORDS = 40

Array = NDArray[np.float64]
Key = TypeVar("Key", bound=Hashable)


class WordTable(Generic[Key]):
    """Counts, weights and lifts of words, summed for each hop. Beyond the limit the rarer half is dropped."""

    def __init__(self, n_hops: int, *, limit: int = MOST_WORDS) -> None:
        self.limit = max(1, min(limit, MOST_CELLS // n_hops))
        self.rows: dict[Key, int] = {}
        self.n_forgotten = 0
        self._counts = np.zeros(0, dtype=np.int64)  # (word,)
        self._sums = np.zeros((0, 2, n_hops))  # (word, weight or lift, hop)

    def add(self, words: Sequence[Key], weights: Array, lifts: Array) -> NDArray[np.int64]:
        """Add occurrences (occurrence, hop); return the row of each."""
        if len(self.rows) > self.limit:
            self._drop_rare()
        rows = np.array([self.rows.setdefault(word, len(self.rows)) for word in words], dtype=np.int64)
        self._grow()
        order = np.argsort(rows, kind="stable")
        which, starts, counts = np.unique(rows[order], return_index=True, return_counts=True)
        if len(which):
            self._counts[which] += counts
            self._sums[which] += np.add.reduceat(np.stack([weights, lifts], axis=1)[order], starts, axis=0)
        return rows

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of occurrences of each word (word,)."""
        return self._counts[: len(self.rows)]

    def weight(self, row: int, hop: int) -> float:
        """Return a word's mean weight in a hop."""
        return float(self._sums[row, 0, hop] / self._counts[row])

    def lifts(self, rows: NDArray[np.int64] | slice = slice(None)) -> Array:
        """Return lifts (word, hop), shrunk to 1 for rare words."""
        counts = self.counts[rows]
        return np.asarray((self._sums[: len(self.rows), 1][rows] + PRIOR) / (counts[:, None] + PRIOR))

    def _grow(self) -> None:
        if len(self.rows) > len(self._counts):
            more = max(1024, len(self.rows)) * 2 - len(self._counts)
            self._counts = np.concatenate([self._counts, np.zeros(more, dtype=np.int64)])
            self._sums = np.concatenate([self._sums, np.zeros((more, *self._sums.shape[1:]))])

    def _drop_rare(self) -> None:
        kept = np.sort(np.argsort(-self.counts, kind="stable")[: max(1, self.limit // 2)])
        words = list(self.rows)
        self.n_forgotten += len(words) - len(kept)
        self.rows = {words[row]: i for i, row in enumerate(kept)}
        self._counts, self._sums = self._counts[kept], self._sums[kept]


class Places:
    """For each hop, the words it attends to and their occurrences with the largest weights."""

    def __init__(self, n_hops: int) -> None:
        self._kept: list[dict[str, list[Sighting]]] = [{} for _ in range(n_hops)]
        self._bar = np.full(n_hops, -np.inf)  # minimum lift of the strongest words

    def wanted(self, table: WordTable[str], rows: NDArray[np.int64], lifts: Array) -> Iterator[tuple[int, int]]:
        """Yield (occurrence, hop) of candidates to keep."""
        is_sure = np.expand_dims(table.counts[rows] >= SEEN, 1)
        is_strong = (is_sure & (table.lifts(rows) >= self._bar)) | np.isneginf(self._bar)
        occurrences, hops = np.nonzero((lifts > STANDS_OUT) & is_strong)
        yield from zip(occurrences.tolist(), hops.tolist(), strict=True)

    def has_room(self, hop: int, word: str, weight: float) -> bool:
        """Return whether an occurrence with this weight would be kept."""
        kept = self._kept[hop].get(word, [])
        return len(kept) < PLACES or weight > kept[-1].weight

    def add(self, hop: int, word: str, place: Sighting) -> None:
        """Keep an occurrence among the best of its word; equal contexts are kept once."""
        kept = self._kept[hop].setdefault(word, [])
        if all(place.text != other.text for other in kept):
            kept.append(place)
            kept.sort(key=lambda sighting: -sighting.weight)
            del kept[PLACES:]

    def of(self, hop: int, word: str) -> tuple[Sighting, ...]:
        """Return the occurrences of a word."""
        return tuple(self._kept[hop].get(word, ()))

    def trim(self, table: WordTable[str]) -> None:
        """If a hop has too many words, keep the better half; frequent words come first."""
        for hop, kept in enumerate(self._kept):
            if len(kept) > MOST_READ:
                self._trim(hop, table)

    def _trim(self, hop: int, table: WordTable[str]) -> None:
        words = [word for word in self._kept[hop] if word in table.rows]
        rows = np.array([table.rows[word] for word in words], dtype=np.int64)
        lifts, is_sure = table.lifts(rows)[:, hop], table.counts[rows] >= SEEN
        best = np.lexsort((-lifts, ~is_sure))[: MOST_READ // 2]
        self._kept[hop] = {words[i]: self._kept[hop][words[i]] for i in best}
        if len(best) == MOST_READ // 2 and is_sure[best].all():
            self._bar[hop] = lifts[best].min()


def strongest(
    table: WordTable[Any], most: int, *, among: Mapping[str, int], unknown: Container[str]
) -> list[list[HopWord]]:
    """Return the words with the highest lift in each hop; `among` maps the candidates to their rows."""
    words, rows = list(among), np.fromiter(among.values(), dtype=np.int64)
    lifts = np.where(table.counts[rows][:, None] >= SEEN, table.lifts(rows), 0.0)  # (word, hop)
    return [
        [
            HopWord(
                word=words[i],
                lift=float(lifts[i, hop]),
                weight=table.weight(int(rows[i]), hop),
                count=int(table.counts[rows[i]]),
                is_known=words[i] not in unknown,
            )
            for i in np.argsort(-lifts[:, hop], kind="stable")[:most]
            if lifts[i, hop] >= STANDS_OUT
        ]
        for hop in range(lifts.shape[1])
    ]


def map_of(table: WordTable[str], hops: Sequence[int], *, most: int = MAP_WORDS) -> tuple[tuple[str, ...], Array]:
    """Return the words that distinguish these hops, and their lifts in all hops (hop, word).

    The strongest word of each hop is chosen first, then the second of each, and so on; they are ordered by the hop that
    attends to them most.
    """
    lifts = np.where(table.counts[:, None] >= SEEN, table.lifts(), 0.0)  # (word, hop)
    chosen: dict[int, None] = {}
    for rank in np.argsort(-lifts[:, list(hops)], axis=0, kind="stable")[:most]:  # (hop,): a word of each
        best = sorted(zip(rank, hops, strict=True), key=lambda pair: -lifts[pair])
        chosen |= dict.fromkeys(int(row) for row, hop in best if lifts[row, hop] >= STANDS_OUT)
    rows = list(chosen)[:most]
    rows.sort(key=lambda row: (lifts[row, list(hops)].argmax(), -lifts[row].max()))
    words = list(table.rows)
    return tuple(words[row] for row in rows), np.asarray(table.lifts(np.array(rows, dtype=np.int64)).T)
