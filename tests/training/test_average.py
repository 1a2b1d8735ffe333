"""The running mean of the weights."""

from __future__ import annotations

import torch
from torch import nn

from heedful.training.average import RunningMean
from tests.training.test_loop import same, trainer


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


def test_what_is_kept_is_the_mean_and_training_goes_on_from_the_weights():
    plain, mean = trainer(), trainer(average=0.9)
    first, second = plain.run(), mean.run()
    assert not same(first, second)
    now = dict(mean.network.state_dict())
    assert all(torch.equal(value, now[name]) for name, value in plain.network.state_dict().items())


def test_a_stopped_and_resumed_run_has_the_same_mean(tmp_path):
    unbroken = trainer(average=0.9).run()
    assert trainer(tmp_path, average=0.9, stop_after=11).run().is_interrupted
    assert same(unbroken, trainer(tmp_path, average=0.9).run(resume=True))
