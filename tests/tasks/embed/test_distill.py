"""Learning to give a teacher's vectors."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from heedful.config import Config
from heedful.data.batch import pad
from heedful.network.build import build_network
from heedful.network.masks import mask_of
from heedful.network.network import Output
from heedful.tasks.embed import distill
from heedful.tasks.embed.distill import DistillGoal, distill_loss, main_axes, start_from_words, turned
from heedful.training.loop.trainer import Trainer

CONFIG = Config().changed(
    embed_width=8, encoder="static", n_hops=2, attention_width=4, head="vector", vector_width=8, penalty=0.0,
    dropout=0.0, word_dropout=0.0, batch_size=16, epochs=8, lr=0.02, patience=8,
)  # fmt: skip
RNG = np.random.default_rng(0)


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def teachers(n: int = 200, width: int = 8) -> np.ndarray:
    """Unit vectors that are long in some directions and short in others."""
    turn = np.linalg.qr(np.random.default_rng(5).normal(size=(width, width)))[0]
    return unit(RNG.normal(size=(n, width)) * np.linspace(3, 0.1, width) @ turn).astype(np.float16)


def test_the_loss_is_the_one_worked_out_by_hand():
    vectors, truth = RNG.normal(size=(5, 6)), unit(RNG.normal(size=(5, 6)))
    student = unit(vectors)
    away = np.mean([1 - student[i] @ truth[i] for i in range(5)])
    error = np.mean([(student[i] @ student[j] - truth[i] @ truth[j]) ** 2 for i in range(5) for j in range(5)])
    total, first = distill_loss(torch.from_numpy(vectors), torch.from_numpy(truth), likeness=3.0)
    assert float(first) == pytest.approx(away) and float(total) == pytest.approx(away + 3 * error)
    total, first = distill_loss(torch.from_numpy(vectors), torch.from_numpy(truth), likeness=0.0)
    assert float(total) == float(first) == pytest.approx(away)


def test_vectors_cut_short_are_part_of_the_loss(monkeypatch):
    monkeypatch.setattr(distill, "SHORTER", (2, 4, 100))
    vectors, truth = RNG.normal(size=(5, 6)), unit(RNG.normal(size=(5, 6)))
    expected = distill_loss(torch.from_numpy(vectors), torch.from_numpy(truth), likeness=0.0)[0]
    wanted = truth @ truth.T
    for weight, width in ((1.0, 6), (0.2, 2), (0.2, 4)):
        short = unit(vectors[:, :width])
        expected = expected + 2.0 * weight * ((short @ short.T - wanted) ** 2).mean()
    found, _ = distill_loss(torch.from_numpy(vectors), torch.from_numpy(truth), likeness=2.0)
    assert float(found) == pytest.approx(float(expected))


def test_a_student_narrower_than_the_teacher_is_compared_by_its_own_numbers():
    vectors, truth = torch.randn(4, 3), torch.from_numpy(unit(RNG.normal(size=(4, 6)))).float()
    _, away = distill_loss(vectors, truth, likeness=1.0)
    expected = 1 - (torch.nn.functional.normalize(vectors, dim=1) * truth[:, :3]).sum(1).mean()
    assert float(away) == pytest.approx(float(expected), abs=1e-6)


def test_the_right_vectors_have_no_loss():
    truth = torch.from_numpy(unit(RNG.normal(size=(4, 6)))).float()
    assert float(distill_loss(7 * truth, truth, likeness=5.0)[0]) == pytest.approx(0, abs=1e-5)


def test_the_axes_stand_upright_on_each_other_the_longest_first():
    vectors = teachers()
    axes = main_axes(vectors, 8)
    assert axes.dtype == np.float32
    np.testing.assert_allclose(axes.T @ axes, np.eye(8), atol=1e-5)
    sizes = np.square(turned(vectors, axes).astype(np.float32)).sum(0)
    assert (np.diff(sizes) <= 1e-2).all() and sizes[0] > 5 * sizes[-1]
    largest = axes[np.abs(axes).argmax(0), np.arange(8)]
    assert (largest > 0).all(), "eigh is free to choose signs; we are not"


def test_turning_changes_no_cosine_and_a_cut_keeps_the_most(monkeypatch):
    monkeypatch.setattr(distill, "SAMPLE", 64)  # several parts
    vectors = teachers().astype(np.float16)
    axes = main_axes(vectors, 8)
    whole = turned(vectors, axes)
    assert whole.dtype == np.float16 and whole.shape == vectors.shape
    exact = vectors.astype(np.float32)
    np.testing.assert_allclose(whole.astype(np.float32) @ whole.astype(np.float32).T, exact @ exact.T, atol=5e-3)
    cut = turned(vectors, main_axes(vectors, 3)).astype(np.float32)
    assert cut.shape == (200, 3)
    plain = exact[:, :3]
    assert np.abs(cut @ cut.T - exact @ exact.T).mean() < np.abs(plain @ plain.T - exact @ exact.T).mean()


def make_texts(n: int) -> list[np.ndarray]:
    return [RNG.integers(2, 30, size=RNG.integers(1, 7)).astype(np.int32) for _ in range(n)]


@pytest.mark.parametrize("settings", [{}, {"n_hops": 1}, {"pooler": "mean"}, {"vector_width": 5}, {"embed_width": 5}])
def test_a_static_student_begins_near_a_weighted_mean_of_the_teachers_words(settings):
    config = CONFIG.changed(**settings).model
    network, words, texts = build_network(config, n_ids=30).eval(), unit(RNG.normal(size=(30, 8))), make_texts(300)
    start_from_words(network, words.astype(np.float32), texts)
    assert not network.embed.weight[0].any(), "the pad stays 0"
    share = np.bincount(np.concatenate(texts), minlength=30) / sum(map(len, texts))
    short = words * (distill.FREQUENT / (distill.FREQUENT + share))[:, None]
    batch = pad(texts, range(50))
    with torch.inference_mode():
        found = network(
            torch.from_numpy(batch.ids), mask_of(torch.from_numpy(batch.lengths), batch.ids.shape[1])
        ).scores
    n = min(config.embed_width, config.vector_width)
    expected = np.stack([short[ids].mean(0)[:n] for ids in texts[:50]])
    cosines = (unit(found.numpy()[:, :n]) * unit(expected)).sum(1)
    assert cosines.mean() > 0.9


def test_frequent_words_begin_short():
    network, words = build_network(CONFIG.model, n_ids=30), unit(RNG.normal(size=(30, 8))).astype(np.float32)
    start_from_words(network, words, [np.array([2] * 50 + [3], dtype=np.int32)])
    lengths = network.embed.weight.detach().norm(dim=1)
    assert lengths[2] < lengths[3] < lengths[4] == pytest.approx(distill.START_LENGTH, rel=1e-3)


def test_beside_a_context_the_words_own_vectors_are_passed_on():
    config = CONFIG.changed(encoder="bilstm", keep_words=True, units=3).model
    network, words = build_network(config, n_ids=30), unit(RNG.normal(size=(30, 8))).astype(np.float32)
    before = network.head.map.weight.detach().clone().view(8, 2, 14)
    start_from_words(network, words, make_texts(50))
    added = network.head.map.weight.detach().view(8, 2, 14) - 0.1 * before
    torch.testing.assert_close(added[:, :, 6:], torch.eye(8)[:, None, :].expand(8, 2, 8) / 2, atol=1e-6, rtol=0)
    assert added[:, :, :6].abs().max() < 1e-6


@pytest.mark.parametrize(("encoder", "units"), [("bilstm", 3), ("transformer", 4), ("cnn", 2)])
def test_without_the_words_beside_its_states_a_student_can_begin_too(encoder, units):
    config = CONFIG.changed(encoder=encoder, units=units, keep_words=False, kernel_sizes=(3,), n_heads=2, n_layers=1)
    network = build_network(config.model, n_ids=30)
    assert network.encoder.width < CONFIG.model.embed_width
    start_from_words(network, unit(RNG.normal(size=(30, 8))).astype(np.float32), make_texts(50))


def test_the_student_comes_to_agree_with_the_teacher():
    """A teacher whose vector is the mean of its words' vectors: what a static student can learn."""
    words, train, valid = RNG.normal(size=(30, 8)), make_texts(320), make_texts(60)

    def answers(texts):
        return unit(np.stack([words[ids].mean(0) for ids in texts])).astype(np.float16)

    goal = DistillGoal(train, valid, train_vectors=answers(train), valid_vectors=answers(valid), likeness=5.0)
    result = Trainer(build_network(CONFIG.model, n_ids=30), goal, settings=CONFIG.train).run()
    agreement = [record.metrics["agreement"] for record in result.records]
    assert agreement[-1] > agreement[0] + 0.1 and agreement[-1] > 0.8
    assert result.records[-1].metrics["cosine"] > 0.8
    assert result.records[-1].valid_loss == pytest.approx(1 - result.records[-1].metrics["cosine"])


