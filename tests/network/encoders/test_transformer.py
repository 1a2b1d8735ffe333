"""The transformer against torch's own."""

from __future__ import annotations

import math

import pytest
import torch
from torch import nn

from heedful.network.encoders.positions import positions
from heedful.network.encoders.transformer import Transformer, TransformerLayer

WIDTH, HEADS, INNER = 12, 3, 20
LENGTHS = torch.tensor([7, 1, 4, 0])
MASK = torch.arange(7) < LENGTHS[:, None]


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


def shaken(module: nn.Module) -> nn.Module:
    """Give every number a chance to matter: fresh norms are 1 and 0."""
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return module.eval()


def by_torch(layer: TransformerLayer) -> nn.TransformerEncoderLayer:
    """Return torch's layer with the same weights."""
    theirs = nn.TransformerEncoderLayer(
        WIDTH, HEADS, INNER, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
    )
    pairs = {"norm1": "norm_attention", "norm2": "norm_connected", "linear1": "widen", "linear2": "narrow"}
    pairs["self_attn.out_proj"] = "attention.join"
    with torch.no_grad():
        for there, here in pairs.items():
            theirs.get_submodule(there).load_state_dict(layer.get_submodule(here).state_dict())
        parts = (layer.attention.queries, layer.attention.keys, layer.attention.values)
        theirs.self_attn.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
        theirs.self_attn.in_proj_bias.copy_(torch.cat([part.bias for part in parts]))
    return theirs


def test_a_layer_is_torchs_layer():
    layer, x = shaken(TransformerLayer(WIDTH, n_heads=HEADS, inner_units=INNER)), torch.randn(3, 7, WIDTH)
    mask = MASK[:3]
    expected = by_torch(layer)(x, src_key_padding_mask=~mask)
    torch.testing.assert_close(layer(x, mask)[0][mask], expected[mask], atol=1e-5, rtol=1e-5)


def test_the_whole_encoder_is_torchs_encoder():
    ours = shaken(Transformer(5, WIDTH, n_layers=3, n_heads=HEADS, inner_units=INNER))
    x, mask = torch.randn(3, 7, 5), MASK[:3]
    expected = ours.enter(x) + positions(7, WIDTH)
    for layer in ours.layers:
        expected = by_torch(layer)(expected, src_key_padding_mask=~mask)
    expected = nn.functional.layer_norm(expected, (WIDTH,), ours.leave.weight, ours.leave.bias)
    found = ours(x, mask)
    torch.testing.assert_close(found[mask], expected[mask], atol=1e-5, rtol=1e-5)
    assert found[~mask].abs().max() == 0


@pytest.mark.parametrize("width", [1, 2, 5, 12])
def test_places_are_the_formula_whatever_the_width(width):
    table = positions(9, width)
    assert table.shape == (9, width)
    for t in range(9):
        for column in range(width):
            angle = t / 10_000 ** ((column - column % 2) / width)
            expected = math.sin(angle) if column % 2 == 0 else math.cos(angle)
            assert table[t, column].item() == pytest.approx(expected, abs=1e-5)


def test_places_of_a_longer_text_begin_as_those_of_a_shorter():
    assert torch.equal(positions(500, 12)[:20], positions(20, 12))


def test_an_empty_text_is_finite_and_has_a_finite_gradient():
    encoder = shaken(Transformer(5, WIDTH, n_layers=2, n_heads=HEADS, inner_units=INNER))
    x = torch.randn(4, 7, 5, requires_grad=True)
    states = encoder(x, MASK)
    assert states[3].abs().max() == 0
    states.square().sum().backward()
    assert all(torch.isfinite(p.grad).all() for p in [x, *encoder.parameters()])
    assert x.grad[~MASK].abs().max() == 0, "pads are not looked at"


def test_the_order_of_the_words_counts():
    encoder = shaken(Transformer(5, WIDTH, n_layers=1, n_heads=HEADS, inner_units=INNER))
    x, mask = torch.randn(1, 4, 5), torch.ones(1, 4, dtype=torch.bool)
    there, back = encoder(x, mask), encoder(x.flip(1), mask).flip(1)
    assert (there - back).abs().max() > 1e-2


def test_heads_that_do_not_share_the_width_are_named():
    with pytest.raises(ValueError, match="a width of 10 cannot be shared by 3 heads"):
        Transformer(5, 10, n_layers=1, n_heads=3, inner_units=4)


def test_looks_are_the_weights_of_each_layer_and_0_where_either_is_a_pad():
    encoder = shaken(Transformer(5, WIDTH, n_layers=2, n_heads=HEADS, inner_units=INNER))
    x = torch.randn(4, 7, 5)
    looks = encoder.looks(x, MASK)
    assert looks.shape == (4, 2, HEADS, 7, 7)
    real = (MASK[:, None, None, :, None] & MASK[:, None, None, None, :]).expand_as(looks)
    assert looks[~real].abs().max() == 0
    torch.testing.assert_close(looks.sum(-1), MASK[:, None, None, :].expand(4, 2, HEADS, 7).float())
    states = encoder.enter(x) + positions(7, WIDTH)
    first, weights = encoder.layers[0](states, MASK)
    torch.testing.assert_close(looks[0, 0], weights[0])
    torch.testing.assert_close(looks[0, 1], encoder.layers[1](first, MASK)[1][0])
