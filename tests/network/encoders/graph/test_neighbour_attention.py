"""Attention among neighbours: against torch's own attention, and the contracts of an encoder."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from heedful.network.encoders.graph.edges import edges_of
from heedful.network.encoders.graph.neighbour_attention import EdgeAttention, NeighbourAttention
from heedful.network.protocols import Neighbours

IN, WIDTH, HEADS, KINDS = 5, 12, 3, 6
LENGTHS = (7, 1, 4, 0)
MASK = torch.arange(7) < torch.tensor(LENGTHS)[:, None]


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


def shaken(module: nn.Module) -> nn.Module:
    """Give every number a chance to matter: fresh norms are 1 and 0."""
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return module.eval()


def encoder(**more) -> NeighbourAttention:
    return shaken(NeighbourAttention(IN, WIDTH, n_layers=2, n_heads=HEADS, inner_units=20, n_links=KINDS, **more))


def lists(mask: torch.Tensor, most: int = 4) -> tuple[torch.Tensor, torch.Tensor]:
    """Return near and links (batch, time, most): itself, then others at random; noise on pads."""
    batch, time = mask.shape
    lengths = mask.sum(1).clamp(min=1)[:, None, None]
    near = torch.randint(0, 10**6, (batch, time, most)) % lengths
    links = torch.randint(0, KINDS, (batch, time, most))
    near[:, :, 0], links[:, :, 0] = torch.arange(time) * mask, 1
    return near, links


def inputs() -> tuple[torch.Tensor, torch.Tensor, Neighbours]:
    return torch.randn(*MASK.shape, IN), MASK, Neighbours(*lists(MASK))


def everyone(batch: int, time: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return lists in which each is linked to all, by links of one kind."""
    near = torch.arange(time).expand(batch, time, time).contiguous()
    return near, torch.full_like(near, 2)


def test_linked_to_all_it_is_torchs_attention():
    ours, x = shaken(EdgeAttention(WIDTH, n_heads=HEADS, n_links=3)), torch.randn(3, 7, WIDTH)
    theirs = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)
    parts, mask = (ours.queries, ours.keys, ours.values), MASK[:3]
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
        theirs.in_proj_bias.copy_(torch.cat([part.bias for part in parts]))
        theirs.in_proj_bias[WIDTH:] += torch.cat([ours.link_keys[2], ours.link_values[2]])
        theirs.out_proj.load_state_dict(ours.join.state_dict())
    edges = edges_of(mask, Neighbours(*everyone(3, 7)))
    found, weights = ours(x, edges)
    expected, looks = theirs(x, x, x, key_padding_mask=~mask, average_attn_weights=False)
    torch.testing.assert_close(found[mask], expected[mask], atol=1e-5, rtol=1e-5)
    in_lists = edges.in_lists(weights, torch.Size((3, 7, 7)))
    torch.testing.assert_close(in_lists, looks * mask[:, None, :, None], atol=1e-5, rtol=1e-5)


def test_attention_by_hand():
    layer = shaken(EdgeAttention(WIDTH, n_heads=HEADS, n_links=KINDS))
    x, mask, near, links = torch.randn(*MASK.shape, WIDTH), MASK, *lists(MASK)
    found, _ = layer(x, edges_of(mask, Neighbours(near, links)))
    q, k, v = layer.queries(x), layer.keys(x), layer.values(x)
    for b, t in [(0, 0), (0, 6), (1, 0), (2, 3)]:
        kept = [i for i in range(near.shape[2]) if links[b, t, i] > 0]
        keys = torch.stack([k[b, near[b, t, i]] + layer.link_keys[links[b, t, i]] for i in kept])
        values = torch.stack([v[b, near[b, t, i]] + layer.link_values[links[b, t, i]] for i in kept])
        heads = [slice(4 * h, 4 * h + 4) for h in range(HEADS)]
        seen = [torch.softmax(keys[:, h] @ q[b, t, h] / 2, 0) @ values[:, h] for h in heads]
        torch.testing.assert_close(found[b, t], layer.join(torch.cat(seen)), atol=1e-5, rtol=1e-5)


def test_states_are_0_on_pads_and_have_their_width():
    found = encoder()
    states = found(*inputs())
    assert states.shape == (4, 7, found.width) and states[MASK].abs().min() > 0
    assert states[~MASK].abs().max() == 0


def test_more_padding_of_every_axis_changes_nothing():
    found, (x, mask, (near, links)) = encoder(), inputs()
    states = found(x, mask, Neighbours(near, links))
    x = torch.cat([x, torch.full((4, 3, IN), 7.0)], 1)
    mask = torch.cat([mask, torch.zeros(4, 3, dtype=torch.bool)], 1)
    near, links = (nn.functional.pad(lists, (0, 5, 0, 3)) for lists in (near, links))
    torch.testing.assert_close(found(x, mask, Neighbours(near, links))[:, :7], states, atol=1e-5, rtol=1e-5)


