"""Where a translator looked for each word that it wrote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.explain.attention.model_input import Reading, read
from heedful.explain.shown import Forms, Pictured
from heedful.tasks.translate.beam import Hypothesis
from heedful.tasks.translate.model import Translator

if TYPE_CHECKING:
    from heedful.show.matrices.api import Matrix

Array = NDArray[np.float64]
ACCOUNT = (
    "This is the alignment, the attention of the decoder: each row is a word of the translation, each column a word of "
    "the text. The translation is not a sum over words, because what the decoder reads passes through an LSTM."
)


@dataclass(frozen=True, repr=False)
class Alignment(Pictured):
    """A text, its translation, and how much each word of the translation looked at each word of the text.

    There are no contributions: what the decoder reads passes through an LSTM, so no score is a sum over words.

    Attributes:
        text: the text.
        translation: its translation.
        score: mean log-probability of a token.
        source: words of the text.
        target: words of the translation.
        weights: (target word, source word); each row sums to 1.
        read_to: characters of the text that were read; the rest was truncated.

    Example:
        >>> alignment = translator.explain("one two")
        >>> alignment.weights.shape == (len(alignment.target), len(alignment.source))
        True
    """

    FORMS = Forms(
        page="heedful.tasks.translate.show.page:page_of",
        fragment="heedful.tasks.translate.show.page:fragment_of",
        plain="heedful.tasks.translate.show.terminal:plain_alignment",
        picture="heedful.tasks.translate.show.picture:alignment_picture",
    )

    text: str
    translation: str
    score: float
    source: tuple[str, ...]
    target: tuple[str, ...]
    weights: Array
    read_to: int

    def top(self, word: int, n: int = 3) -> list[tuple[str, float]]:
        """Return the words of the text that a word of the translation looked at most.

        Args:
            word: index of the word of the translation, counted from 0.
            n: number of words.

        Returns:
            Words of the text with their weights, the largest first.

        Example:
            >>> translator.explain("one two").top(0, n=1)
            [(...)]
        """
        order = np.argsort(-self.weights[word], kind="stable")[:n]
        return [(self.source[i], float(self.weights[word, i])) for i in order]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON.

        Returns:
            All fields.

        Example:
            >>> translator.explain("one two").to_dict()["source"]
            ['one', 'two']
        """
        return {
            "text": self.text,
            "translation": self.translation,
            "score": self.score,
            "source": list(self.source),
            "target": list(self.target),
            "weights": self.weights.tolist(),
            "read_to": self.read_to,
        }

    @property
    def matrix(self) -> Matrix:
        """The weights as a matrix to show: rows are words of the translation, columns words of the text."""
        from heedful.show.matrices.api import matrix

        if not self.weights.size:
            raise HeedfulError("a text or a translation without words has no alignment")
        drawn = matrix(self.target, self.weights, columns=self.source, title=self.translation)
        return replace(drawn, account=ACCOUNT)


def align_texts(
    model: Translator, texts: Sequence[str], *, beam: int | None = None, batch_size: int = 64
) -> list[Alignment]:
    """Return the best translation of each text with its alignment."""
    readings = [read(model, text) for text in texts]
    beams = model.search([reading.features for reading in readings], beam=beam, batch_size=batch_size)
    return [_aligned(model, reading, hypotheses[0]) for reading, hypotheses in zip(readings, beams, strict=True)]


def _aligned(model: Translator, reading: Reading, best: Hypothesis) -> Alignment:
    target = model.featuriser.target
    words = target.words_of(best.ids)
    sizes = np.array([n for _, n in words], dtype=np.int64)
    return Alignment(
        text=reading.text,
        translation=target.text_of(best.ids),
        score=best.score,
        source=tuple(word.text for word in reading.words),
        target=tuple(word for word, _ in words),
        weights=_folded(reading, best.weights[:, : len(reading.features)].astype(np.float64), sizes),
        read_to=reading.read_to,
    )


def _folded(reading: Reading, weights: Array, sizes: NDArray[np.int64]) -> Array:
    """Fold subwords (subword, subword) into words: the sum over read subwords, the mean over written ones."""
    if not len(sizes) or not reading.words:
        return np.zeros((len(sizes), len(reading.words)))
    by_column = reading.folded(weights)  # (target piece, source word)
    starts = np.cumsum(sizes) - sizes
    return np.asarray(np.add.reduceat(by_column, starts, axis=0) / sizes[:, None], dtype=np.float64)
