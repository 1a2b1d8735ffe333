"""Learning a label for each token."""

import numpy as np
import pytest
import torch

from heedful.config import Config
from heedful.data.batch import pad
from heedful.data.features import Item
from heedful.network.encoders.static import StaticEncoder
from heedful.network.fronts.embed import Embed
from heedful.network.heads.tag.crf import Crf
from heedful.network.heads.tag.tag_head import TagHead
from heedful.network.network import Network, Output
from heedful.network.poolers.per_token import PerToken
from heedful.network.scores.products import General
from heedful.network.tensors import tensors_of
from heedful.tasks.tag.goal import TaggedSet, TagGoal, barred_steps, padded_truth
from heedful.training.loop.trainer import Trainer

BIO = ("B-per", "I-per", "O")
SETTINGS = Config().changed(epochs=8, batch_size=8, lr=0.05, word_dropout=0.0, threads=1).train


def ids(*values):
    return np.array(values, dtype=np.int32)


def output(scores):
    return Output(scores, torch.zeros(()), torch.zeros(()))


def goal_of(truth, labels=("a", "b"), crf=None):
    features = [ids(*range(2, 2 + len(row))) for row in truth]
    made = TaggedSet(features, [np.array(row) for row in truth])
    return TagGoal(made, made, labels=labels, crf=crf)


def test_the_loss_is_the_mean_over_known_tokens_and_padding_changes_nothing():
    goal = goal_of([[0, 1, -1], [1]])
    torch.manual_seed(0)
    scores = torch.randn(2, 3, 2)
    by_hand = -scores.log_softmax(2)
    expected = (by_hand[0, 0, 0] + by_hand[0, 1, 1] + by_hand[1, 0, 1]) / 3
    assert float(goal.loss(output(scores), np.array([0, 1])).total) == pytest.approx(float(expected), abs=1e-6)
    longer = torch.cat([scores, torch.randn(2, 4, 2)], 1)
    assert float(goal.loss(output(longer), np.array([0, 1])).total) == pytest.approx(float(expected), abs=1e-6)


def test_with_a_crf_the_loss_is_that_of_whole_rows():
    crf = Crf(2)
    goal = goal_of([[0, 1, 0], [1]], crf=crf)
    torch.manual_seed(0)
    scores, mask = torch.randn(2, 3, 2), torch.tensor([[True] * 3, [True, False, False]])
    expected = crf(scores, torch.tensor([[0, 1, 0], [1, -1, -1]]), mask).sum() / 4
    assert goal.loss(output(scores), np.array([0, 1])).answer.item() == pytest.approx(expected.item(), abs=1e-6)


def test_a_step_without_any_known_label_costs_nothing():
    goal = goal_of([[-1, -1], [0, 1]])
    assert float(goal.loss(output(torch.randn(1, 2, 2)), np.array([0])).total) == 0.0


def test_accuracy_is_of_known_tokens():
    goal = goal_of([[0, -1, 1], [1]])
    scores = torch.tensor([[[9.0, 0.0], [9.0, 0.0], [9.0, 0.0]], [[0.0, 9.0]] + [[0.0, 0.0]] * 2])
    judged = goal.judge([(pad(goal.valid, [0, 1]), output(scores))])
    assert judged.metrics == {"accuracy": pytest.approx(2 / 3)}
    assert judged.rank == (pytest.approx(2 / 3), -judged.loss)


def test_labels_of_spans_are_judged_by_f1():
    goal = goal_of([[0, 1, 2], [2, 0]], labels=BIO)
    scores = torch.nn.functional.one_hot(torch.tensor([[0, 1, 2], [2, 2, 0]]), 3).float()
    judged = goal.judge([(pad(goal.valid, [0, 1]), output(scores))])
    assert judged.metrics["accuracy"] == pytest.approx(4 / 5)
    assert (judged.metrics["precision"], judged.metrics["recall"]) == (1.0, 0.5)
    assert judged.rank[0] == judged.metrics["f1"] == pytest.approx(2 / 3)


