"""Can quite other weights give the same answer? A search for them (Jain & Wallace 2019)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from heedful.data.features import Features
from heedful.runtime.model import Model
from heedful.torch_model.network import network_of, states_of
from heedful.torch_model.shuffle import answer_to, total_variation
from heedful.training.loop.device import threads

SAME = 0.01  # total variation up to which two answers count as the same
TRIES, STEPS, RATE, PRESSURE = 4, 120, 0.3, 20.0
SMALLEST = 1e-12


@dataclass(frozen=True)
class Other:
    """The furthest weights found that give the same answer."""

    distance: float  # Jensen–Shannon divergence from the model's own, mean of the hops: 0 to ln 2 = 0.693
    change: float  # total variation of the probabilities


@threads(1)  # the arrays are small, the steps many
def furthest_same_answer(model: Model, features: Features, rng: np.random.Generator) -> Other:
    """Push weights away from the model's own by gradient ascent, and pull the answer back to its own."""
    network = network_of(model)
    states, mask = states_of(network, features)
    states = states.clone()  # made in inference mode; gradients pass through the copy
    with torch.no_grad():
        _, own = network.pooler(states, mask)  # (1, hop, time)
        answer = answer_to(network, own, states)
        start = own.clamp(min=SMALLEST).log()
        noise = torch.from_numpy(rng.standard_normal((TRIES, *own.shape[1:]))).to(own.dtype)
    scores = (start + 2.0 * noise).requires_grad_(True)  # (try, hop, time)
    optimiser = torch.optim.Adam([scores], lr=RATE)
    best = Other(0.0, 0.0)
    for _ in range(STEPS):
        weights = scores.softmax(dim=-1)
        distances = divergence(weights, own)
        change = total_variation(answer_to(network, weights, states), answer)
        best = _better(best, distances, change)
        optimiser.zero_grad()
        loss = (PRESSURE * (change - SAME / 2).clamp(min=0) - distances).sum()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    return best


def divergence(first: Tensor, second: Tensor) -> Tensor:
    """Return the Jensen–Shannon divergence of weights (batch, hop, time), mean of the hops: (batch,)."""
    middle = ((first + second) / 2).clamp(min=SMALLEST).log()
    halves = [side * (side.clamp(min=SMALLEST).log() - middle) for side in (first, second)]
    return (halves[0] + halves[1]).sum(dim=-1).mean(dim=-1) / 2


def _better(best: Other, distances: Tensor, change: Tensor) -> Other:
    for distance, changed in zip(distances.tolist(), change.tolist(), strict=True):
        if changed <= SAME and distance > best.distance:
            best = Other(distance, changed)
    return best
