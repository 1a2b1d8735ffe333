"""Running sums for each form and label, and a sample of values, in bounded memory."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heedful.explain.words.occurrences import Key, Occurrences
from heedful.explain.words.text_parts import Values

MOST_FORMS = 100_000
MOST_CELLS = 2_000_000  # forms × labels
MOST_KEPT = 200  # texts of a form whose values are kept
MOST_VALUES = 8_000_000  # values kept in all: beyond this, each form keeps half as many

SUMS = {"counts": np.int32, "texts": np.int32, "means": np.float64, "squares": np.float64}
TALLIES = {"predicted": np.int32, "decided": np.int32}


class InTexts(NamedTuple):
    """The forms of a batch of texts, once for each text."""

    rows: NDArray[np.int64]  # (pair,): of the table
    texts: NDArray[np.int64]  # (pair,): index in the batch
    sums: Values  # (pair, label): contributions to all labels, summed over the occurrences in the text


@dataclass(slots=True)
class Sample:
    """A random sample of the texts of a form."""

    n_seen: int
    texts: array[int]
    values: array[float]  # for each text, the mean contribution to each label; NaN where it does not count


class FormTable:
    """Forms with running sums over texts (form, label), for some labels of a model: `columns` of its contributions.

    Beyond the limit the rarer half is dropped.
    """

    def __init__(self, columns: Sequence[int], *, seed: int = 0, limit: int = MOST_FORMS) -> None:
        n_labels = len(columns)
        self.columns = list(columns)
        self.limit = max(2, min(limit, MOST_CELLS // n_labels))
        self.rows: dict[Key, int] = {}
        self.n_forgotten = 0
        self._n_labels, self._rng = n_labels, random.Random(seed)
        self._arrays = {name: np.zeros((0, n_labels), dtype=dtype) for name, dtype in (SUMS | TALLIES).items()}
        self._samples: list[Sample] = []
        self._n_values, self._most_kept = 0, MOST_KEPT

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return running sums (form, label): of SUMS or TALLIES."""
        return self._arrays[name][: len(self.rows)]

    def add(self, batch: Sequence[Occurrences], indexes: Sequence[int]) -> InTexts:
        """Add the occurrences of some texts, whose indexes in the corpus are given."""
        if len(self.rows) > self.limit:
            self._drop_rare()
        keys = [key for text in batch for key in text.keys]
        rows = np.array([self.rows.setdefault(key, len(self.rows)) for key in keys], dtype=np.int64)
        texts = np.repeat(np.arange(len(batch)), [len(text.keys) for text in batch])
        self._grow()
        if not keys:
            return InTexts(rows, texts, np.zeros((0, 0)))
        counted = np.concatenate([text.counts for text in batch])
        values = np.where(counted, np.concatenate([text.values for text in batch]), 0.0)
        pairs = texts * len(self.rows) + rows
        order = np.argsort(pairs, kind="stable")
        unique, starts = np.unique(pairs[order], return_index=True)
        counts = np.add.reduceat(counted[order].astype(np.int32), starts, axis=0)
        sums = np.add.reduceat(values[order], starts, axis=0)
        found = InTexts(unique % len(self.rows), unique // len(self.rows), sums)
        self._add_sums(found, counts[:, self.columns], [indexes[i] for i in found.texts])
        return found

    def _add_sums(self, found: InTexts, counts: NDArray[np.int32], indexes: Sequence[int]) -> None:
        means = found.sums[:, self.columns] / np.maximum(counts, 1)  # (pair, label)
        for name, added in (("counts", counts), ("texts", counts > 0), ("means", means), ("squares", means**2)):
            self.tally(name, found.rows, added)
        values = np.where(counts > 0, means, np.nan).astype(np.float32)
        for row, index, of_labels in zip(found.rows.tolist(), indexes, values, strict=True):
            self._keep(self._samples[row], index, of_labels)
        if self._n_values > MOST_VALUES:
            self._halve_samples()

    def tally(self, name: str, rows: NDArray[np.int64], added: NDArray[Any]) -> None:
        """Add to running sums (pair, label) of these rows."""
        np.add.at(self._arrays[name], rows, added.astype(self._arrays[name].dtype))

    def sample(self, row: int, label: int) -> tuple[NDArray[np.int64], Values]:
        """Return sampled texts in which a form counts for a label: their indexes, and the mean contributions."""
        kept = self._samples[row]
        values = np.array(kept.values, dtype=np.float64).reshape(-1, self._n_labels)[:, label]
        is_counted = ~np.isnan(values)
        return np.array(kept.texts, dtype=np.int64)[is_counted], values[is_counted]

    def _keep(self, sample: Sample, index: int, values: NDArray[np.float32]) -> None:
        """Keep a text by reservoir sampling."""
        sample.n_seen += 1
        if len(sample.texts) < self._most_kept:
            sample.texts.append(index)
            sample.values.frombytes(values.tobytes())
            self._n_values += self._n_labels
        elif (place := self._rng.randrange(sample.n_seen)) < self._most_kept:
            sample.texts[place] = index
            at = place * self._n_labels
            sample.values[at : at + self._n_labels] = array("f", values.tobytes())

    def _halve_samples(self) -> None:
        self._most_kept = max(1, self._most_kept // 2)
        self._samples = [self._fewer(sample) for sample in self._samples]
        self._n_values = sum(len(sample.values) for sample in self._samples)

    def _fewer(self, sample: Sample) -> Sample:
        if len(sample.texts) <= self._most_kept:
            return sample
        kept = self._rng.sample(range(len(sample.texts)), self._most_kept)
        values = np.array(sample.values, dtype=np.float32).reshape(-1, self._n_labels)[kept]
        return Sample(sample.n_seen, array("q", [sample.texts[i] for i in kept]), array("f", values.tobytes()))

    def _grow(self) -> None:
        self._samples += [Sample(0, array("q"), array("f")) for _ in range(len(self.rows) - len(self._samples))]
        have = len(self._arrays["counts"])
        if len(self.rows) > have:
            more = max(256, 2 * len(self.rows)) - have
            self._arrays = {
                name: np.concatenate([values, np.zeros((more, self._n_labels), dtype=values.dtype)])
                for name, values in self._arrays.items()
            }

    def _drop_rare(self) -> None:
        frequency = self["texts"].max(axis=1)
        kept = np.sort(np.argsort(-frequency, kind="stable")[: self.limit // 2])
        keys = list(self.rows)
        self.n_forgotten += len(keys) - len(kept)
        self.rows = {keys[row]: i for i, row in enumerate(kept)}
        self._arrays = {name: values[kept] for name, values in self._arrays.items()}
        self._samples = [self._samples[row] for row in kept]
        self._n_values = sum(len(sample.values) for sample in self._samples)
