"""The best linear head for the vectors of the encoder that training starts from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from heedful.data.batch import ordered_batches
from heedful.data.features import Features
from heedful.network.network import Network, front_inputs
from heedful.network.tensors import tensors_of
from heedful.training.start.fits import threads_for_work, work_of

RUN_TEXTS, RUN_CELLS = 256, 16_384
PAIR_STRENGTHS = (10.0, 100.0)  # of a probe: with tens of thousands of pairs more would take minutes


class ProbeInputs(NamedTuple):
    """The inputs of a linear head, scaled to a length of about 1."""

    vectors: NDArray[np.float32]  # (input, feature)
    size: float
    strengths: dict[str, Any]  # to choose among, if these are not the usual ones


def has_linear_head(network: Network) -> bool:
    """Return whether the head is linear in vectors that do not depend on its answer, so that it can be fitted."""
    return _linear_inputs(network) is not None


def _linear_inputs(network: Network) -> Callable[[Tensor], Tensor] | None:
    """Return the function from rows to the inputs of a linear head: a vector, or the features of two vectors."""
    return getattr(network.head, "compared", None) or getattr(network.head, "unit_vector", None)


def probe_inputs(network: Network, features: Sequence[Features]) -> ProbeInputs:
    """Return the inputs of the head for each example.

    The strength of a linear head is chosen among values that fit vectors of length 1.
    """
    inputs_of_head = _linear_inputs(network)
    assert inputs_of_head is not None
    head: Any = network.head
    width = int(head.answer.in_features)
    is_pair = hasattr(network.head, "compared")
    n_texts, n_cells = (RUN_TEXTS // 2, RUN_CELLS // 2) if is_pair else (RUN_TEXTS, RUN_CELLS)
    network.eval()
    vectors = np.zeros((len(features), width), dtype=np.float32)
    with torch.inference_mode(), threads_for_work(work_of(network, n_texts, n_cells // n_texts)):
        for batch in ordered_batches(features, max_texts=n_texts, max_cells=n_cells):
            inputs, mask = tensors_of(batch)
            states = network.states(network.embed(front_inputs(inputs)), mask, inputs)
            vectors[batch.positions] = inputs_of_head(network.pooled(states, mask, inputs)[0]).numpy()
    if not is_pair:
        return ProbeInputs(vectors, 1.0, {})
    size = float(width) ** 0.5
    return ProbeInputs(vectors / np.float32(size), size, {"strengths": PAIR_STRENGTHS})


def place_linear(network: Network, weight: Tensor, bias: Tensor, *, size: float) -> None:
    """Copy fitted weights into the head, for inputs that were divided by `size`."""
    head: Any = network.head
    with torch.no_grad():
        head.answer.weight.copy_(weight / size)
        head.answer.bias.copy_(bias)
