"""An encoder that sees the sum of all beside each vector."""

from __future__ import annotations

import torch

from heedful.network.encoders.static import StaticEncoder
from heedful.network.wrappers.global_sum import GlobalSum
from heedful.network.wrappers.scale_by_length import TYPICAL

MASK = torch.arange(6) < torch.tensor([6, 2, 0])[:, None]


def test_the_encoder_takes_each_vector_and_the_sum_of_all():
    x = torch.randn(3, 6, 4)
    states = GlobalSum(StaticEncoder(8))(x, MASK)
    assert states.shape == (3, 6, 8)
    torch.testing.assert_close(states[..., :4], x * MASK[:, :, None])
    torch.testing.assert_close(states[0, :, 4:], (x[0].sum(0) / TYPICAL).expand(6, 4))
    torch.testing.assert_close(states[1, 1, 4:], (x[1, 0] + x[1, 1]) / TYPICAL)


def test_a_vector_that_is_left_out_is_missing_in_the_sum_too():
    x, encoder = torch.randn(1, 6, 4), GlobalSum(StaticEncoder(8))
    full, less = encoder(x, MASK[:1]), encoder(x[:, :5], MASK[:1, :5])
    torch.testing.assert_close(full[0, 0, 4:] - less[0, 0, 4:], x[0, 5] / TYPICAL)
