"""Every token is a hop of its own."""

import pytest
import torch

from heedful.network.poolers.per_token import PerToken
from heedful.network.scores.parts import SCORES
from heedful.network.scores.score import build_score

WIDTH, LENGTHS, TIME = 6, (5, 3, 1), 5


def made(name: str):
    torch.manual_seed(0)
    return PerToken(WIDTH, build_score(name, query_width=WIDTH, key_width=WIDTH, width=4)).eval()


def inputs():
    """Return states with noise on the pads, and their mask."""
    torch.manual_seed(1)
    return torch.randn(3, TIME, WIDTH), torch.arange(TIME) < torch.tensor(LENGTHS)[:, None]


@pytest.mark.parametrize("name", SCORES)
def test_each_real_token_shares_one_among_real_tokens_and_a_pad_looks_at_nothing(name):
    states, mask = inputs()
    rows, weights = made(name)(states, mask)
    assert rows.shape == (3, TIME, made(name).row_width)
    assert weights.shape == (3, TIME, TIME)
    assert weights.min() >= 0
    assert torch.allclose(weights.sum(-1), mask.float(), atol=1e-6)
    assert weights[~mask[:, None, :].expand_as(weights)].abs().max() == 0
    assert rows[~mask].abs().max() == 0


@pytest.mark.parametrize("name", SCORES)
def test_a_row_is_the_state_and_what_it_looked_at(name):
    states, mask = inputs()
    pooler = made(name)
    rows, weights = pooler(states, mask)
    scores = pooler.score(states[1:2, :3], states[1:2, :3])[0]
    by_hand = torch.softmax(scores, dim=-1)
    assert torch.allclose(weights[1, :3, :3], by_hand, atol=1e-6)
    assert torch.allclose(rows[1, :3], torch.cat([states[1, :3], by_hand @ states[1, :3]], dim=1), atol=1e-6)


@pytest.mark.parametrize("name", SCORES)
def test_neither_padding_nor_company_changes_a_row(name):
    states, mask = inputs()
    pooler = made(name)
    rows, weights = pooler(states, mask)
    longer = torch.cat([states, torch.full((3, 2, WIDTH), 7.0)], 1)
    more_rows, more_weights = pooler(longer, torch.cat([mask, torch.zeros(3, 2, dtype=torch.bool)], 1))
    assert torch.allclose(more_rows[:, :TIME], rows, atol=1e-6)
    assert torch.allclose(more_weights[:, :TIME, :TIME], weights, atol=1e-6)
    for i, n in enumerate(LENGTHS):
        alone, _ = pooler(states[i : i + 1, :n], mask[i : i + 1, :n])
        assert torch.allclose(rows[i, :n], alone[0], atol=1e-6)


@pytest.mark.parametrize("name", SCORES)
def test_an_empty_text_has_rows_of_zeros(name):
    states, mask = inputs()
    mask[1] = False
    rows, weights = made(name)(states, mask)
    assert torch.isfinite(rows).all()
    assert rows[1].abs().max() == weights[1].abs().max() == 0


@pytest.mark.parametrize("name", ["additive", "general", "content", "location"])
def test_gradients_reach_every_parameter(name):
    states, mask = inputs()
    pooler = made(name)
    pooler(states, mask)[0].square().sum().backward()
    assert all(p.grad is not None and p.grad.abs().max() > 0 for p in pooler.parameters())
