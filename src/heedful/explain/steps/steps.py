"""Self-attention in six steps with the numbers of a model: for one word, then for all words by matrices."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from heedful.errors import HeedfulError, did_you_mean
from heedful.explain.attention.model_input import Reading, read_with_special
from heedful.explain.shown import Forms, Shown
from heedful.explain.steps.numpy_transformer import Array, LayerPass, Pass, passed, softmax
from heedful.explain.steps.telling_head import telling_head
from heedful.runtime.model import Model
from heedful.text.tokens import Token

LONGEST = 200  # tokens: a longer page is unreadable


@dataclass(frozen=True)
class Piece:
    """A token of the text: a word or a subword."""

    text: str
    start: int
    end: int
    is_inner: bool  # whether it continues a word
    is_known: bool


@dataclass(frozen=True, repr=False)
class Steps(Shown):
    """The steps of one head for one token, and the same for all tokens by matrices."""

    FORMS = Forms(
        page="heedful.show.steps.page:steps_page",
        fragment="heedful.show.steps.page:steps_fragment",
        plain="heedful.show.steps.terminal:plain_steps",
    )

    model: str
    text: str
    pieces: tuple[Piece, ...]
    at: int  # index of the token
    n_pieces: int  # number of subwords of its word
    layer: int  # from 0
    head: int
    through: Pass

    @property
    def n_layers(self) -> int:
        """Number of layers."""
        return len(self.through.layers)

    @property
    def n_heads(self) -> int:
        """Number of heads per layer."""
        return len(self.passed.q)

    @property
    def d_k(self) -> int:
        """The width of a head."""
        return int(self.q.shape[1])

    @property
    def passed(self) -> LayerPass:
        """The intermediate values of this layer."""
        return self.through.layers[self.layer]

    @property
    def x(self) -> Array:
        """The input of attention (token, width)."""
        return self.passed.x

    @property
    def q(self) -> Array:
        """Step 1: the queries (token, d_k)."""
        return np.asarray(self.passed.q[self.head])

    @property
    def k(self) -> Array:
        """Step 1: the keys (token, d_k)."""
        return np.asarray(self.passed.k[self.head])

    @property
    def v(self) -> Array:
        """Step 1: the values (token, d_k)."""
        return np.asarray(self.passed.v[self.head])

    @property
    def distances(self) -> Array | None:
        """What the distance of two tokens adds to their scaled score (token, token); None if there is nothing."""
        added = self.passed.added
        return None if added is None else np.asarray(added[self.head])

    @cached_property
    def scores(self) -> Array:
        """Step 2: the dot products of the token's query with all keys (token,)."""
        query = self.q[self.at]
        return np.array([sum(a * b for a, b in zip(query, key, strict=True)) for key in self.k])

    @cached_property
    def scaled(self) -> Array:
        """Step 3: the scores divided by √d_k (token,); some transformers add a number for each distance."""
        scaled = self.scores / math.sqrt(self.d_k)
        return np.asarray(scaled if self.distances is None else scaled + self.distances[self.at])

    @cached_property
    def weights(self) -> Array:
        """Step 4: the softmax of the scaled scores (token,)."""
        powers = np.array([math.exp(score - float(self.scaled.max())) for score in self.scaled])
        return np.asarray(powers / powers.sum())

    @cached_property
    def weighted(self) -> Array:
        """Step 5: the values times their weights (token, d_k)."""
        return np.array([weight * value for weight, value in zip(self.weights, self.v, strict=True)])

    @cached_property
    def summed(self) -> Array:
        """Step 6: the sum of the weighted values (d_k,)."""
        return np.asarray(self.weighted.sum(axis=0))

    @cached_property
    def matrix(self) -> Array:
        """For all tokens: softmax(Q Kᵀ / √d_k) (token, token)."""
        scaled = self.q @ self.k.T / math.sqrt(self.d_k)
        return softmax(scaled if self.distances is None else scaled + self.distances)

    @cached_property
    def product(self) -> Array:
        """For all tokens: softmax(Q Kᵀ / √d_k) V (token, d_k)."""
        return np.asarray(self.matrix @ self.v)

    @property
    def difference(self) -> float:
        """The largest difference between the steps and the matrices, in the weights and in the sum."""
        differences = (self.matrix[self.at] - self.weights, self.product[self.at] - self.summed)
        return max(float(np.abs(difference).max()) for difference in differences)

    @property
    def concatenated(self) -> Array:
        """The concatenated results of all heads for the token (width,)."""
        return np.asarray(self.passed.seen[:, self.at].reshape(-1))

    @property
    def joined(self) -> Array:
        """The same after the output projection: the contribution of attention to the state (width,)."""
        return np.asarray(self.passed.given[:, self.at].sum(axis=0) + self.passed.bias)

    @property
    def looks(self) -> Array:
        """The attention weights of the token in every layer and head (layer, head, token)."""
        return np.stack([layer.weights[:, self.at] for layer in self.through.layers])

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON; layers and heads are counted from 1, tokens from 0."""
        arrays = ("x", "q", "k", "v", "scores", "scaled", "weights", "weighted", "summed", "matrix", "product")
        return {
            "model": self.model,
            "text": self.text,
            "tokens": [{"text": p.text, "start": p.start, "end": p.end} for p in self.pieces],
            "token": self.at,
            "layer": self.layer + 1,
            "head": self.head + 1,
            "d_k": self.d_k,
            **{name: getattr(self, name).tolist() for name in (*arrays, "concatenated", "joined", "looks")},
            "difference": self.difference,
        }


def steps_of(
    model: Model, text: str, *, word: str | None = None, layer: int | None = None, head: int | None = None
) -> Steps:
    """Return the steps of one head for a word, by default the first; layers and heads are numbered from 1.

    Without layer and head, the head is one in which the word looks far; with one of them, the other is 1.
    """
    settings = model.config.model
    reading = checked_reading(model, text)
    _check_within("layer", 1 if layer is None else layer, settings.n_layers)
    _check_within("head", 1 if head is None else head, settings.n_heads)
    at, n_pieces = find_word(reading, word)
    through = passed(model, reading.ids)
    pieces = pieces_of(model, reading)
    if layer is None and head is None:
        looks = np.stack([each.weights[:, at] for each in through.layers])
        best = telling_head(looks, at, np.array([piece.start == piece.end for piece in pieces]))
        return Steps(model.path.name, reading.text, pieces, at, n_pieces, *best, through)
    layer, head = layer or 1, head or 1
    return Steps(model.path.name, reading.text, pieces, at, n_pieces, layer - 1, head - 1, through)


def checked_reading(model: Model, text: str) -> Reading:
    """Return the model input of a text, or raise if it is empty or too long."""
    reading = read_with_special(model, text)
    if not any(word.end > word.start for word in reading.words):
        raise HeedfulError("the text has no words")
    if len(reading.ids) > LONGEST:
        raise HeedfulError(f"the text has {len(reading.ids)} tokens, expected at most {LONGEST}")
    return reading


def find_word(reading: Reading, word: str | None) -> tuple[int, int]:
    """Return the first token of a word, and its number of tokens."""
    forms = [entry.text.casefold() for entry in reading.words]
    if word is not None and word.strip().casefold() not in forms:
        known = [entry.text for entry in reading.words]
        raise HeedfulError(f"{word!r} is not a word of this text.{did_you_mean(word, known)}")
    first = next((i for i, entry in enumerate(reading.words) if entry.end > entry.start), 0)
    index = first if word is None else forms.index(word.strip().casefold())
    return int(reading.sizes[:index].sum()), int(reading.sizes[index])


def pieces_of(model: Model, reading: Reading) -> tuple[Piece, ...]:
    """Return the tokens of a text with their offsets, special ones too."""
    tokens: list[Token] = model.texts.tokens(reading.text)
    last_words = [None, *(token.word for token in tokens)]
    before, after = model.texts.special()
    return (
        *(Piece(form, 0, 0, is_inner=False, is_known=True) for form in before),
        *(
            Piece(
                reading.text[token.start : token.end],
                token.start,
                token.end,
                is_inner=token.word == last,
                is_known=model.texts.is_known(token.form),
            )
            for token, last in zip(tokens, last_words, strict=False)
        ),
        *(Piece(form, len(reading.text), len(reading.text), is_inner=False, is_known=True) for form in after),
    )


def _check_within(name: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise HeedfulError(f"{name} is {value}, expected 1 to {most}")
