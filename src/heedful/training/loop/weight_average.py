"""A running mean of the weights, which is steadier from epoch to epoch than the weights themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor, nn

RISE = 10  # steps: the first weights are random, so the decay starts small


class RunningMean:
    """mean ← decay · mean + (1 − decay) · weights, after every step; decay starts near 0 and rises."""

    def __init__(self, network: nn.Module, decay: float) -> None:
        self.decay, self.network = decay, network
        self.mean = {name: tensor.detach().clone() for name, tensor in self._weights().items()}

    def _weights(self) -> dict[str, Tensor]:
        return {name: tensor for name, tensor in self.network.state_dict().items() if tensor.is_floating_point()}

    def update(self, step: int) -> None:
        """Take in the weights after so many steps."""
        decay = min(self.decay, (1 + step) / (RISE + step))
        weights = self._weights()
        torch._foreach_lerp_(list(self.mean.values()), [weights[name] for name in self.mean], 1.0 - decay)

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Let the network have the mean weights for a while."""
        own = {name: tensor.detach().clone() for name, tensor in self._weights().items()}
        self.load(self.mean)
        try:
            yield
        finally:
            self.load(own)

    def load(self, weights: Mapping[str, Tensor]) -> None:
        """Give the network these weights."""
        with torch.no_grad():
            for name, tensor in self._weights().items():
                tensor.copy_(weights[name])
