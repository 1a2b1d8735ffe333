"""From a model's weights over tokens to weights over words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from heedful.data.tokens import Token
from heedful.errors import HeedfulError
from heedful.explain.explanation import Explanation, Word
from heedful.runtime.model import Model, checked_text, softmax


def explain_texts(model: Model, texts: Sequence[str], *, batch_size: int = 64) -> list[Explanation]:
    """Explain each text; the result for one does not depend on the others."""
    if model.is_encoder:
        raise HeedfulError(f"{model.path.name} gives vectors, not answers: see model.similarity, or `heedful similar`")
    texts = [checked_text(text) for text in texts]
    features = [model.featuriser.ids(text) for text in texts]
    found: dict[int, Explanation] = {}
    for batch, (scores, weights) in model.run(features, ("scores", "weights"), batch_size=batch_size):
        for row, i in enumerate(batch.positions):
            found[int(i)] = _explanation(model, texts[i], scores[row], weights[row, :, : batch.lengths[row]])
    return [found[i] for i in range(len(texts))]


def _explanation(model: Model, text: str, scores: NDArray[np.float32], weights: NDArray[np.float32]) -> Explanation:
    tokens = model.featuriser.tokens(text)
    words = pieces_of_words(tokens)
    probabilities = softmax(scores)
    return Explanation(
        text=text,
        words=tuple(word_of(model, text, pieces) for pieces in words),
        weights=_fold(weights, [len(pieces) for pieces in words]),
        label=model.labels[int(probabilities.argmax())],
        probabilities={label: float(p) for label, p in zip(model.labels, probabilities, strict=True)},
        read_to=tokens[-1].end if len(tokens) == model.featuriser.max_tokens else len(text),
    )


def pieces_of_words(tokens: Sequence[Token]) -> list[list[Token]]:
    """Return the tokens of each word together."""
    return [list(pieces) for _, pieces in groupby(tokens, key=lambda token: token.word)]


def word_of(model: Model, text: str, pieces: Sequence[Token]) -> Word:
    """Return the word that these pieces make up."""
    start, end = pieces[0].start, pieces[-1].end
    return Word(text[start:end], start, end, all(model.featuriser.is_known(piece.form) for piece in pieces))


def _fold(weights: NDArray[np.float32], pieces: Sequence[int]) -> NDArray[np.float32]:
    """Add the weights (hop, token) of the pieces of each word: (hop, word)."""
    if not pieces:
        return np.zeros((len(weights), 0), dtype=np.float32)
    starts = np.cumsum([0, *pieces[:-1]])
    return np.asarray(np.add.reduceat(weights, starts, axis=1), dtype=np.float32)
