"""Features to batches: texts of like length together, so that little is padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heedful.data.featurise import Ids
from heedful.data.vocab import PAD

POOL = 64  # batches whose texts are sorted together: large enough for little padding, small enough to stay random


@dataclass(frozen=True)
class Batch:
    """Padded ids, the true lengths, and which examples these are."""

    ids: NDArray[np.int64]  # (batch, time)
    lengths: NDArray[np.int64]  # (batch,)
    positions: NDArray[np.int64]  # (batch,) in the list that the batch was made from

    @property
    def padding(self) -> float:
        """The share of `ids` that is padding."""
        return 1.0 - float(self.lengths.sum()) / max(1, self.ids.size)


def pad(features: Sequence[Ids], positions: Sequence[int] | NDArray[np.int64]) -> Batch:
    """Put texts of different lengths into one array, at least one token wide."""
    chosen = [features[i] for i in positions]
    lengths = np.array([len(one) for one in chosen], dtype=np.int64)
    ids = np.full((len(chosen), max(1, int(lengths.max(initial=1)))), PAD, dtype=np.int64)  # (batch, time)
    if chosen:
        ids[np.arange(ids.shape[1]) < lengths[:, None]] = np.concatenate(chosen)
    return Batch(ids, lengths, np.asarray(positions, dtype=np.int64))


def training_batches(features: Sequence[Ids], *, batch_size: int, seed: int, epoch: int) -> list[NDArray[np.int64]]:
    """Return the positions of each batch of an epoch: the same for the same seed and epoch, else different.

    Texts are shuffled, cut into pools, sorted by length within each pool, and the batches shuffled again.
    """
    rng = np.random.default_rng([seed, epoch, 0xBA7C4])
    lengths = np.array([len(ids) for ids in features])
    order = rng.permutation(len(features))
    batches: list[NDArray[np.int64]] = []
    for start in range(0, len(order), batch_size * POOL):
        pool = order[start : start + batch_size * POOL]
        pool = pool[np.argsort(lengths[pool], kind="stable")]
        batches += [pool[i : i + batch_size] for i in range(0, len(pool), batch_size)]
    return [batches[i] for i in rng.permutation(len(batches))]


def ordered_batches(features: Sequence[Ids], *, max_texts: int, max_cells: int) -> Iterator[Batch]:
    """Yield batches for running a model, shortest texts first, at most `max_cells` padded tokens in each."""
    order = sorted(range(len(features)), key=lambda i: len(features[i]))
    start = 0
    while start < len(order):
        end = start + 1
        while (
            end < len(order) and end - start < max_texts and _cells(features[order[end]], end - start + 1) <= max_cells
        ):
            end += 1
        yield pad(features, order[start:end])
        start = end


def _cells(longest: Ids, n_texts: int) -> int:
    """Return how many padded tokens a batch has; an empty text takes one."""
    return max(1, len(longest)) * n_texts
