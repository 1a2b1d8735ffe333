"""Seeds of random numbers."""

from __future__ import annotations

import pytest
import torch

from heedful.training.loop.device import seed_random


@pytest.mark.parametrize("seed", [0, 7, 1_000_003 * 5 + 500_000_003])
def test_a_seed_gives_the_numbers_that_torch_gives(seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        expected = torch.rand(5)
        assert not torch.equal(torch.rand(5), expected)
        seed_random(seed, torch.device("cpu"))
        assert torch.equal(torch.rand(5), expected)
