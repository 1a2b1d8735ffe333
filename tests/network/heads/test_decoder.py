"""The decoder of a translator."""

import pytest
import torch
from torch import nn

from heedful.network.heads.decoder import Decoder
from heedful.network.scores.products import Dot, General


def made(n_ids: int = 7, width: int = 4, units: int = 5, key_width: int = 6) -> Decoder:
    torch.manual_seed(0)
    return Decoder(n_ids, width, units, key_width, General(units, key_width))


def material() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return states, mask and the tokens before, of three texts of which one is shorter and one empty."""
    torch.manual_seed(1)
    mask = torch.tensor([[True] * 4, [True, True, False, False], [False] * 4])
    return torch.randn(3, 4, 6) * mask[:, :, None], mask, torch.tensor([[2, 3, 4], [2, 5, 6], [2, 3, 3]])


def test_the_whole_target_at_once_is_what_the_formula_gives_token_by_token():
    decoder, (states, mask, before) = made(), material()
    outs, weights = decoder(states, mask, before)
    cells = [nn.LSTMCell(*size) for size in ((4, 5), (11, 5))]
    for cell, lstm in zip(cells, (decoder.first, decoder.second), strict=True):
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
            getattr(cell, name).data = getattr(lstm, f"{name}_l0").data
    for text, n in ((0, 4), (1, 2)):
        keys = states[text, :n]
        first, second = torch.tanh(decoder.begin(keys.mean(0))).chunk(2)
        (s, s_cell), (t, t_cell) = (first, torch.zeros(5)), (second, torch.zeros(5))
        for i, token in enumerate(before[text]):
            s, s_cell = cells[0](decoder.table[token], (s, s_cell))
            shares = torch.softmax(keys @ decoder.score.map(s), dim=0)
            context = shares @ keys
            t, t_cell = cells[1](torch.cat([s, context]), (t, t_cell))
            out = torch.tanh(decoder.join(torch.cat([t, context])))
            assert torch.allclose(weights[text, i, :n], shares, atol=1e-6)
            assert torch.allclose(outs[text, i], out, atol=1e-6)
            assert torch.allclose(decoder.scores(outs)[text, i], decoder.table @ out + decoder.bias, atol=1e-6)


def test_weights_sum_to_1_are_0_on_pads_and_an_empty_text_gives_no_nan():
    outs, weights = made()(*material())
    assert torch.allclose(weights.sum(-1), torch.tensor([[1.0] * 3, [1.0] * 3, [0.0] * 3]), atol=1e-6)
    assert (weights[1, :, 2:] == 0).all()
    assert outs.isfinite().all()


def test_more_padding_changes_nothing():
    decoder, (states, mask, before) = made(), material()
    wider = nn.functional.pad(states, (0, 0, 0, 3), value=9.0), nn.functional.pad(mask, (0, 3))
    outs, weights = decoder(states, mask, before)
    outs_wider, weights_wider = decoder(*wider, before)
    assert torch.allclose(outs, outs_wider, atol=1e-6)
    assert torch.allclose(weights, weights_wider[:, :, :4], atol=1e-6)


def test_a_token_depends_on_those_before_it_and_not_on_those_after():
    decoder, (states, mask, before) = made(), material()
    outs, _ = decoder(states, mask, before)
    later, earlier = before.clone(), before.clone()
    later[:, 2], earlier[:, 0] = 1, 1
    assert torch.equal(decoder(states, mask, later)[0][:, :2], outs[:, :2])
    assert not torch.allclose(decoder(states, mask, earlier)[0][:, 2], outs[:, 2], atol=1e-4)


def test_step_by_step_is_the_same_as_all_at_once():
    decoder, (states, mask, before) = made(), material()
    outs, weights = decoder(states, mask, before)
    memory = decoder.memory(states, mask)
    for i in range(3):
        out, looked, memory = decoder.step(states, mask, before[:, i : i + 1], memory)
        assert torch.allclose(out[:, 0], outs[:, i], atol=1e-6)
        assert torch.allclose(looked[:, 0], weights[:, i], atol=1e-6)


def test_gradients_reach_every_parameter():
    decoder, (states, mask, before) = made(), material()
    decoder.scores(decoder(states, mask, before)[0]).log_softmax(-1)[..., 1].sum().backward()
    for name, parameter in decoder.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().sum() > 0, name


def test_a_score_of_another_width_is_refused():
    with pytest.raises(ValueError, match="queries of width 6, the decoder has 5 units"):
        Decoder(7, 4, 5, 6, Dot(6, 6))
