"""Features to batches: inputs of similar length are grouped to keep padding small."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.data.features import PAD, Features, Ids, Item, TextPair

POOL = 64  # batches whose texts are sorted together: large enough for little padding, small enough to stay random
CALL = 256  # padded tokens that cost as much as one more call, where torch runs the model; less in ONNX Runtime


@dataclass(frozen=True)
class Batch:
    """Padded arrays by ONNX input name, the true lengths, and the positions of the examples.

    In a batch of pairs all first inputs precede all second inputs: there are twice as many lengths as positions.
    """

    inputs: Mapping[str, NDArray[Any]]  # each (batch, time, …)
    lengths: NDArray[np.int64]  # (batch,)
    positions: NDArray[np.int64]  # (batch,) in the list of features

    @property
    def ids(self) -> NDArray[np.int64]:
        """Token ids of texts: (batch, time)."""
        return self.inputs["ids"]

    @property
    def time(self) -> int:
        """Length of the longest input, at least 1."""
        return int(next(iter(self.inputs.values())).shape[1])

    @property
    def cells(self) -> int:
        """Number of positions, padding included."""
        return len(self.lengths) * self.time

    @property
    def padding(self) -> float:
        """Share of the positions that is padding."""
        return 1.0 - float(self.lengths.sum()) / max(1, self.cells)


def feed(batch: Batch) -> dict[str, NDArray[Any]]:
    """Return the inputs of the ONNX graph for a batch."""
    return {**batch.inputs, "lengths": batch.lengths}


def pad(features: Sequence[Features], positions: Sequence[int] | NDArray[np.int64]) -> Batch:
    """Pad inputs of different lengths to one array with at least one position."""
    chosen = _flattened([features[i] for i in positions])
    lengths = np.array([len(features_of_row) for features_of_row in chosen], dtype=np.int64)
    return Batch(_padded(chosen, lengths), lengths, np.asarray(positions, dtype=np.int64))


def _flattened(chosen: Sequence[Features]) -> Sequence[Ids | Item]:
    if not chosen or not isinstance(chosen[0], TextPair):
        return chosen  # type: ignore[return-value]
    return [two.first for two in chosen] + [two.second for two in chosen]  # type: ignore[union-attr]


def _padded(chosen: Sequence[Ids | Item], lengths: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    if chosen and isinstance(chosen[0], Item):
        names = chosen[0].arrays
        return {name: _stacked([item.arrays[name] for item in chosen]) for name in names}  # type: ignore[union-attr]
    ids = np.full((len(chosen), max(1, int(lengths.max(initial=1)))), PAD, dtype=np.int64)  # (batch, time)
    if chosen:
        ids[np.arange(ids.shape[1]) < lengths[:, None]] = np.concatenate(chosen)  # type: ignore[arg-type]
    return {"ids": ids}


def _stacked(arrays: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Stack arrays of different shapes, padded with zeros at the end of each axis."""
    dtype = np.int64 if arrays[0].dtype.kind in "iu" else np.float32
    if len(arrays) == 1 and len(arrays[0]):
        return arrays[0][None].astype(dtype)
    shape = np.max([array.shape for array in arrays], axis=0)
    shape[0] = max(1, shape[0])
    stacked = np.zeros((len(arrays), *shape), dtype=dtype)
    for i, array in enumerate(arrays):
        stacked[i][tuple(slice(n) for n in array.shape)] = array
    return stacked


def training_batches(
    features: Sequence[Features], *, batch_size: int, seed: int, epoch: int
) -> list[NDArray[np.int64]]:
    """Return the positions of each batch of an epoch, determined by the seed and the epoch.

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

    A batch ends before a longer text if padding the batch to that length would cost more than a call (`call` tokens).
    """
    order = sorted(range(len(features)), key=lambda i: len(features[i]))
    lengths = [max(1, len(features[i])) for i in order]  # an empty text takes one position
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
