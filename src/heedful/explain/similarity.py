"""Explanation of the similarity of two texts as an exact sum over pairs of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import Word
from heedful.explain.attention.model_input import read_with_special
from heedful.explain.shown import Forms, Shown
from heedful.runtime.checked_inputs import checked_text
from heedful.runtime.model import Model
from heedful.tasks.task import SIMILARITY

Floats = NDArray[np.float32]
Parts = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Similarity(Shown):
    """The cosine similarity of two texts, and the contribution of each pair of words.

    Attributes:
        score: the cosine.
        texts: the two texts.
        words: the words of each, with their positions in the text.
        matrix: contributions (word of the first, word of the second); their sum is the score.

    Example:
        >>> similarity = encoder.similarity("a cat on the sofa", "a kitten on the couch")
        >>> bool(abs(similarity.matrix.sum() - similarity.score) < 1e-6)
        True
    """

    FORMS = Forms(
        page="heedful.show.similarity.page:similar_page",
        fragment="heedful.show.similarity.page:similar_fragment",
        plain="heedful.show.similarity.terminal:plain_similarity",
    )

    score: float
    texts: tuple[str, str]
    words: tuple[tuple[Word, ...], tuple[Word, ...]]
    matrix: NDArray[np.float64]

    def top(self, n: int = 5) -> list[tuple[str, str, float]]:
        """Return the pairs of words with the largest contributions.

        Args:
            n: number of pairs.

        Returns:
            For each pair the word of the first text, the word of the second, and the contribution.

        Example:
            >>> encoder.similarity("a cat on the sofa", "a kitten on the couch").top(1)
            [('cat', 'kitten', ...)]
        """
        order = np.argsort(-self.matrix, axis=None, kind="stable")[:n]
        positions = zip(*np.unravel_index(order, self.matrix.shape), strict=True) if self.matrix.size else []
        return [(self.words[0][i].text, self.words[1][j].text, float(self.matrix[i, j])) for i, j in positions]

    @property
    def by_word(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The contribution of each word of the first and the second text; each sums to the score."""
        return self.matrix.sum(axis=1), self.matrix.sum(axis=0)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON.

        Returns:
            Similarity, both texts with their words, and the matrix.

        Example:
            >>> encoder.similarity("a cat", "a kitten").to_dict()["similarity"] > 0.5
            True
        """
        sides = zip(self.texts, self.words, self.by_word, strict=True)
        return {
            "similarity": self.score,
            "texts": [
                {
                    "text": text,
                    "words": [
                        {"text": w.text, "start": w.start, "end": w.end, "is_known": w.is_known, "adds": float(x)}
                        for w, x in zip(words, adds, strict=True)
                    ],
                }
                for text, words, adds in sides
            ],
            "matrix": self.matrix.tolist(),
        }


@dataclass(frozen=True)
class WordParts:
    """The words of a text and their contributions to its vector, which sum to the vector."""

    text: str
    words: tuple[Word, ...]
    parts: Parts  # (word, vector)

    @property
    def vector(self) -> Parts:
        """The sum of the contributions."""
        return np.asarray(self.parts.sum(axis=0))


def explain_similarity(model: Model, first: str, second: str) -> Similarity:
    """Return the similarity of two texts with the contributions of their words."""
    first_parts, second_parts = word_parts(model, [first, second])
    return pair_similarity(first_parts, second_parts)


def pair_similarity(first: WordParts, second: WordParts) -> Similarity:
    """Return the similarity of two texts with known contributions; 0 if a text has no words."""
    size = float(np.linalg.norm(first.vector) * np.linalg.norm(second.vector))
    matrix = first.parts @ second.parts.T / (size if size > 0 else 1.0)  # (word, word)
    return Similarity(float(matrix.sum()), (first.text, second.text), (first.words, second.words), matrix)


def word_parts(model: Model, texts: Sequence[str]) -> list[WordParts]:
    """Split the vector of each text into the contributions of its words.

    v = Σ_hop M[hop] U[hop] and M = A H, so token t contributes Σ_hop A[hop, t] · H[t] U[hop].
    """
    if SIMILARITY not in model.can:
        raise HeedfulError(f"{model.path.name} is not an encoder. Similarity needs one, such as en-base")
    if model.config.model.pooler not in ("structured", "mean"):
        raise HeedfulError(f"with pooler {model.config.model.pooler} a vector is not a sum over words")
    texts = [checked_text(text) for text in texts]
    features = model.featurise(texts)
    parts_by_position: dict[int, WordParts] = {}
    u = _map_of(model)
    for batch, (weights, states) in model.run(features, ("weights", "states"), batch_size=16):
        for row, i in enumerate(batch.positions):
            n = int(batch.lengths[row])
            part = _token_parts(weights[row, :, :n], states[row, :n], u)
            parts_by_position[int(i)] = _folded(model, texts[i], part)
    return [parts_by_position[i] for i in range(len(texts))]


_MAPS: WeakKeyDictionary[Model, Floats] = WeakKeyDictionary()  # fetching it takes as long as running the model


def _map_of(model: Model) -> Floats:
    """Return U (hop · width, vector)."""
    if (known := _MAPS.get(model)) is None:
        ((_, (flat,)),) = model.run([np.array([0], dtype=np.int32)], ("map",))
        known = _MAPS[model] = flat.reshape(model.facts.n_hops * model.facts.width, -1)
    return known


def _token_parts(weights: Floats, states: Floats, u: Floats) -> Parts:
    """Return (token, vector): one product for all hops."""
    read = weights.T[:, :, None] * states[:, None]  # (token, hop, width)
    return (read.reshape(len(states), len(u)) @ u).astype(np.float64)


def _folded(model: Model, text: str, parts: Parts) -> WordParts:
    """Sum the contributions over the subwords of each word."""
    reading = read_with_special(model, text)
    return WordParts(text, reading.words, np.asarray(reading.folded(parts.T).T))
