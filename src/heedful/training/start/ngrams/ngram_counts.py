"""The n-grams of texts as a sparse matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from heedful.data.input_spec import NGRAM_COUNTS, NGRAMS

IDF, RATIO = "idf", "ratio"  # how n-grams are scaled
BLOCK = 64  # texts whose rows are dense at a time
Floats = NDArray[np.float32]
Truth = NDArray[np.int64]


class NGramCounts:
    """The n-grams of texts as a sparse matrix (text, n-gram)."""

    def __init__(self, arrays: Sequence[Mapping[str, NDArray[Any]]], n_ngrams: int) -> None:
        self.n_ngrams = n_ngrams
        self._sizes = np.array([len(each[NGRAMS]) for each in arrays], dtype=np.int64)
        self._ids = np.concatenate([each[NGRAMS] for each in arrays] or [np.zeros(0, dtype=np.int64)])
        self._counts = np.concatenate([each[NGRAM_COUNTS] for each in arrays] or [np.zeros(0, dtype=np.float32)])

    def __len__(self) -> int:
        return len(self._sizes)

    def at(self, rows: NDArray[np.bool_]) -> NGramCounts:
        """Return some of the texts."""
        part = object.__new__(NGramCounts)
        cells = np.repeat(rows, self._sizes)
        part.n_ngrams, part._sizes = self.n_ngrams, self._sizes[rows]
        part._ids, part._counts = self._ids[cells], self._counts[cells]
        return part

    def scale_of(self, truth: Truth, n_classes: int, kind: str, *, fewest: int = 1) -> Floats:
        """Return the scale of each n-gram: idf, or idf times the mean size of its log-odds ratio over the labels.

        It is 0 for n-grams of fewer texts than `fewest`.
        """
        with_label = np.bincount(
            np.repeat(truth, self._sizes) * self.n_ngrams + self._ids, minlength=n_classes * self.n_ngrams
        ).reshape(n_classes, self.n_ngrams)
        kept = with_label.sum(axis=0) >= fewest
        total = with_label.sum(axis=0)[kept]
        scale = np.zeros(self.n_ngrams, dtype=np.float32)
        scale[kept] = np.log((1 + len(self)) / (1 + total)) + 1
        if kind == RATIO:
            scale[kept] *= _mean_log_ratio(with_label[:, kept], total)
        return scale

    def scaled(self, scale: Floats, places: NDArray[np.int64] | None = None) -> SparseMatrix:
        """Return the rows of the matrix, scaled to length 1; `places` are the columns of the n-grams, if not all."""
        kept = scale[self._ids] > 0
        ids, rows = self._ids[kept], np.repeat(np.arange(len(self)), self._sizes)[kept]
        values = self._counts[kept] * scale[ids]
        lengths = np.sqrt(np.bincount(rows, weights=values.astype(np.float64) ** 2, minlength=len(self)))
        values = (values / np.maximum(lengths, 1e-12)[rows]).astype(np.float32)
        n_columns = self.n_ngrams if places is None else int(places.max(initial=-1)) + 1
        return SparseMatrix(rows, ids if places is None else places[ids], values, (len(self), n_columns))

    def products(self, others: NGramCounts, scale: Floats) -> Tensor:
        """Return the inner products (text, other text) of the scaled rows."""
        used = scale.nonzero()[0]
        places = np.zeros(len(scale), dtype=np.int64)
        places[used] = np.arange(len(used))
        own, columns = self.scaled(scale, places), others.scaled(scale, places)
        products = torch.zeros(len(self), len(others))
        for start in range(0, len(others), BLOCK):
            end = min(start + BLOCK, len(others))
            one_hot = torch.zeros(len(others), end - start)
            one_hot[start:end] = torch.eye(end - start)
            products[:, start:end] = own.times(columns.transposed_times(one_hot))
        return products


def _mean_log_ratio(with_label: NDArray[np.int64], total: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the mean over labels of |log P(n-gram | label) / P(n-gram | other labels)|, scaled to a mean of 1."""
    ratio = np.zeros(len(total))
    n = len(total)
    for own in with_label:
        others = total - own
        ratio += np.abs(np.log((own + 1) / (own.sum() + n)) - np.log((others + 1) / (others.sum() + n)))
    return np.asarray(ratio / max(ratio.mean(), 1e-12))


class SparseMatrix:
    """A sparse matrix and its transpose."""

    def __init__(
        self, rows: NDArray[np.int64], columns: NDArray[np.int64], values: Floats, shape: tuple[int, int]
    ) -> None:
        self.shape = shape
        order = np.argsort(columns, kind="stable")
        self._by_row = _Bags(rows, columns, values, shape[0])
        self._by_column = _Bags(columns[order], rows[order], values[order], shape[1])

    def times(self, weight: Tensor) -> Tensor:
        """Return (row, class) for weights (column, class)."""
        return self._by_row.sums(weight)

    def transposed_times(self, slopes: Tensor) -> Tensor:
        """Return (column, class) for slopes (row, class)."""
        return self._by_column.sums(slopes)


class _Bags:
    """Cells by rows. `embedding_bag` sums them in half the time of torch's sparse matrices."""

    def __init__(self, rows: NDArray[np.int64], columns: NDArray[np.int64], values: Floats, n_rows: int) -> None:
        starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n_rows))])
        self._starts, self._columns = torch.from_numpy(starts), torch.from_numpy(columns)
        self._values = torch.from_numpy(values)

    def sums(self, table: Tensor) -> Tensor:
        """Return the sum of the table's rows in each bag, by their values."""
        return torch.nn.functional.embedding_bag(
            self._columns, table, self._starts, mode="sum", per_sample_weights=self._values, include_last_offset=True
        )
