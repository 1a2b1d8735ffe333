"""An encoder that starts from another: the same network, or a contextual one from a static one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from heedful.errors import TrainingError
from heedful.network.network import Network
from heedful.network.poolers.structured_attention import StructuredAttention

FRESH = 0.1  # factor of the new weights of the context, which starts close to zero


def start_from_smaller(network: Network, weights: Mapping[str, NDArray[np.float32]]) -> None:
    """Initialize a network from an equal encoder, or from a static one if it appends words to its states.

    Of a static one it takes the table, the hops and the map; the contextual part starts close to zero.
    """
    own_shapes = {name: tuple(value.shape) for name, value in network.state_dict().items()}
    if own_shapes == {name: value.shape for name, value in weights.items()}:
        network.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
        return
    head, pooler = network.head, cast("StructuredAttention", network.pooler)
    if not (hasattr(head, "map") and hasattr(pooler, "inner")):  # VectorHead and StructuredAttention
        raise TrainingError("only an encoder with structured attention can start from a static one")
    table = torch.from_numpy(weights["embed.weight"])
    width, states, hops = table.shape[1], int(network.encoder.width), pooler.n_hops
    own = states - width  # where the words' own vectors begin in a state
    parts = {name: torch.from_numpy(value) for name, value in weights.items()}
    fits = own >= 0 and _fits(network, pooler, parts, width)
    small = parts["head.map.weight"].view(-1, hops, width) if fits else None
    if small is None or small.shape[0] != head.map.weight.shape[0]:
        raise TrainingError("the encoder to start from differs in width, hops or tokens")
    with torch.no_grad():
        network.tables[0].copy_(table)
        pooler.hops.weight.copy_(parts["pooler.hops.weight"])
        _place(pooler.inner.weight, parts["pooler.inner.weight"], own)
        _place(head.map.weight.view(-1, hops, states), small, own)


def _fits(network: Network, pooler: StructuredAttention, parts: Mapping[str, Tensor], width: int) -> bool:
    return (
        network.tables[0].shape == parts["embed.weight"].shape
        and pooler.hops.weight.shape == parts["pooler.hops.weight"].shape
        and parts["pooler.inner.weight"].shape == (pooler.inner.weight.shape[0], width)
        and parts["head.map.weight"].shape[1] == pooler.n_hops * width
    )


def _place(target: Tensor, known: Tensor, own: int) -> None:
    """Copy the known weights to the end of the last axis, and scale down the weights before them."""
    target[..., :own] *= FRESH
    target[..., own:] = known


def turned_to(vectors: NDArray[np.float32], like: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the axes (teacher's width, width) along which the teacher's vectors are most like the given ones.

    Orthogonal Procrustes: a student that starts from another is trained along the axes that the other learned.
    """
    left, _, right = np.linalg.svd(vectors.T @ like, full_matrices=False)
    return np.asarray(left @ right, dtype=np.float32)
