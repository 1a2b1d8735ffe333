"""Gradients against captum's, on the same model."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from heedful.explain.attention.model_input import read
from heedful.network.masks import mask_of
from heedful.torch_model.gradients import STEPS, gradient_effects
from heedful.torch_model.network import log_odds, network_of

captum = pytest.importorskip("captum.attr")

TEXTS = ["The parcel was great, my sister says.", "awful", "slow and broken on Monday " * 5]


def answer_from_vectors(network, target):
    """Return the label's log-odds as a function of word vectors."""

    def forward(x):
        mask = mask_of(torch.full((len(x),), x.shape[1]), x.shape[1])
        rows, _ = network.pooler(network.encoder(x, mask), mask)
        return log_odds(network.head(rows), target)

    return forward


def by_word(reading, values):
    return reading.folded(values.sum(-1)[0].detach().double().numpy())


def test_the_network_gives_what_the_graph_gives(any_model):
    for text in TEXTS:
        ids = torch.from_numpy(any_model.featuriser.ids(text).astype(np.int64))[None]
        with torch.inference_mode():
            scores = network_of(any_model)(ids, torch.ones_like(ids, dtype=torch.bool)).scores
        np.testing.assert_allclose(scores.softmax(-1)[0].numpy(), any_model.predict_proba(text), atol=1e-5)


@pytest.mark.parametrize("target", [0, 1])
def test_integrated_gradients_are_captums(any_model, target):
    network = network_of(any_model)
    for text in TEXTS:
        reading = read(any_model, text)
        vectors = network.embed(torch.from_numpy(reading.ids.astype(np.int64))[None])
        theirs = captum.IntegratedGradients(answer_from_vectors(network, target)).attribute(
            vectors, baselines=torch.zeros_like(vectors), n_steps=STEPS, method="gausslegendre"
        )
        ours = gradient_effects(any_model, reading, ["integrated"], target)["integrated"]
        np.testing.assert_allclose(ours, by_word(reading, theirs), atol=1e-4)


def test_gradient_times_input_is_captums(any_model):
    network = network_of(any_model)
    for text in TEXTS:
        reading = read(any_model, text)
        vectors = network.embed(torch.from_numpy(reading.ids.astype(np.int64))[None])
        theirs = captum.InputXGradient(answer_from_vectors(network, 1)).attribute(vectors.requires_grad_())
        ours = gradient_effects(any_model, reading, ["gradient"], 1)["gradient"]
        np.testing.assert_allclose(ours, by_word(reading, theirs), atol=1e-4)


def test_integrated_gradients_add_up_to_the_change_from_nothing(tiny_model):
    reading, network = read(tiny_model, TEXTS[0]), network_of(tiny_model)
    vectors = network.embed(torch.from_numpy(reading.ids.astype(np.int64))[None])
    forward = answer_from_vectors(network, 1)
    change = float(forward(vectors) - forward(torch.zeros_like(vectors)))
    found = gradient_effects(tiny_model, reading, ["integrated"], 1)["integrated"]
    assert abs(change) > 1e-3
    assert found.sum() == pytest.approx(change, abs=1e-3)


def test_log_odds_are_those_of_the_probability():
    scores = torch.tensor([[1.0, -2.0, 0.5], [8.0, -8.0, 0.0]])
    p = scores.double().softmax(-1)[:, 0]
    torch.testing.assert_close(log_odds(scores.double(), 0), p.log() - (1 - p).log())


def test_a_folder_without_weights_says_what_is_missing(tiny_copy):
    from heedful import HeedfulError, load

    (tiny_copy / "weights.safetensors").unlink()
    with pytest.raises(HeedfulError, match="which gradients need"):
        load(tiny_copy).explain("the parcel", methods=("gradient",))
