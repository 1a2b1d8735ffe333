"""The BiLSTM is exact."""

import torch
from torch import nn

from heedful.network.encoders.bilstm import BiLstm


def reference(layer: BiLstm, x: torch.Tensor, lengths: list[int]) -> list[torch.Tensor]:
    """Run torch's own bidirectional LSTM over each text alone, without padding."""
    both = nn.LSTM(x.shape[2], layer.width // 2, batch_first=True, bidirectional=True)
    for name, _ in layer.forwards.named_parameters():
        getattr(both, name).data = getattr(layer.forwards, name).data
        getattr(both, f"{name}_reverse").data = getattr(layer.backwards, name).data
    return [both(x[i : i + 1, :n])[0][0] for i, n in enumerate(lengths)]


def test_states_equal_an_unpadded_lstm():
    torch.manual_seed(0)
    layer, lengths = BiLstm(4, 3), [5, 2, 1]
    x = torch.randn(3, 5, 4)
    mask = torch.arange(5) < torch.tensor(lengths)[:, None]
    states = layer(x, mask)
    for i, expected in enumerate(reference(layer, x, lengths)):
        assert torch.allclose(states[i, : lengths[i]], expected, atol=1e-6)


def test_both_directions_are_there_and_have_weights_of_their_own():
    layer = BiLstm(4, 3)
    assert layer.width == 6
    assert not torch.equal(layer.forwards.weight_ih_l0, layer.backwards.weight_ih_l0)


def test_reversing_the_text_swaps_the_halves():
    torch.manual_seed(0)
    layer = BiLstm(4, 3)
    layer.backwards.load_state_dict(layer.forwards.state_dict())  # the same weights, so only direction differs
    x, mask = torch.randn(1, 5, 4), torch.ones(1, 5, dtype=torch.bool)
    ahead, back = layer(x, mask).chunk(2, dim=-1)
    mirrored_ahead, mirrored_back = layer(x.flip(1), mask).chunk(2, dim=-1)
    assert torch.allclose(mirrored_ahead.flip(1), back, atol=1e-6)
    assert torch.allclose(mirrored_back.flip(1), ahead, atol=1e-6)


def test_any_batch_size_and_length_goes_through_one_layer():
    layer = BiLstm(4, 3)
    for batch, time in [(1, 1), (2, 9), (7, 3)]:
        assert layer(torch.randn(batch, time, 4), torch.ones(batch, time, dtype=torch.bool)).shape == (batch, time, 6)
