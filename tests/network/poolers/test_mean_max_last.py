"""The baselines."""

import torch

from heedful.network.poolers.mean_max_last import LastPooler, MaxPooler, MeanPooler

MASK = torch.tensor([[True, True, True, False]])
STATES = torch.tensor([[[1.0, 5.0, 0.0, 2.0], [3.0, 2.0, 0.0, 1.0], [2.0, 1.0, 4.0, 9.0], [99.0, 99.0, 99.0, 99.0]]])


def test_mean_is_the_mean_of_real_tokens():
    rows, weights = MeanPooler()(STATES, MASK)
    assert torch.allclose(rows[0, 0], STATES[0, :3].mean(0))
    assert torch.allclose(weights[0, 0], torch.tensor([1 / 3, 1 / 3, 1 / 3, 0.0]))


def test_max_is_the_largest_of_real_tokens_and_weights_are_columns_won():
    rows, weights = MaxPooler()(STATES, MASK)
    assert rows[0, 0].tolist() == [3.0, 5.0, 4.0, 9.0]
    assert weights[0, 0].tolist() == [0.25, 0.25, 0.5, 0.0]


def test_last_is_the_last_real_token():
    rows, weights = LastPooler(bidirectional=False)(STATES, MASK)
    assert rows[0, 0].tolist() == STATES[0, 2].tolist()
    assert weights[0, 0].tolist() == [0.0, 0.0, 1.0, 0.0]


def test_last_of_both_takes_each_direction_where_it_ends():
    rows, weights = LastPooler(bidirectional=True)(STATES, MASK)
    assert rows[0, 0].tolist() == [2.0, 1.0, 0.0, 2.0]  # forward half at the third token, backward half at the first
    assert weights[0, 0].tolist() == [0.5, 0.0, 0.5, 0.0]
