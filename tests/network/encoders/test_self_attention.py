"""The plain path, the fast path and a loop over words, side by side."""

from __future__ import annotations

import math

import pytest
import torch
from torch import nn

from heedful.network.encoders.self_attention import SelfAttention, fast_attention, plain_attention

WIDTH = 12
LENGTHS = torch.tensor([7, 1, 4, 0])
MASK = torch.arange(7) < LENGTHS[:, None]
CLOSE = {"atol": 1e-5, "rtol": 1e-5}


def both(n_heads: int) -> tuple[SelfAttention, SelfAttention]:
    torch.manual_seed(n_heads)
    plain, fast = (SelfAttention(WIDTH, n_heads=n_heads, fast=is_fast) for is_fast in (False, True))
    fast.load_state_dict(plain.state_dict())
    return plain, fast


def by_loops(layer: SelfAttention, states: torch.Tensor, n: int) -> tuple[torch.Tensor, torch.Tensor]:
    """The six steps of one text, word by word: its seen vectors and its weights."""
    size = WIDTH // layer.n_heads
    q, k, v = (part(states) for part in (layer.queries, layer.keys, layer.values))
    seen, weights = torch.zeros(n, WIDTH), torch.zeros(layer.n_heads, n, n)
    for head in range(layer.n_heads):
        columns = slice(head * size, (head + 1) * size)
        for i in range(n):
            scores = [float(q[i, columns] @ k[j, columns]) / math.sqrt(size) for j in range(n)]
            powers = [math.exp(score - max(scores)) for score in scores]
            for j in range(n):
                weights[head, i, j] = powers[j] / sum(powers)
                seen[i, columns] += weights[head, i, j] * v[j, columns]
    return layer.join(seen), weights


@pytest.mark.parametrize("n_heads", [1, 2, 3, 12])
@torch.no_grad()
def test_the_two_paths_are_equal_and_are_the_six_steps(n_heads):
    plain, fast = both(n_heads)
    x = torch.randn(4, 7, WIDTH)
    (seen, weights), (seen_fast, weights_fast) = plain(x, MASK), fast(x, MASK)
    torch.testing.assert_close(seen_fast, seen, **CLOSE)
    torch.testing.assert_close(weights_fast, weights, **CLOSE)
    for text, n in enumerate(LENGTHS[:3].tolist()):
        expected, shares = by_loops(plain, x[text, :n], n)
        torch.testing.assert_close(seen[text, :n], expected, **CLOSE)
        torch.testing.assert_close(weights[text, :, :n, :n], shares, **CLOSE)


def test_asking_for_weights_does_not_change_the_answer():
    _, fast = both(3)
    x = torch.randn(4, 7, WIDTH)
    (seen, weights), (alone, nothing) = fast(x, MASK), fast(x, MASK, need_weights=False)
    assert nothing is None and weights is not None
    assert torch.equal(seen, alone)


@pytest.mark.parametrize("path", [0, 1], ids=["plain", "fast"])
def test_weights_are_shares_of_the_real_tokens(path):
    _, weights = both(3)[path](torch.randn(4, 7, WIDTH), MASK)
    assert weights.shape == (4, 3, 7, 7) and weights.min() >= 0
    assert weights.masked_select(~MASK[:, None, None, :].expand_as(weights)).abs().max() == 0
    torch.testing.assert_close(weights.sum(-1)[:3], torch.ones(3, 3, 7))
    assert weights[3].abs().max() == 0, "a text without tokens has nothing to look at"


@pytest.mark.parametrize("n_heads", [1, 3])
def test_gradients_of_the_two_paths_are_equal(n_heads):
    layers, found = both(n_heads), []
    x, wanted = torch.randn(4, 7, WIDTH), torch.randn(4, 7, WIDTH)
    for layer in layers:
        own = x.clone().requires_grad_()
        (layer(own, MASK)[0] * wanted).sum().backward()
        found.append([own.grad, *(p.grad for p in layer.parameters())])
    assert found[0][0].abs().max() > 0
    for plain, fast in zip(*found, strict=True):
        assert torch.isfinite(plain).all() and torch.isfinite(fast).all()
        torch.testing.assert_close(fast, plain, **CLOSE)


@pytest.mark.parametrize("size", [1.0, 1e4, 1e18])
def test_what_is_fully_masked_is_exactly_0_and_never_nan(size):
    q, k, v = (size * torch.randn(2, 2, 5, 3) for _ in range(3))
    mask = torch.tensor([[True, True, False, False, False], [False] * 5])
    plain, weights = plain_attention(q, k, v, mask)
    fast = fast_attention(q, k, v, mask)
    for found in (plain, weights, fast):
        assert torch.isfinite(found).all() and found[1].abs().max() == 0
        assert found[0].abs().max() > 0


@pytest.mark.parametrize("path", [0, 1], ids=["plain", "fast"])
def test_what_stands_on_pads_changes_nothing(path):
    layer, x = both(2)[path], torch.randn(4, 7, WIDTH)
    other = torch.where(MASK[:, :, None], x, 1e3 * torch.randn_like(x))
    (seen, _), (again, _) = layer(x, MASK), layer(other, MASK)
    assert not torch.equal(x, other)
    torch.testing.assert_close(seen[MASK], again[MASK], **CLOSE)


def test_it_is_torchs_own_multi_head_attention():
    layer, x = both(3)[0], torch.randn(3, 7, WIDTH)
    theirs = nn.MultiheadAttention(WIDTH, 3, batch_first=True)
    parts = (layer.queries, layer.keys, layer.values)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
        theirs.in_proj_bias.copy_(torch.cat([part.bias for part in parts]))
    theirs.out_proj.load_state_dict(layer.join.state_dict())
    expected, shares = theirs(x, x, x, key_padding_mask=~MASK[:3], average_attn_weights=False)
    seen, weights = layer(x, MASK[:3])
    torch.testing.assert_close(seen, expected, **CLOSE)
    torch.testing.assert_close(weights, shares, **CLOSE)


def test_heads_that_do_not_share_the_width_are_named():
    with pytest.raises(ValueError, match="a width of 10 cannot be shared by 3 heads"):
        SelfAttention(10, n_heads=3)
