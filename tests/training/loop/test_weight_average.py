"""The running mean of the weights."""

from __future__ import annotations

import torch
from torch import nn

from heedful.training.loop.weight_average import RunningMean


def test_the_mean_is_that_of_the_formula():
    layer = nn.Linear(1, 1)
    average = RunningMean(layer, 0.5)
    expected = layer.weight.item()
    for step in range(30):
        with torch.no_grad():
            layer.weight.fill_(float(step))
        average.update(step)
        decay = min(0.5, (1 + step) / (10 + step))
        expected = decay * expected + (1 - decay) * step
    assert abs(average.mean["weight"].item() - expected) < 1e-4
    with average.in_place():
        assert abs(layer.weight.item() - expected) < 1e-4
    assert layer.weight.item() == 29.0
