"""Search for very different attention weights with the same prediction (Jain & Wallace 2019)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from heedful.data.batch import pad
from heedful.data.features import Features
from heedful.network.tensors import tensors_of
from heedful.runtime.model import Model
from heedful.torch_model.network import network_of, states_of
from heedful.torch_model.shuffle import answer_to, total_variation
from heedful.training.loop.device import threads

SAME = 0.01  # total variation up to which two predictions count as the same
TRIES, STEPS, RATE, PRESSURE = 4, 120, 0.3, 20.0
SMALLEST = 1e-12


@dataclass(frozen=True)
class Other:
    """The most distant attention weights that give the same prediction."""

    distance: float  # Jensen–Shannon divergence from the model's weights, mean over hops: 0 to ln 2 = 0.693
    change: float  # total variation of the probabilities


@threads(1)  # many steps on small arrays
def furthest_same_answer(model: Model, features: Features, rng: np.random.Generator) -> Other:
    """Move the weights away from the model's by gradient ascent, with a penalty on changes of the prediction."""
    network = network_of(model)
    states, mask = states_of(network, features)
    inputs, _ = tensors_of(pad([features], [0]))
    states = states.clone()  # the original was made in inference mode and cannot be differentiated
    with torch.no_grad():
        _, model_weights = network.pooler(states, mask)  # (1, hop, time)
        answer = answer_to(network, model_weights, states, inputs)
        start = model_weights.clamp(min=SMALLEST).log()
        noise = torch.from_numpy(rng.standard_normal((TRIES, *model_weights.shape[1:]))).to(model_weights.dtype)
    scores = (start + 2.0 * noise).requires_grad_(True)  # (try, hop, time)
    optimiser = torch.optim.Adam([scores], lr=RATE)
    best = Other(0.0, 0.0)
    for _ in range(STEPS):
        weights = scores.softmax(dim=-1)
        distances = divergence(weights, model_weights)
        change = total_variation(answer_to(network, weights, states, inputs), answer)
        best = _better(best, distances, change)
        optimiser.zero_grad()
        loss = (PRESSURE * (change - SAME / 2).clamp(min=0) - distances).sum()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    return best


def divergence(first: Tensor, second: Tensor) -> Tensor:
    """Return the Jensen–Shannon divergence of weights (batch, hop, time), averaged over hops: (batch,)."""
    middle = ((first + second) / 2).clamp(min=SMALLEST).log()
    halves = [side * (side.clamp(min=SMALLEST).log() - middle) for side in (first, second)]
    return (halves[0] + halves[1]).sum(dim=-1).mean(dim=-1) / 2


def _better(best: Other, distances: Tensor, change: Tensor) -> Other:
    for distance, changed in zip(distances.tolist(), change.tolist(), strict=True):
        if changed <= SAME and distance > best.distance:
            best = Other(distance, changed)
    return best
