"""Builds the hop atlas from running sums over texts, in bounded memory."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.explain.attention.model_input import read
from heedful.explain.hops.atlas import Hop, HopAtlas, HopLabel, HopWord, LabelKind, Shares, state_of
from heedful.explain.hops.hop_text import ReadText, by_kind, read_text, sighting
from heedful.explain.hops.hop_words import Places, WordTable, map_of, strongest
from heedful.runtime.model import Model

CHUNK = 1024  # texts: enough to sort by length into full batches
MOST_LABELS = 50
OTHER_LABELS = "(other labels)"

Array = NDArray[np.float64]


def hop_atlas(
    model: Model,
    texts: Iterable[str],
    labels: Iterable[str | None] | None = None,
    *,
    words: int = 8,
    file: str | Path = "",
    on_progress: Callable[[int], None] = lambda _: None,
) -> HopAtlas:
    """Build the hop atlas of texts, by true label if labels are given, else by predicted label."""
    if words < 1:
        raise HeedfulError(f"words is {words}, expected at least 1")
    kind: LabelKind = "true" if labels is not None else "predicted" if model.answer else "none"
    if not model.facts.n_hops:
        raise HeedfulError(f"{model.path.name} has no hops to describe: use `heedful explain` instead")
    sums = HopSums(model.facts.n_hops)
    pairs = zip(texts, itertools.repeat(None) if labels is None else labels, strict=labels is not None)
    done = 0
    while chunk := list(itertools.islice(pairs, CHUNK)):
        for batch in _read(model, chunk, kind):
            sums.add([text for text in batch if text.words])
            done += len(batch)
            on_progress(done)
    if not sums.n_texts:
        raise HeedfulError(f"{file or 'texts'}: the {done:,} texts have no words")
    return sums.atlas(words, model=model, file=Path(file).name, labels_are=kind)


def _read(model: Model, chunk: Sequence[tuple[str, str | None]], kind: LabelKind) -> Iterator[list[ReadText]]:
    """Yield the texts of each batch with their weights."""
    readings = [read(model, text) for text, _ in chunk]
    outputs = ("weights", "scores") if kind == "predicted" else ("weights",)
    for batch, (weights, *scores) in model.run([reading.features for reading in readings], outputs):
        labels = [model.labels[k] for k in scores[0].argmax(1)] if scores else [chunk[i][1] for i in batch.positions]
        yield [
            read_text(readings[i], weights[row, :, : batch.lengths[row]], labels[row])
            for row, i in enumerate(batch.positions)
        ]


class Means:
    """Sums of arrays by name, each with its own count."""

    def __init__(self) -> None:
        self._sums: dict[str, tuple[Array, int]] = {}

    def add(self, name: str, value: Array) -> None:
        """Add a value."""
        total, n = self._sums.get(name, (np.zeros_like(value), 0))
        self._sums[name] = (total + value, n + 1)

    def get(self, name: str) -> Array | None:
        """Return the mean, or None if nothing was added."""
        total, n = self._sums.get(name, (None, 0))
        return None if total is None else np.asarray(total / n)

    def count(self, name: str) -> int:
        """Return the number of values."""
        return self._sums.get(name, (None, 0))[1]


class HopSums:
    """Running sums over texts."""

    def __init__(self, n_hops: int) -> None:
        self.n_texts = self.n_words = 0
        self._n_hops = n_hops
        self._words = WordTable[str](n_hops)
        self._label_words = WordTable[tuple[str, str]](n_hops)
        self._places, self._unknown = Places(n_hops), set[str]()
        self._means = Means()
        self._by_label: dict[str, Means] = {}

    def add(self, texts: Sequence[ReadText]) -> None:
        """Add texts that have words."""
        if not texts:
            return
        for text in texts:
            self._add_text(text)
        weights, lifts = np.concatenate([t.weights for t in texts]), np.concatenate([t.lifts for t in texts])
        forms = [form for text in texts for form in text.forms]
        rows = self._words.add(forms, weights, lifts)
        self._add_unknown(texts)
        self._add_by_label(texts, forms, weights, lifts)
        spots = [(text, i) for text in texts for i in range(len(text.words))]
        for at, hop in self._places.wanted(self._words, rows, lifts):
            text, i = spots[at]
            if self._places.has_room(hop, text.forms[i], float(text.weights[i, hop])):
                self._places.add(hop, text.forms[i], sighting(text, i, hop))
        self._places.trim(self._words)

    def _add_text(self, text: ReadText) -> None:
        n = len(text.words)
        self.n_texts, self.n_words = self.n_texts + 1, self.n_words + n
        both = np.concatenate([text.weights, text.even[:, None]], axis=1)  # (word, hop + 1): the last is uniform
        self._means.add("kinds", by_kind(text.words) @ both)
        if n >= 2:  # with one word, all hops are the same
            unit = text.weights / np.maximum(np.linalg.norm(text.weights, axis=0), 1e-12)
            self._means.add("likeness", unit.T @ unit)
            self._means.add("entropy", text.entropy)
            self._means.add("evenness", text.evenness)
        if n >= 3:
            self._means.add("ends", both[[0, -1]])

    def _add_unknown(self, texts: Sequence[ReadText]) -> None:
        self._unknown.update(f for t in texts for f, w in zip(t.forms, t.words, strict=True) if not w.is_known)
        if len(self._unknown) > self._words.limit:
            self._unknown &= self._words.rows.keys()

    def _add_by_label(self, texts: Sequence[ReadText], forms: Sequence[str], weights: Array, lifts: Array) -> None:
        labels = [self._label(text) for text in texts]
        for text, label in zip(texts, labels, strict=True):
            if label is not None:
                self._by_label[label].add("texts", np.ones(1))
                if len(text.words) >= 2:
                    self._by_label[label].add("entropy", text.entropy)
        of_words = [label for text, label in zip(texts, labels, strict=True) for _ in text.words]
        has = np.array([label is not None for label in of_words])
        keys = [(label, form) for label, form in zip(of_words, forms, strict=True) if label is not None]
        self._label_words.add(keys, weights[has], lifts[has])

    def _label(self, text: ReadText) -> str | None:
        """Return the label that a text is counted under; beyond MOST_LABELS, new labels are merged."""
        if text.label is None or text.label in self._by_label:
            return text.label
        label = text.label if len(self._by_label) < MOST_LABELS else OTHER_LABELS
        self._by_label.setdefault(label, Means())
        return label

    def atlas(self, most: int, *, model: Model, file: str, labels_are: LabelKind) -> HopAtlas:
        """Return the atlas."""
        words = strongest(self._words, most, among=self._words.rows, unknown=self._unknown)
        by_label = self._labels(most)
        likeness = self._means.get("likeness")
        hops = tuple(
            self._hop(i, words[i], [labels_of_hops[i] for labels_of_hops in by_label]) for i in range(self._n_hops)
        )
        map_words, lifts = map_of(self._words, [h.number - 1 for h in hops if not h.is_dead] or range(len(hops)))
        return HopAtlas(
            model=model.path.name,
            file=file,
            task=model.config.task,
            n_texts=self.n_texts,
            n_words=self.n_words,
            labels_are=labels_are if by_label else "none",
            hops=hops,
            even=self._shares(-1),
            likeness=np.eye(self._n_hops) if likeness is None else likeness,
            map_words=map_words,
            map=lifts,
            n_forgotten=self._words.n_forgotten,
        )

    def _hop(self, i: int, words: Sequence[HopWord], by_label: Sequence[HopLabel]) -> Hop:
        spread, evenness = self._means.get("entropy"), self._means.get("evenness")
        shares = self._shares(i)
        return Hop(
            number=i + 1,
            entropy=None if spread is None else float(spread[i]),
            state=state_of(None if evenness is None else float(evenness[i]), shares),
            shares=shares,
            words=tuple(dataclasses.replace(word, places=self._places.of(i, word.word)) for word in words),
            by_label=tuple(by_label),
        )

    def _shares(self, hop: int) -> Shares:
        kinds, ends = self._means.get("kinds"), self._means.get("ends")
        words, marks, unknown = kinds[:, hop].tolist() if kinds is not None else (0.0, 0.0, 0.0)
        first, last = ends[:, hop].tolist() if ends is not None else (None, None)
        return Shares(words, marks, unknown, first, last)

    def _labels(self, most: int) -> list[list[HopLabel]]:
        """Return the words of each hop for each label, most frequent label first."""
        rows: dict[str, dict[str, int]] = {label: {} for label in self._by_label}
        for (label, form), row in self._label_words.rows.items():
            rows[label][form] = row
        order = sorted(self._by_label, key=lambda label: -self._by_label[label].count("texts"))
        return [self._label_of_hops(label, rows[label], most) for label in order]

    def _label_of_hops(self, label: str, rows: Mapping[str, int], most: int) -> list[HopLabel]:
        means, spread = self._by_label[label], self._by_label[label].get("entropy")
        words = strongest(self._label_words, most, among=rows, unknown=self._unknown)
        return [
            HopLabel(label, means.count("texts"), None if spread is None else float(spread[i]), tuple(words[i]))
            for i in range(self._n_hops)
        ]
