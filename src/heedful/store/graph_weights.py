"""The weights of a quantised BiLSTM encoder, read from its graph: en-base has no second copy of them in a file.

The graph holds every number of weights.safetensors, some transposed or in another order, so the two are equal to the
bit. The writers are `bilstm_onnx`, `structured_attention_onnx` and `vector_onnx` in `network/`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.settings import ModelSettings
from heedful.store.graph_check.graph_file import read_arrays
from heedful.store.graph_check.protobuf import WireError
from heedful.store.weights import TABLE

Array = NDArray[np.float32]
KNOWN = {
    "encoder": "bilstm",
    "pooler": "structured",
    "score": "additive",
    "head": "vector",
    "whole": False,
    "count": False,
}
TORCH_GATES = (0, 2, 3, 1)  # ONNX has the gates input, output, forget, cell; torch input, forget, cell, output
DIRECTIONS = ("forwards", "backwards")
FORM = [
    ("int8", 2),  # the table (id, width)
    ("float32", 2),  # its scales (id, 1)
    ("float16", 3),  # of the LSTM, from the input (direction, 4u, width)
    ("float16", 3),  # and from the last state (direction, 4u, u)
    ("float16", 2),  # its biases (direction, 8u)
    ("float16", 2),  # of the hops (states, attention width)
    ("float16", 2),  # (attention width, hop)
    ("float16", 2),  # of the vector (hops × states, vector)
]


def weights_in_graph(content: bytes, settings: ModelSettings) -> dict[str, Array] | None:
    """Return the weights by their names in torch, or None if this graph does not hold them."""
    if any(getattr(settings, name) != value for name, value in KNOWN.items()) or settings.whole or settings.count:
        return None
    try:
        arrays = read_arrays(content)
    except WireError:
        return None
    weights = [array for array in arrays.values() if array.dtype != np.int64 and array.ndim]  # not shapes and numbers
    if [(array.dtype.name, array.ndim) for array in weights] != FORM:
        return None
    return _named(weights, settings) if _fits(weights, settings) else None


def _fits(weights: list[NDArray[Any]], settings: ModelSettings) -> bool:
    """Return whether the shapes are those of the settings."""
    ids, width, units = len(weights[0]), settings.embed_width, settings.units
    states = 2 * units + (width if settings.keep_words else 0)
    return [array.shape for array in weights] == [
        (ids, width),
        (ids, 1),
        (2, 4 * units, width),
        (2, 4 * units, units),
        (2, 8 * units),
        (states, settings.attention_width),
        (settings.attention_width, settings.n_hops),
        (settings.n_hops * states, settings.vector_width),
    ]


def _named(weights: list[NDArray[Any]], settings: ModelSettings) -> dict[str, Array]:
    table, scales, from_input, from_state, biases, inner, hops, vector = (w.astype(np.float32) for w in weights)
    start = "encoder.encoder" if settings.keep_words else "encoder"
    named = {TABLE: table * scales}
    for i, direction in enumerate(DIRECTIONS):
        bias_input, bias_state = np.split(biases[i], 2)
        named |= {
            f"{start}.{direction}.weight_ih_l0": _torch_order(from_input[i]),
            f"{start}.{direction}.weight_hh_l0": _torch_order(from_state[i]),
            f"{start}.{direction}.bias_ih_l0": _torch_order(bias_input),
            f"{start}.{direction}.bias_hh_l0": _torch_order(bias_state),
        }
    maps = {"pooler.inner.weight": inner, "pooler.hops.weight": hops, "head.map.weight": vector}
    return named | {name: np.ascontiguousarray(value.T) for name, value in maps.items()}


def _torch_order(gates: Array) -> Array:
    """Reorder (4u, …) from ONNX's gates to torch's."""
    parts = np.split(gates, 4)
    return np.concatenate([parts[i] for i in TORCH_GATES])