def test_perfect_answers_agree_wholly():
    truth = teachers(40)
    goal = DistillGoal(make_texts(4), make_texts(40), train_vectors=truth[:4], valid_vectors=truth, likeness=1.0)
    scores = torch.from_numpy(3 * truth.astype(np.float32))
    batch = pad(goal.valid, range(40))
    judged = goal.judge([(batch, Output(scores, scores, scores))])
    assert judged.metrics["agreement"] == pytest.approx(1, abs=1e-6)
    assert judged.metrics["cosine"] == pytest.approx(1, abs=2e-3)


@pytest.mark.parametrize("encoder", ["bilstm", "transformer"])
def test_an_encoder_with_context_begins_as_the_static_one_it_grows_from(encoder):
    from heedful.training.start.from_smaller import start_from_smaller

    small = {"embed_width": 6, "n_hops": 2, "attention_width": 4, "vector_width": 5, "head": "vector"}
    static = build_network(Config().changed(encoder="static", **small).model, n_ids=9, seed=1)
    settings = Config().changed(encoder=encoder, units=4, n_heads=2, inner_units=5, keep_words=True, **small)
    grown = build_network(settings.model, n_ids=9, seed=2)
    start_from_smaller(grown, {name: value.numpy() for name, value in static.state_dict().items()})
    own = grown.encoder.width - 6
    assert torch.equal(grown.embed.weight, static.embed.weight)
    assert torch.equal(grown.pooler.inner.weight[:, own:], static.pooler.inner.weight)
    by_hop = grown.head.map.weight.view(5, 2, -1)[:, :, own:]
    assert torch.equal(by_hop, static.head.map.weight.view(5, 2, 6))
    again = build_network(settings.model, n_ids=9, seed=3)
    start_from_smaller(again, {name: value.numpy() for name, value in grown.state_dict().items()})
    assert all(torch.equal(a, b) for a, b in zip(again.state_dict().values(), grown.state_dict().values(), strict=True))


