"""Learning from pairs."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from heedful.config import Config
from heedful.data.batch import pad
from heedful.network.build import build_network
from heedful.network.network import Output
from heedful.tasks.embed.contrastive import PairGoal, pair_loss
from heedful.training.loop.trainer import Trainer

CONFIG = Config().changed(
    embed_width=8, encoder="static", n_hops=2, attention_width=4, head="vector", vector_width=8, penalty=0.0,
    dropout=0.0, word_dropout=0.0, batch_size=8, epochs=12, lr=0.03, patience=12,
)  # fmt: skip


def ids(*numbers: int) -> np.ndarray:
    return np.array(numbers, dtype=np.int32)


def by_hand(first, second, temperature, excused):
    """Each text chooses among all of the other side that are not excused, its own partner always among them."""
    a = first / np.linalg.norm(first, axis=1, keepdims=True)
    b = second / np.linalg.norm(second, axis=1, keepdims=True)
    total, n = 0.0, len(a)
    for i in range(n):
        for scores, out in ((a[i] @ b.T, excused[i]), (a @ b[i], excused[:, i])):
            kept = [math.exp(scores[j] / temperature) for j in range(n) if j == i or not out[j]]
            total -= math.log(math.exp(scores[i] / temperature) / sum(kept))
    return total / (2 * n)


@pytest.mark.parametrize("temperature", [0.05, 0.5])
def test_the_loss_is_the_one_worked_out_by_hand(temperature):
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, 5, 4))
    excused = rng.random((5, 5)) < 0.3
    assert excused.diagonal().any(), "the partner itself is never excused: the premise of one case"
    for out in (None, excused):
        found = pair_loss(
            torch.from_numpy(first),
            torch.from_numpy(second),
            temperature=temperature,
            excused=None if out is None else torch.from_numpy(out),
        )
        none = np.zeros((5, 5), dtype=bool)
        assert float(found) == pytest.approx(
            by_hand(first, second, temperature, none if out is None else out), rel=1e-5
        )


def test_the_length_of_vectors_does_not_count():
    a, b = torch.randn(2, 6, 4, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(pair_loss(a, b, temperature=0.1), pair_loss(5 * a, 0.1 * b, temperature=0.1))


def goal_of(pairs, **more) -> PairGoal:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    return PairGoal((first, second), (first, second), **{"temperature": 0.1, **more})


def loss_of(pairs, vectors: dict[bytes, torch.Tensor]) -> float:
    goal = goal_of(pairs)
    scores = torch.stack([vectors[text.tobytes()] for text in goal.train])
    return float(goal.loss(Output(scores, scores, scores), np.arange(2 * len(pairs))).total)


def test_a_text_that_occurs_twice_is_no_wrong_answer():
    """Two questions have the same answer: for each, the other's answer is as right as its own."""
    a, b, c, d, e = (ids(i) for i in range(2, 7))
    rng = torch.Generator().manual_seed(1)
    vectors = {text.tobytes(): torch.randn(4, generator=rng) for text in (a, b, c, d, e)}
    pairs = [(a, c), (b, c), (d, e)]
    first, second = (np.stack([vectors[p[k].tobytes()].numpy() for p in pairs]) for k in (0, 1))
    excused = np.zeros((3, 3), dtype=bool)
    excused[0, 1] = excused[1, 0] = True
    assert loss_of(pairs, vectors) == pytest.approx(by_hand(first, second, 0.1, excused), rel=1e-5)


def test_a_text_is_no_wrong_answer_to_itself():
    """Running text: the second of one pair is the first of the next."""
    a, b, c, d = (ids(i) for i in range(2, 6))
    rng = torch.Generator().manual_seed(1)
    vectors = {text.tobytes(): torch.randn(4, generator=rng) for text in (a, b, c, d)}
    pairs = [(a, b), (b, c), (c, d)]
    first, second = (np.stack([vectors[p[k].tobytes()].numpy() for p in pairs]) for k in (0, 1))
    excused = np.zeros((3, 3), dtype=bool)
    excused[1, 0] = excused[2, 1] = True
    assert loss_of(pairs, vectors) == pytest.approx(by_hand(first, second, 0.1, excused), rel=1e-5)


def test_it_does_not_matter_which_text_of_a_pair_is_the_first():
    a, b, c, d, e = (ids(i) for i in range(2, 7))
    rng = torch.Generator().manual_seed(2)
    vectors = {text.tobytes(): torch.randn(4, generator=rng) for text in (a, b, c, d, e)}
    pairs = [(a, b), (a, c), (d, e)]
    assert loss_of(pairs, vectors) == pytest.approx(loss_of([(y, x) for x, y in pairs], vectors), rel=1e-5)


def test_a_step_holds_both_texts_of_each_pair_and_an_epoch_every_pair_once():
    goal = goal_of([(ids(*[2] * (i % 5 + 1)), ids(*[3] * (i % 3 + 1))) for i in range(30)])
    assert goal.n_examples == 30
    for epoch in (0, 1):
        steps = goal.batches(CONFIG.train, epoch)
        for step in steps:
            half = len(step) // 2
            assert len(step) == 2 * half <= 16 and (step[half:] == step[:half] + 30).all()
        assert sorted(np.concatenate(steps)) == list(range(60))
    again, other = goal.batches(CONFIG.train, 0), goal.batches(CONFIG.train, 1)
    first = goal.batches(CONFIG.train, 0)
    assert all((x == y).all() for x, y in zip(first, again, strict=True))
    assert not all(np.array_equal(x, y) for x, y in zip(first, other, strict=True))


def test_partner_found_is_counted_in_both_directions():
    goal = goal_of([(ids(2), ids(3)), (ids(4), ids(5))])
    scores = torch.tensor([[1.0, 0.0], [0.9, 0.1], [1.0, 0.0], [0.0, 1.0]])  # both firsts look like the first second
    judged = goal.judge([(pad(goal.valid, range(4)), Output(scores, scores, scores))])
    assert judged.metrics["partner_found"] == pytest.approx((0.5 + 1.0) / 2)
    assert judged.loss == pytest.approx(float(pair_loss(scores[:2], scores[2:], temperature=0.1)))


def test_no_pairs_to_check_with_are_no_fault():
    assert goal_of([(ids(2), ids(3))]).judge([]).metrics == {"partner_found": 0.0}


def test_partners_are_learned():
    """The first text names a topic by one set of words, the second by another."""
    rng = np.random.default_rng(0)

    def text(topic: int, side: int) -> np.ndarray:
        return np.concatenate([[2 + topic + 8 * side], rng.integers(18, 40, size=3)]).astype(np.int32)

    def some(n: int):
        topics = np.arange(n) % 8
        return [text(t, 0) for t in topics], [text(t, 1) for t in topics]

    goal = PairGoal(some(160), some(8), temperature=0.2)
    result = Trainer(build_network(CONFIG.model, n_ids=40), goal, settings=CONFIG.train).run()
    found = [record.metrics["partner_found"] for record in result.records]
    assert found[0] < 0.6 and max(found) >= 0.9
