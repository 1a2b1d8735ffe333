"""A transformer by NumPy, with every number on the way: for looking at, not for speed."""

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
    """What happens in one layer."""

    entered: Array  # (token, width) the state of each token before the layer
    x: Array  # (token, width) the same, normalised: what attention sees
    q: Array  # (head, token, width of a head)
    k: Array
    v: Array
    weights: Array  # (head, token that looks, token that is looked at)
    seen: Array  # (head, token, width of a head): the values, weighted and summed
    given: Array  # (head, token, width): what each head adds to the state, after `join`
    bias: Array  # (width,) what `join` adds besides
    left: Array  # (token, width) the state after the layer

    @property
    def attended(self) -> Array:
        """The state between attention and the connected part (token, width)."""
        return np.asarray(self.entered + self.given.sum(axis=0) + self.bias)


@dataclass(frozen=True)
class Pass:
    """What happens to a text on its way through the encoder."""

    layers: tuple[LayerPass, ...]
    states: Array  # (token, width) normalised after the last layer: what the hops read


def passed(model: Model, ids: Ids) -> Pass:
    """Send a text through the encoder of a model, step by step."""
    weights, settings = encoder_weights(model), model.config.model
    embedded = weights["embed.weight"][ids].astype(np.float64)
    h = _linear(weights, "enter", embedded)
    if settings.places:
        h = h + _places(len(ids), settings.units)
    layers: list[LayerPass] = []
    for i in range(settings.n_layers):
        layers.append(_layer(weights, f"layers.{i}", h, settings.n_heads))
        h = layers[-1].left
    return Pass(tuple(layers), _norm(weights, "leave", h))


def encoder_weights(model: Model) -> dict[str, NDArray[np.float32]]:
    """Return the table of tokens, and the weights of the transformer by their names within it."""
    check_has_looks(model)
    if model.config.model.self_score != "scaled_dot":
        raise HeedfulError(f"steps are of scaled dot products; {model.path.name} has {model.config.model.self_score}")
    path = model.path / WEIGHTS
    if not path.is_file():
        raise ModelFolderError(f"{model.path} has no {WEIGHTS}: steps are shown with the numbers in it")
    start = "encoder.encoder." if model.config.model.keep_words else "encoder."
    found = read_weights_of(model.path, model.facts)
    own = {name.removeprefix(start): value for name, value in found.items() if name.startswith(start)}
    _check_fit(model, own, found.get("embed.weight"))
    return own | {"embed.weight": found["embed.weight"]}


def _check_fit(model: Model, own: Weights, table: NDArray[np.float32] | None) -> None:
    width, last = model.config.model.units, model.config.model.n_layers - 1
    join = own.get(f"layers.{last}.attention.join.weight")
    if join is None or join.shape != (width, width) or table is None or len(table) != len(model.texts):
        raise ModelFolderError(f"{model.path}: {WEIGHTS} does not fit config.toml")


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
    """Return e^score, scaled to sum to 1 in each row."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True, initial=-np.inf))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def _split(x: Array, n_heads: int) -> Array:
    """Map (token, width) to (head, token, width of a head)."""
    return np.asarray(np.swapaxes(x.reshape(len(x), n_heads, x.shape[1] // n_heads), 0, 1))


def _linear(weights: Weights, name: str, x: Array) -> Array:
    return np.asarray(x @ weights[f"{name}.weight"].astype(np.float64).T + weights[f"{name}.bias"])


def _norm(weights: Weights, name: str, x: Array) -> Array:
    apart = x - x.mean(axis=-1, keepdims=True)
    size = np.sqrt((apart**2).mean(axis=-1, keepdims=True) + 1e-5)
    return np.asarray(apart / size * weights[f"{name}.weight"] + weights[f"{name}.bias"])


def _gelu(x: Array) -> Array:
    return np.asarray(x * 0.5 * (1.0 + _erf(x / math.sqrt(2.0)))) if x.size else x


def _places(time: int, width: int) -> Array:
    columns = np.arange(width)
    angles = np.arange(time)[:, None] * np.exp((columns - columns % 2) * (-math.log(10_000.0) / width))
    return np.asarray(np.where(columns % 2 == 0, np.sin(angles), np.cos(angles)))
