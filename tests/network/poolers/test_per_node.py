import math

import pytest
import torch

from heedful.network.poolers.per_node import PerNode
from heedful.network.protocols import Neighbours

NEAR = torch.tensor([[[0, 1, 0], [1, 0, 2], [2, 1, 0], [0, 0, 0]], [[0, 1, 0], [1, 0, 0], [0, 0, 0], [0, 0, 0]]])
LINKS = torch.tensor([[[1, 2, 0], [1, 2, 3], [1, 3, 0], [0, 0, 0]], [[1, 2, 0], [1, 2, 0], [0, 0, 0], [0, 0, 0]]])
MASK = torch.tensor([[True, True, True, False], [True, True, False, False]])


@pytest.fixture
def layer():
    torch.manual_seed(0)
    return PerNode(4, n_links=4).eval()


@pytest.fixture
def states():
    torch.manual_seed(1)
    return torch.randn(2, 4, 4) * MASK[:, :, None]


def test_each_node_looks_at_its_neighbours_and_at_nobody_else(layer, states):
    rows, weights = layer(states, MASK, Neighbours(NEAR, LINKS))
    assert rows.shape == (2, 4, 4) and weights.shape == (2, 4, 4)
    assert ((weights[0] > 0) == torch.tensor([[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0]]).bool()).all()
    assert ((weights[1] > 0) == torch.tensor([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]).bool()).all()
    assert torch.allclose(weights.sum(-1), MASK.float())
    assert (rows[~MASK] == 0).all() and torch.allclose(rows, weights @ states, atol=1e-6)


def test_weights_are_those_of_scaled_dot_products_by_hand(layer, states):
    _, weights = layer(states, MASK, Neighbours(NEAR, LINKS))
    h, node, looked, kinds = states[0], 1, [1, 0, 2], [1, 2, 3]
    keys = layer.keys(h[looked]) + layer.link_keys[kinds]
    shares = torch.softmax(keys @ layer.queries(h[node]) / math.sqrt(4), dim=0)
    assert torch.allclose(weights[0, node, looked], shares, atol=1e-6)


def test_gradients_reach_every_parameter(layer, states):
    rows, weights = layer(states, MASK, Neighbours(NEAR, LINKS))
    (rows.square().sum() + weights.square().sum()).backward()
    assert all(p.grad is not None and p.grad.abs().max() > 1e-9 for p in layer.parameters())


def test_more_padding_and_other_company_change_nothing(layer, states):
    rows, weights = layer(states, MASK, Neighbours(NEAR, LINKS))
    alone, looked = layer(states[1:, :2], MASK[1:, :2], Neighbours(NEAR[1:, :2, :2], LINKS[1:, :2, :2]))
    assert torch.allclose(rows[1, :2], alone[0], atol=1e-6) and torch.allclose(weights[1, :2, :2], looked[0], atol=1e-6)