def test_inside_only_follows_its_own_kind():
    labels = ("B-loc", "B-per", "I-loc", "I-per", "O")
    barred = barred_steps(labels)
    allowed = {(a, b) for i, a in enumerate((*labels, "begin")) for j, b in enumerate(labels) if not barred[i, j]}
    assert not barred[:, -1].any()  # anything may come last
    assert {a for a, b in allowed if b == "I-per"} == {"B-per", "I-per"}
    assert {a for a, b in allowed if b == "O"} == {*labels, "begin"}
    assert {b for a, b in allowed if a == "begin"} == {"B-loc", "B-per", "O"}
    assert barred_steps(("NOUN", "VERB")) is None
    assert barred_steps(("B-per", "E-per", "O")) is None
    plain = barred_steps(("B", "I", "O"))
    assert plain[2, 1]
    assert not plain[0, 1]


def test_a_set_with_too_few_labels_is_refused():
    with pytest.raises(ValueError, match="example 1 has 3 tokens and 2 labels"):
        TaggedSet([ids(2), ids(2, 3, 4)], [np.array([0]), np.array([0, 1])])


def test_truths_are_padded_with_what_is_not_known():
    assert padded_truth([np.array([1, 0]), np.array([2])], np.array([1, 0]), 3).tolist() == [[2, -1, -1], [1, 0, -1]]


def network(n_ids, n_labels, *, crf=None, width=16):
    torch.manual_seed(0)
    pooler = PerToken(width, General(width, width))
    head = TagHead(pooler.row_width, n_labels, crf=crf)
    return Network(Embed(n_ids, width), StaticEncoder(width), pooler, head)


def far_away(n, seed):
    """Return texts of one sign, 2 or 3, somewhere, and fillers whose label is that sign."""
    rng = np.random.default_rng(seed)
    features, truth = [], []
    for _ in range(n):
        one, sign = rng.integers(4, 10, rng.integers(3, 9)), int(rng.integers(2, 4))
        one[rng.integers(len(one))] = sign
        features.append(one.astype(np.int32))
        truth.append(np.full(len(one), sign - 2))
    return TaggedSet(features, truth)


@pytest.mark.parametrize("has_crf", [False, True])
def test_a_token_learns_to_look_at_the_one_that_tells_its_label(has_crf):
    crf = Crf(2) if has_crf else None
    made = network(10, 2, crf=crf)
    goal = TagGoal(far_away(100, 0), far_away(40, 1), labels=("two", "three"), crf=crf)
    fit = Trainer(made, goal, settings=SETTINGS).run()
    assert fit.kept_record.metrics["accuracy"] == 1.0
    made.load_state_dict(fit.weights)
    batch = pad(goal.valid, [0])
    weights = made.eval()(*tensors_of(batch)).weights[0]
    sign = int(np.argmin(goal.valid[0]))
    assert (weights.argmax(1) == sign).float().mean() > 0.9


def test_one_item_of_thousands_of_places_is_learned_from_one_half_and_judged_by_the_other():
    n = 2_000
    rng = np.random.default_rng(0)
    kinds = rng.integers(0, 3, n)
    item = Item({"ids": (kinds + 2).astype(np.int32)})
    known = rng.random(n) < 0.5
    train, valid = (TaggedSet([item], [np.where(side, kinds, -1)]) for side in (known, ~known))
    made = network(5, 3, width=4)
    goal = TagGoal(train, valid, labels=("x", "y", "z"))
    fit = Trainer(made, goal, settings=Config().changed(epochs=4, batch_size=1, lr=0.5, word_dropout=0.0).train).run()
    assert fit.kept_record.metrics["accuracy"] > 0.99


def test_missing_a_span_can_cost_more_while_training_and_judging_stays_the_same():
    truth = [[0, 1, 2]]
    goals = [goal_of(truth, labels=BIO)]
    goals.append(TagGoal(goals[0]._train, goals[0]._train, labels=BIO, miss_cost=2.0))
    torch.manual_seed(0)
    scores = torch.randn(1, 3, 3)
    harder = scores.clone()
    harder[0, :2, 2] += 2.0  # O, where a span is
    expected = -harder[0].log_softmax(1)[range(3), truth[0]].mean()
    assert float(goals[1].loss(output(scores), np.array([0])).total) == pytest.approx(float(expected), abs=1e-6)
    judged = [goal.judge([(pad(goal.valid, [0]), output(scores))]) for goal in goals]
    assert judged[0] == judged[1]
