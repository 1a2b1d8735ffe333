"""The model a user holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import NDArray

from heedful.data.batch import Batch, ordered_batches, pad
from heedful.data.featurise import Ids
from heedful.data.surrogates import without_half_pairs
from heedful.errors import HeedfulError, ModelFolderError
from heedful.runtime.session import Session
from heedful.store.folder import Stored, read_folder

if TYPE_CHECKING:
    from heedful.explain.explanation import Explanation

Vectors = NDArray[np.float32]
MAX_CELLS = 16_384  # padded tokens in one call: bounds memory whatever the texts


class Model:
    """A trained model. Lists go in, results come out in the same order, whatever the batch size."""

    def __init__(self, stored: Stored, *, threads: int | None = None) -> None:
        self.path, self.config, self.facts, self.featuriser = (
            stored.path,
            stored.config,
            stored.facts,
            stored.featuriser,
        )
        self._session = Session(stored.graph, threads=threads)
        self._check_files_fit()

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of the columns of `predict_proba`."""
        return self.facts.labels

    @property
    def width(self) -> int:
        """How many numbers a vector has: hops × width of a row."""
        return self.facts.n_hops * self.facts.width

    @overload
    def predict(self, texts: str, *, batch_size: int = 64) -> str: ...  # type: ignore[overload-overlap]
    @overload
    def predict(self, texts: Iterable[str], *, batch_size: int = 64) -> list[str]: ...
    def predict(self, texts: str | Iterable[str], *, batch_size: int = 64) -> str | list[str]:
        """Return the label of each text."""
        if isinstance(texts, str):
            return self.predict([texts], batch_size=batch_size)[0]
        return [self.labels[i] for i in self.predict_proba(texts, batch_size=batch_size).argmax(1)]

    def predict_proba(self, texts: str | Iterable[str], *, batch_size: int = 64) -> Vectors:
        """Return probabilities (text, label); of one text, (label,)."""
        if isinstance(texts, str):
            return np.asarray(self.predict_proba([texts], batch_size=batch_size)[0])
        features = self._featurise(texts)
        scores = np.zeros((len(features), len(self.labels)), dtype=np.float32)
        for batch, (found,) in self.run(features, ("scores",), batch_size=batch_size):
            scores[batch.positions] = found
        return softmax(scores)

    def embed(self, texts: str | Iterable[str], *, batch_size: int = 64, normalise: bool = False) -> Vectors:
        """Return vectors (text, width), the rows of M side by side; of one text, (width,)."""
        if isinstance(texts, str):
            return np.asarray(self.embed([texts], batch_size=batch_size, normalise=normalise)[0])
        features = self._featurise(texts)
        vectors = np.zeros((len(features), self.width), dtype=np.float32)
        for batch, (rows,) in self.run(features, ("rows",), batch_size=batch_size):
            vectors[batch.positions] = rows.reshape(len(rows), -1)
        return _unit(vectors) if normalise else vectors

    encode = embed

    @overload
    def explain(self, texts: str, *, batch_size: int = 64) -> Explanation: ...  # type: ignore[overload-overlap]
    @overload
    def explain(self, texts: Iterable[str], *, batch_size: int = 64) -> list[Explanation]: ...
    def explain(self, texts: str | Iterable[str], *, batch_size: int = 64) -> Explanation | list[Explanation]:
        """Return what the model read in each text, and its answer."""
        from heedful.explain.attention import explain_texts

        if isinstance(texts, str):
            return explain_texts(self, [texts], batch_size=batch_size)[0]
        return explain_texts(self, list(texts), batch_size=batch_size)

    def run(
        self, features: Sequence[Ids], outputs: Sequence[str], *, batch_size: int = 64
    ) -> Iterator[tuple[Batch, list[Vectors]]]:
        """Yield each batch with its outputs; `batch.positions` says which texts it holds."""
        if batch_size < 1:
            raise HeedfulError(f"batch_size is {batch_size}, expected at least 1")
        for batch in ordered_batches(features, max_texts=batch_size, max_cells=MAX_CELLS):
            yield batch, self._session.run(batch, outputs)

    def _check_files_fit(self) -> None:
        """Run one token, the last of the vocab, so that a graph from another model is found now and not midway."""
        known = self.facts.data.get("known_tokens", len(self.featuriser))
        if known != len(self.featuriser):
            raise ModelFolderError(
                f"{self.path}: the vocab has {len(self.featuriser):,} tokens, facts.json says {known:,}"
            )
        last = np.array([len(self.featuriser) - 1], dtype=np.int32)
        expected = [(1, len(self.labels)), (1, self.facts.n_hops, self.facts.width), (1, self.facts.n_hops, 1)]
        try:
            found = [array.shape for array in self._session.run(pad([last], [0]), ("scores", "rows", "weights"))]
        except Exception as error:  # the library has no common class for what it raises
            raise ModelFolderError(f"{self.path}: model.onnx does not fit the vocab: {error}") from None
        if found != expected:
            raise ModelFolderError(f"{self.path}: model.onnx gives {found}, expected {expected} by facts.json")

    def _featurise(self, texts: Iterable[str]) -> list[Ids]:
        if not isinstance(texts, Iterable):
            raise HeedfulError(f"found {type(texts).__name__}, expected a text or a list of texts")
        return [self.featuriser.ids(checked_text(text)) for text in texts]

    def __repr__(self) -> str:
        settings = self.config.model
        return (
            f"<heedful model {self.path.name}: {settings.encoder}, {self.facts.n_hops} hops, {len(self.labels)} labels>"
        )


def load(folder: str | Path, *, threads: int | None = None) -> Model:
    """Load a model folder. Nothing in it is run as code."""
    return Model(read_folder(folder), threads=threads)


def checked_text(text: object) -> str:
    """Return the text, or say what was given instead. Half a surrogate pair, which no file can hold, becomes U+FFFD."""
    if not isinstance(text, str):
        raise HeedfulError(f"found {type(text).__name__} {text!r:.60}, expected a text (str)")
    return without_half_pairs(text)


def softmax(scores: Vectors) -> Vectors:
    """Return exp(scores), scaled to sum to 1 in each row."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), dtype=np.float32)


def _unit(vectors: Vectors) -> Vectors:
    """Scale each vector to length 1; a zero vector stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)
