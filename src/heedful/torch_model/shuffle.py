"""Predictions for shuffled weights: does the prediction depend on the attention?"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from heedful.data.features import Features
from heedful.network.network import Network
from heedful.network.poolers.hop_attention import HopAttention
from heedful.network.poolers.mean_max_last import MeanPooler
from heedful.network.poolers.structured_attention import StructuredAttention
from heedful.runtime.model import Model
from heedful.torch_model.network import network_of, states_of
from heedful.training.loop.device import threads

TIMES = 100
MOST_NUMBERS = 4_000_000  # of weights in one go


def can_be_shuffled(model: Model) -> bool:
    """Return whether the rows are made from the weights: of max and last pooling they are not."""
    return isinstance(network_of(model).pooler, (StructuredAttention, HopAttention, MeanPooler))


def shuffle_effect(model: Model, features: Features, rng: np.random.Generator, *, times: int = TIMES) -> float:
    """Return how far the probabilities move (total variation, mean) when each hop's weights change places."""
    network = network_of(model)
    states, mask = states_of(network, features)
    with torch.inference_mode(), threads(1):
        _, weights = network.pooler(states, mask)  # (1, hop, time)
        own = answer_to(network, weights, states)
        size = max(1, MOST_NUMBERS // weights.numel())
        rounds = [min(size, times - start) for start in range(0, times, size)]
        moved = [total_variation(answer_to(network, _shuffled(weights, n, rng), states), own) for n in rounds]
    return float(torch.cat(moved).mean())


def answer_to(network: Network, weights: Tensor, states: Tensor) -> Tensor:
    """Return probabilities for weights (batch, hop, time) over the states (1, time, width)."""
    return network.head(weights @ states).softmax(dim=-1)


def total_variation(first: Tensor, second: Tensor) -> Tensor:
    """Return half the sum of differences of two distributions: (batch, class) to (batch,)."""
    return (first - second).abs().sum(dim=-1) / 2


def _shuffled(weights: Tensor, n: int, rng: np.random.Generator) -> Tensor:
    """Return weights (n, hop, time), each hop in an order of its own."""
    _, hops, time = weights.shape
    orders = torch.from_numpy(rng.random((n, hops, time), dtype=np.float32)).argsort(dim=-1)
    return weights.expand(n, -1, -1).gather(-1, orders)
