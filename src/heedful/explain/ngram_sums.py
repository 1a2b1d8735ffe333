"""What the n-grams of a text add to each score, by tokens."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from heedful.data.features import Item
from heedful.data.input_spec import NGRAMS
from heedful.explain.attention.model_input import Reading

Floats = NDArray[np.float32]


def ngrams_by_token(reading: Reading, values: Floats, weights: Floats) -> NDArray[np.float64]:
    """Return (token, label): each n-gram's part of the scores, divided among the characters that it covers.

    `values` (n-gram,) are those of the n-grams of the text, `weights` (n-gram, label) those of all known n-grams. A
    word gets what its characters get, and divides it evenly among its tokens.
    """
    by_token = np.zeros((len(reading.features), weights.shape[1]))
    assert reading.wide is not None
    ids = cast("Item", reading.features).arrays[NGRAMS]
    if not len(ids) or not reading.words:
        return by_token
    products = values[: len(ids), None].astype(np.float64) * weights[ids]
    text = reading.text[: reading.read_to]
    by_position = reading.wide.known.by_position(text, ids, products)
    starts = np.array([word.start for word in reading.words])
    words = np.maximum(np.searchsorted(starts, np.arange(len(text)), side="right") - 1, 0)
    by_word = np.zeros((len(reading.words), weights.shape[1]))
    np.add.at(by_word, words, by_position)
    return reading.spread(by_word)
