"""The words of each text of a corpus with their contributions to all labels."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heedful.explain.attention.explanation import Word
from heedful.explain.attention.model_input import read
from heedful.explain.contributions import linear_answer
from heedful.runtime.model import Model
from heedful.text.word_tokeniser import WordTokeniser

CHUNK = 1024  # texts: enough to sort by length into full batches
LONGEST = 60  # characters of a form; longer ones are truncated

Values = NDArray[np.float64]


class TextParts(NamedTuple):
    """A text as a sum over its words."""

    at: int  # index in the corpus
    text: str
    words: tuple[Word, ...]
    forms: tuple[str, ...]
    contributions: Values  # (word, label)
    scores: NDArray[Any]  # (label,)


def read_parts(model: Model, texts: Iterable[tuple[int, str]], *, batch_size: int = 64) -> Iterator[list[TextParts]]:
    """Yield the texts of each batch, given with their indexes; those without words, too."""
    linear = linear_answer(model)
    form = WordTokeniser(lowercase=model.config.text.lowercase).form  # subwords fold case in the same way
    rows = iter(texts)
    while chunk := list(itertools.islice(rows, CHUNK)):
        readings = [read(model, text) for _, text in chunk]
        features = [reading.features for reading in readings]
        for batch, (scores, weights, states, *lengths) in model.run(
            features, ("scores", *linear.outputs), batch_size=batch_size
        ):
            parts = []
            for row, i in enumerate(batch.positions):
                n, reading = int(batch.lengths[row]), readings[i]
                length = [array[row] for array in lengths]
                by_token = linear.sum_of(weights[row, :, :n], states[row, :n], *length).by_token
                of_words = np.asarray(reading.folded(by_token.T).T, dtype=np.float64)
                forms = tuple(form(word.text[:LONGEST]) for word in reading.words)
                parts.append(TextParts(chunk[i][0], reading.text, reading.words, forms, of_words, scores[row]))
            yield parts
