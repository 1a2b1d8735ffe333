"""Where words look: the weights of self-attention, from each word to each other, in each layer and head."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import Word
from heedful.explain.attention.model_input import Reading, read
from heedful.explain.shown import Forms, Pictured
from heedful.runtime.model import Model

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Looks(Pictured):
    """The words of a text, and how much each looks at each."""

    FORMS = Forms(
        page="heedful.show.matrices.looks:page_of",
        fragment="heedful.show.matrices.looks:fragment_of",
        plain="heedful.show.matrices.looks:plain_of",
        picture="heedful.show.matrices.looks:picture_of",
    )

    text: str
    words: tuple[Word, ...]
    weights: Array  # (layer, head, word that looks, word that is looked at); each row sums to 1

    def top(
        self, word: int, n: int = 3, *, layer: int | None = None, head: int | None = None
    ) -> list[tuple[str, float]]:
        """Return what a word looks at most: over all layers and heads, or in those named (counted from 0)."""
        layers, heads = (slice(None) if i is None else slice(i, i + 1) for i in (layer, head))
        shares = self.weights[layers, heads, word].mean(axis=(0, 1))  # (word,)
        return [(self.words[j].text, float(shares[j])) for j in np.argsort(-shares, kind="stable")[:n]]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        words = [{"text": w.text, "start": w.start, "end": w.end, "is_known": w.is_known} for w in self.words]
        return {"text": self.text, "words": words, "weights": self.weights.tolist()}


def looks_of(model: Model, text: str) -> Looks:
    """Return where each word of a text looks.

    Of a word in pieces, what its pieces get is added up, and where they look is their mean: a row still sums to 1.
    """
    reading = read(model, text)
    return Looks(reading.text, reading.words, folded_both(reading, token_looks(model, reading)))


def token_looks(model: Model, reading: Reading) -> Array:
    """Return the weights between tokens: (layer, head, token, token)."""
    check_has_looks(model)
    n = len(reading.ids)
    ((_, found),) = model.run([reading.ids], model.looks_outputs)
    return np.stack([layer[0, :, :n, :n] for layer in found]).astype(np.float64)


def folded_both(reading: Reading, weights: Array) -> Array:
    """Fold pieces into words: (…, token, token) to (…, word, word)."""
    by_column = reading.folded(weights)  # (…, token, word)
    by_row = reading.folded(np.swapaxes(by_column, -1, -2))  # (…, word looked at, word that looks)
    return np.asarray(np.swapaxes(by_row / reading.sizes, -1, -2), dtype=np.float64)


def check_has_looks(model: Model) -> None:
    """Raise where there is no self-attention to look at."""
    if not model.looks_outputs:
        kind = model.config.model.encoder
        raise HeedfulError(
            f"{model.path.name} has a {kind} encoder, in which words do not look at each other: "
            "this needs a model with encoder transformer, such as en-tiny"
        )
