"""A transformer in NumPy that keeps all intermediate values, for inspection rather than speed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.data.features import Ids
from heedful.errors import HeedfulError, ModelFolderError
from heedful.explain.steps.self_attention_maps import check_has_looks
from heedful.runtime.model import Model
from heedful.settings import ModelSettings
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
    attended: Array  # (token, width): the states between attention and the feed-forward part
    left: Array  # (token, width): the states after the layer
    added: Array | None = None  # (head, query token, key token): added to the scaled scores for the distance


@dataclass(frozen=True)
class Pass:
    """The intermediate values of all layers."""

    layers: tuple[LayerPass, ...]
    states: Array  # (token, width): normalised after the last layer, the input of the hops


def passed(model: Model, ids: Ids) -> Pass:
    """Run the encoder of a model on token ids and keep all intermediate values."""
    weights, settings = encoder_weights(model), model.config.model
    embedded = weights["embed.weight"][ids].astype(np.float64)
    if "norm_enter.weight" in weights:
        return _passed_bert(weights, embedded, settings)
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
    if not (model.path / WEIGHTS).is_file():
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
    """Normalise before each part."""
    x = _norm(weights, f"{name}.norm_attention", h)
    attention = _attention(weights, name, x, n_heads)
    attended = h + attention["given"].sum(axis=0) + attention["bias"]
    inner = _gelu(_linear(weights, f"{name}.widen", _norm(weights, f"{name}.norm_connected", attended)))
    left = attended + _linear(weights, f"{name}.narrow", inner)
    return LayerPass(entered=h, x=x, attended=attended, left=left, **attention)


def _passed_bert(weights: Weights, embedded: Array, settings: ModelSettings) -> Pass:
    """Run the encoder of BERT: normalise after each part."""
    time, table = len(embedded), weights["positions.weight"].astype(np.float64)
    entered = _linear(weights, "enter", embedded) if "enter.weight" in weights else embedded
    h = entered + table[np.minimum(np.arange(time), len(table) - 1)]
    h, added = _norm(weights, "norm_enter", h, settings.norm_epsilon), _added_scores(weights, time)
    layers: list[LayerPass] = []
    for i in range(settings.n_layers):
        name = f"layers.{i}"
        attention = _attention(weights, name, h, settings.n_heads, added)
        attended = h + attention["given"].sum(axis=0) + attention["bias"]
        attended = _norm(weights, f"{name}.norm_attention", attended, settings.norm_epsilon)
        inner = _gelu(_linear(weights, f"{name}.widen", attended))
        left = attended + _linear(weights, f"{name}.narrow", inner)
        left = _norm(weights, f"{name}.norm_connected", left, settings.norm_epsilon)
        layers.append(LayerPass(entered=h, x=h, attended=attended, left=left, **attention))
        h = left
    return Pass(tuple(layers), h)


def _added_scores(weights: Weights, time: int) -> Array | None:
    """Return what the distance of two tokens adds to their score: (head, token, token)."""
    if "distances.weight" not in weights:
        return None
    table = weights["distances.weight"].astype(np.float64)  # (distance, head)
    most = len(table) // 2
    apart = np.arange(time)[None, :] - np.arange(time)[:, None]
    return np.asarray(np.moveaxis(table[np.clip(apart, -most, most) + most], 2, 0))


def _attention(weights: Weights, name: str, x: Array, n_heads: int, added: Array | None = None) -> dict[str, Any]:
    """Return the values of self-attention over x (token, width), by the names that LayerPass has for them."""
    q, k, v = (
        _split(_linear(weights, f"{name}.attention.{part}", x), n_heads) for part in ("queries", "keys", "values")
    )
    scores = q @ np.swapaxes(k, 1, 2) / math.sqrt(q.shape[-1])
    shares = softmax(scores if added is None else scores + added)  # (head, token, token)
    seen = shares @ v  # (head, token, width of a head)
    join = weights[f"{name}.attention.join.weight"].astype(np.float64)
    given = seen @ join.T.reshape(n_heads, -1, len(join))  # (head, token, width)
    bias = weights[f"{name}.attention.join.bias"].astype(np.float64)
    return {"q": q, "k": k, "v": v, "weights": shares, "seen": seen, "given": given, "bias": bias, "added": added}


def softmax(scores: Array) -> Array:
    """Return the softmax over the last axis."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True, initial=-np.inf))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def _split(x: Array, n_heads: int) -> Array:
    """Map (token, width) to (head, token, width of a head)."""
    return np.asarray(np.swapaxes(x.reshape(len(x), n_heads, x.shape[1] // n_heads), 0, 1))


def _linear(weights: Weights, name: str, x: Array) -> Array:
    return np.asarray(x @ weights[f"{name}.weight"].astype(np.float64).T + weights[f"{name}.bias"])


def _norm(weights: Weights, name: str, x: Array, epsilon: float = 1e-5) -> Array:
    centred = x - x.mean(axis=-1, keepdims=True)
    size = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + epsilon)
    return np.asarray(centred / size * weights[f"{name}.weight"] + weights[f"{name}.bias"])


def _gelu(x: Array) -> Array:
    return np.asarray(x * 0.5 * (1.0 + _erf(x / math.sqrt(2.0)))) if x.size else x


def _positions(time: int, width: int) -> Array:
    columns = np.arange(width)
    angles = np.arange(time)[:, None] * np.exp((columns - columns % 2) * (-math.log(10_000.0) / width))
    return np.asarray(np.where(columns % 2 == 0, np.sin(angles), np.cos(angles)))
