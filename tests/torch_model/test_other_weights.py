"""Answers to weights that are not the model's own."""

from __future__ import annotations

import math

import numpy as np
import torch

from heedful.torch_model.adversary import SAME, divergence, furthest_same_answer
from heedful.torch_model.network import network_of, states_of
from heedful.torch_model.shuffle import _shuffled, answer_to, shuffle_effect, total_variation

TEXT = "the parcel was great and came on monday near town"


def test_the_models_own_weights_give_its_own_answer(tiny_model):
    network, ids = network_of(tiny_model), tiny_model.featuriser.ids(TEXT)
    states, mask = states_of(network, ids)
    _, weights = network.pooler(states, mask)
    answer = answer_to(network, weights, states, torch.from_numpy(ids)[None])[0]
    np.testing.assert_allclose(answer, tiny_model.predict_proba(TEXT), atol=1e-5)


def test_shuffling_keeps_each_hops_weights_and_moves_them():
    weights = torch.rand(1, 3, 9)
    found = _shuffled(weights, 50, np.random.default_rng(0))
    assert found.shape == (50, 3, 9)
    torch.testing.assert_close(found.sort(dim=-1).values, weights.sort(dim=-1).values.expand(50, -1, -1))
    assert (found != weights).any(dim=-1).all()
    assert not torch.equal(found[:, 0].argsort(), found[:, 1].argsort()), "hops share an order"


def test_shuffling_equal_weights_changes_nothing(tmp_path_factory, tiny_settings):
    from tests.conftest import train_tiny

    from heedful import load

    model = load(train_tiny(tmp_path_factory.mktemp("mean") / "m", pooler="mean"), threads=1)
    assert shuffle_effect(model, model.featuriser.ids(TEXT), np.random.default_rng(0)) < 1e-6


def test_total_variation_is_half_the_sum_of_differences():
    first, second = torch.tensor([[0.5, 0.5, 0.0]]), torch.tensor([[0.2, 0.3, 0.5]])
    assert float(total_variation(first, second)) == 0.5


def test_divergence_is_0_for_the_same_and_ln_2_for_weights_apart():
    one, two = torch.tensor([[[1.0, 0.0, 0.0]]]), torch.tensor([[[0.0, 0.5, 0.5]]])
    assert abs(float(divergence(one, one))) < 1e-6
    assert abs(float(divergence(one, two)) - math.log(2)) < 1e-5


def test_the_search_finds_weights_far_away_where_only_their_sum_counts(tmp_path_factory):
    """Without context and with all words alike, any weights give the same answer."""
    from tests.conftest import train_tiny

    from heedful import load

    model = load(train_tiny(tmp_path_factory.mktemp("static") / "m", encoder="static"), threads=1)
    found = furthest_same_answer(model, model.featuriser.ids("parcel " * 8), np.random.default_rng(0))
    assert found.distance > 0.4
    assert found.change <= SAME


def test_the_search_never_counts_another_answer(tiny_model):
    found = furthest_same_answer(tiny_model, tiny_model.featuriser.ids(TEXT), np.random.default_rng(0))
    assert 0 <= found.distance <= math.log(2) + 1e-6
    assert found.change <= SAME
