import math

import pytest
import torch

from heedful.layers.each_near import EachNear

NEAR = torch.tensor([[[0, 1, 0], [1, 0, 2], [2, 1, 0], [0, 0, 0]], [[0, 1, 0], [1, 0, 0], [0, 0, 0], [0, 0, 0]]])
LINKS = torch.tensor([[[1, 2, 0], [1, 2, 3], [1, 3, 0], [0, 0, 0]], [[1, 2, 0], [1, 2, 0], [0, 0, 0], [0, 0, 0]]])
MASK = torch.tensor([[True, True, True, False], [True, True, False, False]])


@pytest.fixture
def layer():
    torch.manual_seed(0)
    return EachNear(4, n_links=4).eval()


@pytest.fixture
def states():
    torch.manual_seed(1)
    return torch.randn(2, 4, 4) * MASK[:, :, None]


def test_each_node_looks_at_its_neighbours_and_at_nobody_else(layer, states):
    rows, weights = layer(states, MASK, NEAR, LINKS)
    assert rows.shape == (2, 4, 8) and weights.shape == (2, 4, 4)
    assert ((weights[0] > 0) == torch.tensor([[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0]]).bool()).all()
    assert ((weights[1] > 0) == torch.tensor([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]).bool()).all()
    assert torch.allclose(weights.sum(-1), MASK.float())
    assert (rows[~MASK] == 0).all() and torch.equal(rows[..., :4], states)


def test_a_row_is_the_state_and_what_the_neighbours_give_by_hand(layer, states):
    rows, weights = layer(states, MASK, NEAR, LINKS)
    attention, h, node, looked, kinds = layer.attention, states[0], 1, [1, 0, 2], [1, 2, 3]
    keys = attention.keys(h[looked]) + attention.link_keys[kinds]
    shares = torch.softmax(keys @ attention.queries(h[node]) / math.sqrt(4), dim=0)
    seen = attention.join(shares @ (attention.values(h[looked]) + attention.link_values[kinds]))
    assert torch.allclose(weights[0, node, looked], shares, atol=1e-6)
    assert torch.allclose(rows[0, node, 4:], seen, atol=1e-6)


def test_gradients_reach_every_parameter(layer, states):
    rows, weights = layer(states, MASK, NEAR, LINKS)
    (rows.square().sum() + weights.square().sum()).backward()
    # A key bias adds the same to all scores of a node: the softmax does not see it.
    missing = [name for name, p in layer.named_parameters() if p.grad is None or not p.grad.abs().max() > 1e-9]
    assert missing in ([], ["attention.keys.bias"])


def test_more_padding_and_other_company_change_nothing(layer, states):
    rows, weights = layer(states, MASK, NEAR, LINKS)
    alone, looked = layer(states[1:, :2], MASK[1:, :2], NEAR[1:, :2, :2], LINKS[1:, :2, :2])
    assert torch.allclose(rows[1, :2], alone[0], atol=1e-6) and torch.allclose(weights[1, :2, :2], looked[0], atol=1e-6)
