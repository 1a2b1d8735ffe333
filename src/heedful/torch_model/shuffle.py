"""Predictions with shuffled attention weights: does the prediction depend on attention?"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from heedful.data.batch import pad
from heedful.data.features import Features
from heedful.network.network import Inputs, Network
from heedful.network.tensors import tensors_of
from heedful.runtime.model import Model
from heedful.torch_model.network import network_of, states_of
from heedful.training.loop.device import threads

TIMES = 100
MOST_NUMBERS = 4_000_000  # weights per batch


def can_be_shuffled(model: Model) -> bool:
    """Return whether the rows depend on the weights, unlike with max and last pooling."""
    return getattr(network_of(model).pooler, "is_weighted_sum", False)


def shuffle_effect(model: Model, features: Features, rng: np.random.Generator, *, times: int = TIMES) -> float:
    """Return the mean total variation of the probabilities when the weights of each hop are permuted."""
    network = network_of(model)
    states, mask = states_of(network, features)
    inputs, _ = tensors_of(pad([features], [0]))
    with torch.inference_mode(), threads(1):
        _, weights = network.pooler(states, mask)  # (1, hop, time)
        prediction = answer_to(network, weights, states, inputs)
        size = max(1, MOST_NUMBERS // weights.numel())
        rounds = [min(size, times - start) for start in range(0, times, size)]
        changes = [
            total_variation(answer_to(network, _shuffled(weights, n, rng), states, inputs), prediction) for n in rounds
        ]
    return float(torch.cat(changes).mean())


def answer_to(network: Network, weights: Tensor, states: Tensor, inputs: Inputs) -> Tensor:
    """Return probabilities for weights (batch, hop, time) over the states (1, time, width)."""
    return network.scores(weights @ states, inputs).softmax(dim=-1)


def total_variation(first: Tensor, second: Tensor) -> Tensor:
    """Return the total variation distance of two distributions: (batch, class) to (batch,)."""
    return (first - second).abs().sum(dim=-1) / 2


def _shuffled(weights: Tensor, n: int, rng: np.random.Generator) -> Tensor:
    """Return weights (n, hop, time), each hop permuted independently."""
    _, hops, time = weights.shape
    orders = torch.from_numpy(rng.random((n, hops, time), dtype=np.float32)).argsort(dim=-1)
    return weights.expand(n, -1, -1).gather(-1, orders)
