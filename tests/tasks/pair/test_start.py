"""Pairs that begin from an encoder."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from heedful.config import Config
from heedful.data.batch import pad
from heedful.data.example import Example
from heedful.data.features import TextPair
from heedful.data.input_spec import InputSpec
from heedful.errors import ConfigError
from heedful.network.build import build_network
from heedful.network.network import Output
from heedful.network.tensors import tensors_of
from heedful.tasks.classify.goal import LabelledSet, classify_goal
from heedful.tasks.pair.start import pair_settings
from heedful.tasks.regress.goal import NumberedSet, RegressGoal
from heedful.training.start.fits import ignore_fit
from heedful.training.start.from_encoder import EncoderStart
from heedful.training.start.head_fit import probe_inputs

SMALL = {"embed_width": 16, "encoder": "static", "n_hops": 2, "attention_width": 8, "vector_width": 12, "dropout": 0.0}


def network(n_classes: int):
    return build_network(Config().changed(head="likeness", **SMALL).model, n_ids=30, n_classes=n_classes)


def texts(n: int, seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.integers(2, 30, size=rng.integers(2, 7)).astype(np.int32) for _ in range(n)]


def answers(net, pairs) -> np.ndarray:
    with torch.inference_mode():
        return net(*tensors_of(pad(pairs, range(len(pairs))))).scores.numpy()


def test_a_fitted_answer_knows_equal_texts_from_others():
    first, other = texts(300, 0), texts(300, 1)
    truth = np.arange(300) % 2
    pairs = [TextPair(a, a if same else b) for a, b, same in zip(first, other, truth, strict=True)]
    net = network(2)
    before = (answers(net, pairs).argmax(1) == truth).mean()
    assert before < 0.8
    known, labels = LabelledSet(pairs, truth), ["other", "same"]
    goal = classify_goal(Config(), known, known, labels)
    examples = [Example(pair, labels[same]) for pair, same in zip(pairs, truth, strict=True)]
    goal.fit_head(net, examples, Config(), labels, ignore_fit)
    assert (answers(net, pairs).argmax(1) == truth).mean() > 0.98


def test_a_fitted_number_is_that_of_the_cosine_where_that_is_the_truth():
    pairs = [TextPair(a, b) for a, b in zip(texts(200, 2), texts(200, 3), strict=True)]
    net = network(1)
    inputs = probe_inputs(net, pairs)
    cosine = inputs.vectors[:, -1].astype(np.float64) * inputs.size
    assert cosine.std() > 0.05 and np.abs(cosine).max() <= 1 + 1e-5
    known = NumberedSet(pairs, cosine)
    goal = RegressGoal(known, known, coefficient=0.0)
    examples = [Example(pair, value) for pair, value in zip(pairs, cosine, strict=True)]
    goal.fit_head(net, examples, Config(), ["number"], ignore_fit)
    cosine = (cosine - goal.scale.mean) / goal.scale.spread
    np.testing.assert_allclose(answers(net, pairs)[:, 0], cosine, atol=0.1)


def test_likeness_is_what_pairs_begin_with_unless_a_head_was_chosen():
    config = Config().with_given(task="pair")
    assert pair_settings(config)["head"] == "likeness"
    chosen = pair_settings(Config().with_given(task="pair", head="gated", gate_units=9))
    assert (chosen["head"], chosen["gate_units"]) == ("gated", 9)


def test_a_head_that_cannot_be_fitted_at_once_is_not_trained_alone():
    with pytest.raises(ConfigError, match="head concat learns only with its encoder"):
        pair_settings(Config().with_given(task="pair", head="concat", tune="answer"))


@pytest.mark.parametrize("head", ["likeness", "gated", "bilinear"])
def test_heads_without_vectors_do_not_take_the_map_to_them(head):
    config = Config().changed(task="pair", head=head, **SMALL)
    vector = build_network(config.changed(head="vector").model, n_ids=30)
    weights = {name: tensor.numpy() for name, tensor in vector.state_dict().items()}
    assert "head.map.weight" in weights
    start = EncoderStart("it", Path(), config, SimpleNamespace(shape=InputSpec(n_ids=30)), weights)
    names = start.network(config, ["a", "b"]).state_dict()
    assert ("head.vector.map.weight" in names) == (head == "likeness")


def test_of_likenesses_the_epoch_is_kept_that_is_best_in_order():
    truth = np.array([1.0, 2.0, 3.0, 4.0])
    known = NumberedSet([TextPair(text, text) for text in texts(4, 0)], truth)
    far, near = np.array([10.0, 20.0, 30.0, 40.0]), np.array([1.0, 3.0, 2.0, 4.0])

    def rank(answers, *, by_order):
        goal = RegressGoal(known, known, coefficient=0.0, by_order=by_order)
        scores = torch.from_numpy((answers - goal.scale.mean) / goal.scale.spread)[:, None].float()
        batch = pad(known.features, range(4))
        return goal.judge([(batch, Output(scores, torch.zeros(()), torch.zeros(())))]).rank

    assert rank(far, by_order=True) > rank(near, by_order=True)
    assert rank(far, by_order=False) < rank(near, by_order=False)
