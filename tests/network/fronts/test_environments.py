"""Atoms beside what stands around them."""

import torch

from heedful.network.fronts.embed import Scaled
from heedful.network.fronts.environments import Environments

VECTORS = torch.tensor([[[1.0, 2.0], [3.0, 4.0], [0.0, 0.0]]])  # (1, 3, 2): two atoms and a pad
PATTERNS = torch.tensor([[[2, 3], [3, 3], [0, 0]]])


def made():
    torch.manual_seed(0)
    front = Environments(2, n_surroundings=5, embed_width=4)
    front.mean.copy_(torch.tensor([1.0, 0.0]))
    front.spread.copy_(torch.tensor([2.0, 1.0]))
    return front


def test_the_first_columns_are_the_atoms_own_and_the_others_the_sum_of_its_patterns():
    front = made()
    found = front({"vectors": VECTORS, "surroundings": PATTERNS})
    assert isinstance(front, Scaled) and found.shape == (1, 3, front.width) == (1, 3, 6)
    assert torch.equal(found[0, 0, :2], torch.tensor([0.0, 2.0]))
    table = front.patterns.weight
    assert torch.allclose(found[0, :2, 2:], torch.stack([table[2] + table[3], 2 * table[3]]))


def test_a_pad_has_no_pattern_and_more_padding_changes_nothing():
    front = made()
    found = front({"vectors": VECTORS, "surroundings": PATTERNS})
    assert found[0, 2, 2:].abs().max() == 0
    more = torch.cat([PATTERNS, torch.zeros(1, 3, 2, dtype=torch.long)], dim=2)
    assert torch.allclose(front({"vectors": VECTORS, "surroundings": more}), found)


def test_gradients_are_sparse_and_reach_the_patterns_that_are_there_but_no_pad():
    front = made()
    front({"vectors": VECTORS, "surroundings": PATTERNS}).square().sum().backward()
    grad = front.patterns.weight.grad
    assert grad.is_sparse
    assert (grad.to_dense().abs().amax(1) > 0).tolist() == [False, False, True, True, False]
