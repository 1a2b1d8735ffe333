"""Effect of each word's vector on the prediction: gradient × input, and integrated gradients."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from heedful.data.batch import pad
from heedful.explain.attention.explanation import GRADIENT, INTEGRATED
from heedful.explain.attention.model_input import Reading
from heedful.network.masks import mask_of
from heedful.network.network import Inputs, Network, front_inputs
from heedful.network.tensors import tensors_of
from heedful.runtime.cancel import check_wanted
from heedful.runtime.model import Model
from heedful.torch_model.network import log_odds, network_of
from heedful.training.start.fits import threads_for_work, work_of

STEPS = 50  # from zeros to the word vectors
MOST_CELLS = 8_192  # tokens in one backward pass


def gradient_effects(
    model: Model, reading: Reading, methods: Collection[str], target: int
) -> dict[str, NDArray[np.float64]]:
    """Return the effect (word,) of each word on the log-odds of a label, for each method."""
    if not reading.words:
        return {method: np.zeros(0) for method in methods}
    network = network_of(model)
    inputs, _ = tensors_of(pad([reading.features], [0]))
    vectors = network.embed(front_inputs(inputs))  # (1, time, width)
    effects: dict[str, NDArray[np.float64]] = {}
    for method in methods:
        check_wanted()
        method_function = {GRADIENT: gradient_times_input, INTEGRATED: integrated_gradients}[method]
        by_token = method_function(network, vectors, target, inputs=inputs)
        effects[method] = np.asarray(reading.folded(by_token.double().numpy()), dtype=np.float64) * model.factor
    return effects


def gradient_times_input(network: Network, vectors: Tensor, target: int, *, inputs: Inputs | None = None) -> Tensor:
    """Return ∂f/∂x · x of each token: vectors (1, time, width) to (time,); f is the label's log-odds."""
    return (slopes(network, vectors, target, inputs=inputs)[0] * vectors[0]).sum(dim=-1)


def integrated_gradients(
    network: Network, vectors: Tensor, target: int, *, inputs: Inputs | None = None, steps: int = STEPS
) -> Tensor:
    """Return x · ∫₀¹ ∂f/∂x(αx) dα of each token: vectors (1, time, width) to (time,).

    By Gauss–Legendre quadrature. The sum over tokens is f(x) − f(0), up to the error of `steps` points.
    """
    points, shares = np.polynomial.legendre.leggauss(steps)
    alphas = torch.tensor((points + 1) / 2, dtype=vectors.dtype)[:, None, None]  # (step, 1, 1)
    mean = torch.zeros_like(vectors[0])
    size = max(1, MOST_CELLS // vectors.shape[1])
    for start in range(0, steps, size):
        check_wanted()
        part = slice(start, start + size)
        share = torch.tensor(shares[part] / 2, dtype=vectors.dtype)
        mean += torch.einsum("s,stw->tw", share, slopes(network, alphas[part] * vectors, target, inputs=inputs))
    return (mean * vectors[0]).sum(dim=-1)


def slopes(network: Network, vectors: Tensor, target: int, *, inputs: Inputs | None = None) -> Tensor:
    """Return the gradient of the label's log-odds: vectors (batch, time, width) to the same shape.

    All vectors belong to one input; its neighbour lists, if any, are in `inputs`.
    """
    x = vectors.detach().clone().requires_grad_(True)
    mask = mask_of(torch.full((len(x),), x.shape[1]), x.shape[1])
    with torch.enable_grad(), threads_for_work(work_of(network, *x.shape[:2])):
        repeated = _repeated(inputs, len(x))
        rows, _ = network.pooled(network.states(x, mask, repeated), mask, repeated)
        total = log_odds(network.scores(rows, repeated), target).sum()
        return torch.autograd.grad(total, x)[0]


def _repeated(inputs: Inputs | None, n: int) -> Inputs:
    """Repeat the arrays (1, …) of one input to a batch of n."""
    if not isinstance(inputs, Mapping):
        return {}
    return {name: array.expand(n, *array.shape[1:]) for name, array in inputs.items()}
