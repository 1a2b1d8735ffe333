"""Self-attention maps: the weights between all words in each layer and head."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import Word
from heedful.explain.attention.model_input import Reading, read_with_special
from heedful.explain.shown import Forms, Pictured
from heedful.runtime.model import Model

Array = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class SelfAttention(Pictured):
    """The words of a text and their self-attention weights.

    Attributes:
        text: the text.
        words: its words, with their positions in the text.
        weights: (layer, head, query word, key word); each row sums to 1.

    Example:
        >>> transformer.self_attention("a bank of the river").weights.shape[-2:]
        (5, 5)
    """

    FORMS = Forms(
        page="heedful.show.matrices.looks:page_of",
        fragment="heedful.show.matrices.looks:fragment_of",
        plain="heedful.show.matrices.looks:plain_of",
        picture="heedful.show.matrices.looks:picture_of",
    )

    text: str
    words: tuple[Word, ...]
    weights: Array

    def top(
        self, word: int, n: int = 3, *, layer: int | None = None, head: int | None = None
    ) -> list[tuple[str, float]]:
        """Return the words that a word attends to most.

        Args:
            word: index of the word, counted from 0.
            n: number of words.
            layer: a layer, counted from 0; by default the mean over all.
            head: a head, counted from 0; by default the mean over all.

        Returns:
            Words with their weights, the largest first.

        Example:
            >>> len(transformer.self_attention("a bank of the river").top(1, n=2))
            2
        """
        layers, heads = (slice(None) if i is None else slice(i, i + 1) for i in (layer, head))
        shares = self.weights[layers, heads, word].mean(axis=(0, 1))  # (word,)
        return [(self.words[j].text, float(shares[j])) for j in np.argsort(-shares, kind="stable")[:n]]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON.

        Returns:
            Text, words and weights.

        Example:
            >>> sorted(transformer.self_attention("a bank").to_dict())
            ['text', 'weights', 'words']
        """
        words = [{"text": w.text, "start": w.start, "end": w.end, "is_known": w.is_known} for w in self.words]
        return {"text": self.text, "words": words, "weights": self.weights.tolist()}


def looks_of(model: Model, text: str) -> SelfAttention:
    """Return the self-attention weights between the words of a text.

    For a word of several subwords, weights on the subwords are summed and weights of the subwords averaged. Special
    tokens such as [CLS] are words, too.
    """
    reading = read_with_special(model, text)
    return SelfAttention(reading.text, reading.words, folded_both(reading, token_looks(model, reading)))


def token_looks(model: Model, reading: Reading) -> Array:
    """Return the weights between tokens: (layer, head, token, token)."""
    check_has_looks(model)
    n = len(reading.ids)
    ((_, layers),) = model.run([reading.features], model.looks_outputs)
    return np.stack([layer[0, :, :n, :n] for layer in layers]).astype(np.float64)


def folded_both(reading: Reading, weights: Array) -> Array:
    """Merge subwords into words: (…, token, token) to (…, word, word)."""
    by_column = reading.folded(weights)  # (…, token, word)
    by_row = reading.folded(np.swapaxes(by_column, -1, -2))  # (…, key word, query word)
    return np.asarray(np.swapaxes(by_row / reading.sizes, -1, -2), dtype=np.float64)


def check_has_looks(model: Model) -> None:
    """Raise if the model has no self-attention."""
    if not model.looks_outputs:
        kind = model.config.model.encoder
        raise HeedfulError(
            f"{model.path.name} has a {kind} encoder without self-attention: "
            "this needs a transformer encoder, such as en-tiny"
        )
