"""States that know how many there are."""

from __future__ import annotations

import torch

from heedful.network.encoders.bilstm import BiLstm
from heedful.network.encoders.static import StaticEncoder
from heedful.network.poolers.mean_max_last import MeanPooler
from heedful.network.wrappers.scale_by_length import TYPICAL, ScaleByLength

MASK = torch.arange(6) < torch.tensor([6, 2, 0])[:, None]


def test_the_second_half_is_the_first_times_the_number():
    torch.manual_seed(0)
    encoder = ScaleByLength(BiLstm(4, 5))
    x = torch.randn(3, 6, 4)
    states = encoder(x, MASK)
    assert states.shape == (3, 6, encoder.width) == (3, 6, 20)
    torch.testing.assert_close(states[..., :10], encoder.encoder(x, MASK))
    torch.testing.assert_close(states[0, :, 10:], states[0, :, :10] * 6 / TYPICAL)
    torch.testing.assert_close(states[1, :, 10:], states[1, :, :10] * 2 / TYPICAL)
    assert states[~MASK].abs().max() == 0


def test_a_mean_of_such_states_is_also_a_sum():
    encoder, x = ScaleByLength(StaticEncoder(3)), torch.randn(1, 6, 3)
    row = MeanPooler()(encoder(x, MASK[:1]), MASK[:1])[0][0, 0]
    torch.testing.assert_close(row[:3], x[0].mean(0))
    torch.testing.assert_close(row[3:], x[0].sum(0) / TYPICAL)


def test_twice_the_same_gives_other_rows_only_where_it_counts():
    plain, encoder, x = StaticEncoder(3), ScaleByLength(StaticEncoder(3)), torch.randn(1, 3, 3)
    twice = torch.cat([x, x], dim=1)
    once, both = torch.ones(1, 3, dtype=torch.bool), torch.ones(1, 6, dtype=torch.bool)
    mean = MeanPooler()
    torch.testing.assert_close(mean(plain(x, once), once)[0], mean(plain(twice, both), both)[0])
    change = mean(encoder(twice, both), both)[0] / mean(encoder(x, once), once)[0]
    torch.testing.assert_close(change[0, 0], torch.tensor([1.0, 1.0, 1.0, 2.0, 2.0, 2.0]))
