"""A transformer in NumPy that keeps all intermediate values, for inspection rather than speed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heedful.data.features import Ids
from heedful.errors import HeedfulError, ModelFolderError
from heedful.explain.steps.self_attention_maps import check_has_looks
from heedful.runtime.model import Model
from heedful.store.folder import WEIGHTS, read_weights_of

Array = NDArray[np.float64]
Weights = Mapping[str, NDArray[np.float32]]
_erf = np.vectorize(math.erf, otypes=[np.float64])


@dataclass(frozen=True)
class LayerPass:
    """The intermediate values of one layer."""

    entered: Array  # (token, width): the states before the layer
    x: Array  # (token, width): the same, normalised: the input of attention
    q: Array  # (head, token, width of a head)
    k: Array
    v: Array
    weights: Array  # (head, query token, key token)
    seen: Array  # (head, token, width of a head): the weighted sums of the values
    given: Array  # (head, token, width): the contribution of each head to the state, after `join`
    bias: Array  # (width,): the bias of `join`
    left: Array  # (token, width): the states after the layer

    @property
    def attended(self) -> Array:
        """The states between attention and the feed-forward part (token, width)."""
        return np.asarray(self.entered + self.given.sum(axis=0) + self.bias)


@dataclass(frozen=True)
class Pass:
    """The intermediate values of all layers."""

    layers: tuple[LayerPass, ...]
    states: Array  # (token, width): normalised after the last layer, the input of the hops


def passed(model: Model, ids: Ids) -> Pass:
    """Run the encoder of a model on token ids and keep all intermediate values."""
    weights, settings = encoder_weights(model), model.config.model
    embedded = weights["embed.weight"][ids].astype(np.float64)
    h = _linear(weights, "enter", embedded)
    if settings.places:
        h = h + _positions(len(ids), settings.units)
    layers: list[LayerPass] = []
    for i in range(settings.n_layers):
        layers.append(_layer(weights, f"layers.{i}", h, settings.n_heads))
        h = layers[-1].left
    return Pass(tuple(layers), _norm(weights, "leave", h))


def encoder_weights(model: Model) -> dict[str, NDArray[np.float32]]:
    """Return the embedding table, and the weights of the transformer without their name prefix."""
    check_has_looks(model)
    if model.config.model.self_score != "scaled_dot":
        raise HeedfulError(f"{model.path.name} has self_score {model.config.model.self_score}, expected scaled_dot")
    path = model.path / WEIGHTS
    if not path.is_file():
        raise ModelFolderError(f"{model.path} has no {WEIGHTS}, which this needs")
    start = "encoder.encoder." if model.config.model.keep_words else "encoder."
    weights = read_weights_of(model.path, model.facts, model.config.model)
    encoder = {name.removeprefix(start): value for name, value in weights.items() if name.startswith(start)}
    _check_fit(model, encoder, weights.get("embed.weight"))
    return encoder | {"embed.weight": weights["embed.weight"]}


def _check_fit(model: Model, encoder: Weights, table: NDArray[np.float32] | None) -> None:
    width, last = model.config.model.units, model.config.model.n_layers - 1
    join = encoder.get(f"layers.{last}.attention.join.weight")
    if join is None or join.shape != (width, width) or table is None or len(table) != len(model.texts):
        raise ModelFolderError(f"{model.path}: {WEIGHTS} does not match config.toml")


def _layer(weights: Weights, name: str, h: Array, n_heads: int) -> LayerPass:
    x = _norm(weights, f"{name}.norm_attention", h)
    q, k, v = (
        _split(_linear(weights, f"{name}.attention.{part}", x), n_heads) for part in ("queries", "keys", "values")
    )
    shares = softmax(q @ np.swapaxes(k, 1, 2) / math.sqrt(q.shape[-1]))  # (head, token, token)
    seen = shares @ v  # (head, token, width of a head)
    join = weights[f"{name}.attention.join.weight"].astype(np.float64)
    given = seen @ join.T.reshape(n_heads, -1, len(join))  # (head, token, width)
    bias = weights[f"{name}.attention.join.bias"].astype(np.float64)
    attended = h + given.sum(axis=0) + bias
    inner = _gelu(_linear(weights, f"{name}.widen", _norm(weights, f"{name}.norm_connected", attended)))
    return LayerPass(
        entered=h,
        x=x,
        q=q,
        k=k,
        v=v,
        weights=shares,
        seen=seen,
        given=given,
        bias=bias,
        left=attended + _linear(weights, f"{name}.narrow", inner),
    )


def softmax(scores: Array) -> Array:
    """Return the softmax over the last axis."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True, initial=-np.inf))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def _split(x: Array, n_heads: int) -> Array:
    """Map (token, width) to (head, token, width of a head)."""
    return np.asarray(np.swapaxes(x.reshape(len(x), n_heads, x.shape[1] // n_heads), 0, 1))


def _linear(weights: Weights, name: str, x: Array) -> Array:
    return np.asarray(x @ weights[f"{name}.weight"].astype(np.float64).T + weights[f"{name}.bias"])


def _norm(weights: Weights, name: str, x: Array) -> Array:
    centred = x - x.mean(axis=-1, keepdims=True)
    size = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5)
    return np.asarray(centred / size * weights[f"{name}.weight"] + weights[f"{name}.bias"])


def _gelu(x: Array) -> Array:
    return np.asarray(x * 0.5 * (1.0 + _erf(x / math.sqrt(2.0)))) if x.size else x


def _positions(time: int, width: int) -> Array:
    columns = np.arange(width)
    angles = np.arange(time)[:, None] * np.exp((columns - columns % 2) * (-math.log(10_000.0) / width))
    return np.asarray(np.where(columns % 2 == 0, np.sin(angles), np.cos(angles)))
