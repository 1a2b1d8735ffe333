"""What a classifier learns from a teacher's scores, and how sure it is at the end."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from heedful.data.batch import Batch
from heedful.network.network import Output
from heedful.tasks.classify.goal import SOFTER, ClassifyGoal, LabelledSet
from heedful.training.loop.loss import ClassifyLoss

LABELS = ("a", "b", "c")


def goal_of(truth):
    features = [np.array([2])] * len(truth)
    side = LabelledSet(features, np.array(truth, dtype=np.int64))
    return ClassifyGoal(side, side, labels=LABELS, error=ClassifyLoss(coefficient=0.0))


def output_of(scores):
    return Output(scores, torch.zeros(len(scores), 1, 1), torch.zeros(0))


def outputs_of(scores):
    positions = np.arange(len(scores))
    return [(Batch({}, positions, positions), output_of(scores))]


def test_the_loss_is_the_divergence_of_the_softened_probabilities():
    own, taught = torch.tensor([[1.0, 0.0, -3.0], [0.0, 2.0, 5.0]]), torch.tensor([[4.0, 0.5, -4.5], [1.0, 0.0, 0.0]])
    p, q = (np.exp(each.numpy() / SOFTER) for each in (taught, own))
    p, q = p / p.sum(axis=1, keepdims=True), q / q.sum(axis=1, keepdims=True)
    expected = SOFTER**2 * (p * np.log(p / q)).sum(axis=1).mean()
    assert float(goal_of([0, 1]).taught_loss(output_of(own), taught).total) == pytest.approx(expected, rel=1e-5)


def test_only_differences_of_scores_are_learned():
    goal, scores = goal_of([0, 1]), torch.tensor([[9.0, 0.0, -3.0], [0.0, 2.0, 5.0]])
    assert float(goal.taught_loss(output_of(scores + 7.0), scores).total) == pytest.approx(0.0, abs=1e-5)


def test_scores_that_are_too_sure_have_a_temperature_and_others_have_none():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 400)
    told = np.where(rng.random(400) < 0.8, truth, rng.integers(0, 3, 400))  # the scores are right in 87 of 100
    goal, sure = goal_of(truth), 8.0 * torch.nn.functional.one_hot(torch.from_numpy(told), 3).float()
    temperature = goal.temperature_of(outputs_of(sure))
    losses = [goal.judge(outputs_of(sure / t)).loss for t in (temperature, 1.0, 1.3 * temperature, temperature / 1.3)]
    assert temperature > 2.0 and losses[0] == min(losses)
    assert goal.temperature_of(outputs_of(sure / 20)) == 1.0


def test_a_validation_set_that_is_all_right_does_not_make_the_model_surer():
    scores = torch.eye(3)
    assert goal_of([0, 1, 2]).judge(outputs_of(scores)).metrics["accuracy"] == 1.0
    assert goal_of([0, 1, 2]).temperature_of(outputs_of(scores)) == 1.0