def test_an_encoder_of_another_width_is_no_start():
    from heedful.errors import TrainingError
    from heedful.training.start.from_smaller import start_from_smaller

    sizes = {"n_hops": 2, "attention_width": 4, "vector_width": 5, "head": "vector"}
    static = build_network(Config().changed(encoder="static", embed_width=6, **sizes).model, n_ids=9)
    other = build_network(Config().changed(encoder="bilstm", embed_width=7, keep_words=True, **sizes).model, n_ids=9)
    with pytest.raises(TrainingError, match="differs in width"):
        start_from_smaller(other, {name: value.numpy() for name, value in static.state_dict().items()})


def test_the_axes_of_a_start_are_found_again():
    from heedful.training.start.from_smaller import turned_to

    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(200, 8)).astype(np.float32)
    turn = np.linalg.qr(rng.normal(size=(8, 8)))[0][:, :5].astype(np.float32)
    np.testing.assert_allclose(turned_to(vectors, vectors @ turn), turn, atol=0.2)
    same = np.linalg.qr(rng.normal(size=(8, 8)))[0].astype(np.float32)
    np.testing.assert_allclose(turned_to(vectors, vectors @ same), same, atol=1e-4)


def test_near_groups_hold_every_text_once_and_near_ones_together():
    from heedful.tasks.embed.distill import near_groups

    rng = np.random.default_rng(0)
    centres = np.eye(8, dtype=np.float32)
    vectors = (centres[np.arange(160) % 8] + rng.normal(size=(160, 8)) * 0.01).astype(np.float16)
    groups = near_groups(vectors, 4, np.random.default_rng(1))
    assert sorted(np.concatenate(groups).tolist()) == list(range(160)) and max(map(len, groups)) <= 4
    pure = [len({int(i) % 8 for i in group}) == 1 for group in groups]
    assert sum(pure) / len(pure) > 0.8
