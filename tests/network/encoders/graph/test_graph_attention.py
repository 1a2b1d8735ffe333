"""Graph attention: against the paper's formula in loops, and the contracts of an encoder."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from heedful.network.encoders.graph.graph_attention import GraphAttention
from heedful.network.protocols import Neighbours

IN, WIDTH, HEADS, KINDS = 5, 12, 3, 4
MASK = torch.arange(6) < torch.tensor([6, 1, 4, 0])[:, None]


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


def encoder(**more) -> GraphAttention:
    made = GraphAttention(IN, WIDTH, n_layers=2, n_heads=HEADS, n_links=KINDS, **more)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return made.eval()


def inputs() -> tuple[torch.Tensor, torch.Tensor, Neighbours]:
    batch, time = MASK.shape
    near = torch.randint(0, 10**6, (batch, time, 3)) % MASK.sum(1).clamp(min=1)[:, None, None]
    links = torch.randint(0, KINDS, near.shape)
    near[:, :, 0], links[:, :, 0] = torch.arange(time) * MASK, 1
    return torch.randn(batch, time, IN), MASK, Neighbours(near, links)


def by_loops(layer: nn.Module, x: torch.Tensor, near: torch.Tensor, links: torch.Tensor) -> torch.Tensor:
    """One layer on one graph (time, width), as the paper has it."""
    size = WIDTH // HEADS
    given = layer.give(x)
    found = torch.zeros(len(x), WIDTH)
    for head in range(HEADS):
        own = given[:, head * size : (head + 1) * size]
        for i in range(len(x)):
            links_of = [(int(near[i, k]), int(links[i, k])) for k in range(near.shape[1]) if links[i, k] > 0]
            scores = torch.stack(
                [own[i] @ layer.asks[head] + own[j] @ layer.answers[head] + layer.links[k, head] for j, k in links_of]
            )
            shares = nn.functional.leaky_relu(scores, 0.2).softmax(0)
            found[i, head * size : (head + 1) * size] = sum(
                share * own[j] for share, (j, _) in zip(shares, links_of, strict=True)
            )
    return nn.functional.elu(found + layer.bias)


def test_it_is_the_papers_formula():
    made, (x, mask, (near, links)) = encoder(), inputs()
    states = made(x, mask, Neighbours(near, links))
    for i, n in ((0, 6), (1, 1), (2, 4)):
        expected = x[i, :n]
        for layer in made.layers:
            expected = by_loops(layer, expected, near[i, :n], links[i, :n])
        torch.testing.assert_close(states[i, :n], expected, atol=1e-5, rtol=1e-5)


def test_pads_are_zero_and_company_changes_nothing():
    made, (x, mask, (near, links)) = encoder(), inputs()
    states = made(x, mask, Neighbours(near, links))
    assert not states[~mask].any()
    alone = made(x[2:3, :4], mask[2:3, :4], Neighbours(near[2:3, :4], links[2:3, :4]))
    torch.testing.assert_close(states[2, :4], alone[0], atol=1e-6, rtol=1e-5)


def test_a_set_has_no_order():
    made, (x, mask, (near, links)) = encoder(), inputs()
    order = torch.randperm(6)
    place = torch.argsort(order)
    moved = made(x[:1, order], mask[:1], Neighbours(place[near[:1, order]], links[:1, order]))
    torch.testing.assert_close(
        moved[0], made(x[:1], mask[:1], Neighbours(near[:1], links[:1]))[0, order], atol=1e-5, rtol=1e-5
    )


def test_gradients_reach_every_parameter():
    made = encoder().train()
    made(*inputs()).square().sum().backward()
    assert all(p.grad is not None and p.grad.isfinite().all() for p in made.parameters())
    assert all(p.grad.abs().sum() > 0 for name, p in made.named_parameters() if not name.endswith("asks"))


def test_heads_must_share_the_width_evenly():
    with pytest.raises(ValueError, match="a width of 10 cannot be shared by 3 heads"):
        GraphAttention(IN, 10, n_layers=1, n_heads=3)
