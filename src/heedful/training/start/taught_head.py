"""A linear head that is closest to a teacher's scores: where a network that learns from them begins."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from heedful.data.features import Features
from heedful.network.network import Network
from heedful.training.start.fits import threads_for_work
from heedful.training.start.head_fit import place_linear, probe_inputs

MOST = 10_000  # texts that the head is fitted to
STRENGTH = 0.1  # of the ridge, for vectors of length 1


def fit_head_to_scores(network: Network, features: Sequence[Features], scores: Tensor) -> None:
    """Fit the head by ridge regression to the scores (input, label) of some of the inputs."""
    step = -(-len(features) // MOST)
    inputs = probe_inputs(network, features[::step])
    x = torch.from_numpy(np.column_stack([inputs.vectors, np.ones(len(inputs.vectors), np.float32)])).double()
    ridge = torch.full((x.shape[1],), STRENGTH, dtype=torch.float64)
    ridge[-1] = 1e-8  # the bias is free
    with threads_for_work(x.numel() * x.shape[1]):
        solution = torch.linalg.solve(x.T @ x + torch.diag(ridge), x.T @ scores[::step].double()).float()
    place_linear(network, solution[:-1].T, solution[-1], size=inputs.size)
