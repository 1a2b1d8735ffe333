"""Features to batches: inputs of like length together, so that little is padding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.data.features import PAD, Features, Ids, Item, Two

POOL = 64  # batches whose texts are sorted together: large enough for little padding, small enough to stay random
CALL = 256  # padded tokens that cost as much as one more call, where torch runs the model; less in ONNX Runtime


@dataclass(frozen=True)
class Batch:
    """Padded arrays by the names of the graph's inputs, the true lengths, and which examples these are.

    Of pairs, the first of all come before the second of all: twice as many lengths as positions.
    """

    inputs: Mapping[str, NDArray[Any]]  # each (batch, time, …)
    lengths: NDArray[np.int64]  # (batch,)
    positions: NDArray[np.int64]  # (batch,) in the list that the batch was made from

    @property
    def ids(self) -> NDArray[np.int64]:
        """The tokens of texts: (batch, time)."""
        return self.inputs["ids"]

    @property
    def time(self) -> int:
        """How long the longest is, at least 1."""
        return int(next(iter(self.inputs.values())).shape[1])

    @property
    def cells(self) -> int:
        """How many places there are, with those that are padding."""
        return len(self.lengths) * self.time

    @property
    def padding(self) -> float:
        """The share of places that is padding."""
        return 1.0 - float(self.lengths.sum()) / max(1, self.cells)


def feed(batch: Batch) -> dict[str, NDArray[Any]]:
    """Return a batch as a graph takes it."""
    return {**batch.inputs, "lengths": batch.lengths}


def pad(features: Sequence[Features], positions: Sequence[int] | NDArray[np.int64]) -> Batch:
    """Put inputs of different lengths into one array, at least one place long."""
    chosen = _in_a_row([features[i] for i in positions])
    lengths = np.array([len(one) for one in chosen], dtype=np.int64)
    return Batch(_padded(chosen, lengths), lengths, np.asarray(positions, dtype=np.int64))


def _in_a_row(chosen: Sequence[Features]) -> Sequence[Ids | Item]:
    if not chosen or not isinstance(chosen[0], Two):
        return chosen  # type: ignore[return-value]
    return [two.first for two in chosen] + [two.second for two in chosen]  # type: ignore[union-attr]


def _padded(chosen: Sequence[Ids | Item], lengths: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    if chosen and isinstance(chosen[0], Item):
        names = chosen[0].arrays
        return {name: _stacked([one.arrays[name] for one in chosen]) for name in names}  # type: ignore[union-attr]
    ids = np.full((len(chosen), max(1, int(lengths.max(initial=1)))), PAD, dtype=np.int64)  # (batch, time)
    if chosen:
        ids[np.arange(ids.shape[1]) < lengths[:, None]] = np.concatenate(chosen)  # type: ignore[arg-type]
    return {"ids": ids}


def _stacked(arrays: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Put arrays into one, with zeros after the end of each axis."""
    shape = np.max([array.shape for array in arrays], axis=0)
    shape[0] = max(1, shape[0])
    kind = np.int64 if arrays[0].dtype.kind in "iu" else np.float32
    found = np.zeros((len(arrays), *shape), dtype=kind)
    for i, array in enumerate(arrays):
        found[i][tuple(slice(n) for n in array.shape)] = array
    return found


def training_batches(
    features: Sequence[Features], *, batch_size: int, seed: int, epoch: int
) -> list[NDArray[np.int64]]:
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


def ordered_batches(
    features: Sequence[Features], *, max_texts: int, max_cells: int, call: int = CALL
) -> Iterator[Batch]:
    """Yield batches for running a model, shortest texts first, at most `max_cells` padded tokens in each.

    A batch ends before a longer text where padding all of it to that length would cost more than a call: `call` tokens.
    """
    order = sorted(range(len(features)), key=lambda i: len(features[i]))
    lengths = [max(1, len(features[i])) for i in order]  # an empty text takes one place
    start = 0
    while start < len(order):
        end = start + 1
        while (
            end < len(order)
            and (n := end - start) < max_texts
            and lengths[end] * (n + 1) <= max_cells
            and (lengths[end] - lengths[end - 1]) * n < call
        ):
            end += 1
        yield pad(features, order[start:end])
        start = end
