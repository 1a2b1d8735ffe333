"""Dropout keeps the mean and the share."""

import pytest
import torch

from heedful.network.dropout import Dropout


def test_the_share_and_the_mean_are_right():
    torch.manual_seed(0)
    dropped = Dropout(0.25)(torch.ones(1000, 100))
    assert abs(float((dropped == 0).float().mean()) - 0.25) < 0.01
    assert abs(float(dropped.mean()) - 1.0) < 0.01


def test_every_position_is_dropped_as_often_as_any_other():
    torch.manual_seed(0)
    zeros = sum((Dropout(0.5)(torch.ones(64)) == 0).float() for _ in range(4000)) / 4000
    assert zeros.min() > 0.45
    assert zeros.max() < 0.55


def test_nothing_is_dropped_when_not_training():
    x = torch.randn(3, 5)
    assert torch.equal(Dropout(0.5).eval()(x), x)


def test_the_same_seed_drops_the_same():
    x = torch.ones(50)
    torch.manual_seed(3)
    first = Dropout(0.5)(x)
    torch.manual_seed(3)
    assert torch.equal(Dropout(0.5)(x), first)


def test_a_share_of_one_is_refused():
    with pytest.raises(ValueError, match="expected at least 0 and below 1"):
        Dropout(1.0)