def test_company_in_the_batch_changes_nothing():
    found, (x, mask, (near, links)) = encoder(), inputs()
    together = found(x, mask, Neighbours(near, links))
    for i, n in enumerate(LENGTHS):
        alone = found(x[i : i + 1, :n], mask[i : i + 1, :n], Neighbours(near[i : i + 1, :n], links[i : i + 1, :n]))
        torch.testing.assert_close(together[i, :n], alone[0], atol=1e-5, rtol=1e-5)


def test_a_link_to_a_pad_is_none():
    found, (x, mask, (near, links)) = encoder(), inputs()
    assert links[2, 0, 1:].max() > 0
    near[2, 0, 1:] = 6  # beyond its length
    other = x.clone()
    other[2, 6] = 100.0
    assert torch.equal(found(x, mask, Neighbours(near, links)), found(other, mask, Neighbours(near, links)))


def test_an_empty_set_is_finite_and_has_a_finite_gradient():
    found, (x, mask, (near, links)) = encoder(), inputs()
    x.requires_grad_()
    found(x, mask, Neighbours(near, links)).square().sum().backward()
    assert all(torch.isfinite(p.grad).all() for p in [x, *found.parameters()])
    assert x.grad[~mask].abs().max() == 0
    only = found(x[3:], mask[3:], Neighbours(near[3:], links[3:]))
    assert only.abs().max() == 0


def test_gradients_reach_every_parameter():
    found = encoder()
    found(*inputs()).square().sum().backward()
    for name, parameter in found.named_parameters():
        assert parameter.grad is not None and parameter.grad.abs().max() > 0, name


@settings(max_examples=20, deadline=None)
@given(st.permutations(range(7)))
def test_another_order_gives_the_same_states_in_that_order(order):
    found = encoder()
    x, mask = torch.randn(1, 7, IN), torch.ones(1, 7, dtype=torch.bool)
    near, links = lists(mask)
    order = torch.tensor(order)
    back = torch.argsort(order)
    shuffled = found(x[:, order], mask, Neighbours(back[near[:, order]], links[:, order]))
    torch.testing.assert_close(shuffled, found(x, mask, Neighbours(near, links))[:, order], atol=1e-5, rtol=1e-5)


def test_a_state_depends_on_those_within_as_many_steps_as_there_are_layers_and_on_no_other():
    found, n = encoder(), 6
    x, mask = torch.randn(1, n, IN, requires_grad=True), torch.ones(1, n, dtype=torch.bool)
    near = torch.tensor([[[t, max(0, t - 1)] for t in range(n)]])  # a chain: each looks at the one before
    links = torch.tensor([[[1, 0 if t == 0 else 2] for t in range(n)]])
    found(x, mask, Neighbours(near, links))[0, 5].square().sum().backward()
    assert [bool(g.abs().max() > 0) for g in x.grad[0]] == [False, False, False, True, True, True]


def test_the_kind_of_a_link_counts():
    found, (x, mask, (near, links)) = encoder(), inputs()
    other = links.clone()
    assert other[0, 0, 0] == 1
    other[0, 0, 0] = 3
    changed = (found(x, mask, Neighbours(near, other)) - found(x, mask, Neighbours(near, links))).abs().amax(dim=-1)
    assert changed[0, 0] > 1e-3 and changed[1:].max() == 0


def test_looks_sum_to_1_over_the_links_and_are_0_elsewhere():
    x, mask, (near, links) = inputs()
    looks = encoder().looks(x, mask, Neighbours(near, links))
    assert looks.shape == (4, 2, HEADS, 7, 4)
    torch.testing.assert_close(looks.sum(-1), mask[:, None, None, :].expand(4, 2, HEADS, 7).float())
    is_link = (links > 0) & mask[:, :, None]
    assert looks[~is_link[:, None, None].expand_as(looks)].abs().max() == 0


def test_dropout_acts_only_while_training():
    found, given_ = encoder(dropout=0.5, attention_dropout=0.5), inputs()
    assert torch.equal(found(*given_), found(*given_))
    found.train()
    assert not torch.equal(found(*given_), found(*given_))


def test_heads_that_do_not_share_the_width_are_named():
    with pytest.raises(ValueError, match="a width of 10 cannot be shared by 3 heads"):
        NeighbourAttention(IN, 10, n_layers=1, n_heads=3, inner_units=4)
