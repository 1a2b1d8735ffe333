"""The loop: repeatable, resumable, and the same whatever interrupts it."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from heedful.config import Config
from heedful.errors import TrainingError
from heedful.network.build import build_network
from heedful.network.fronts.embed import Embed
from heedful.network.network import Network
from heedful.network.poolers.mean_max_last import MeanPooler
from heedful.network.tensors import with_unknown_words
from heedful.tasks.classify.goal import ClassifyGoal, LabelledSet
from heedful.text.vocab import UNKNOWN
from heedful.training.history import EpochEvent
from heedful.training.loop.checkpoint import load_checkpoint
from heedful.training.loop.loss import ClassifyLoss, balanced_weights
from heedful.training.loop.trainer import Trainer

CONFIG = Config().changed(
    embed_width=8, units=6, n_hops=3, attention_width=5, epochs=3, batch_size=8, row_units=3, column_units=2, lr=0.01
)


def task(n: int = 60, seed: int = 0) -> LabelledSet:
    """Texts of random ids; the label is whether id 2 occurs."""
    rng = np.random.default_rng(seed)
    features = [rng.integers(2, 12, size=rng.integers(1, 9)).astype(np.int32) for _ in range(n)]
    return LabelledSet(features, np.array([int(2 in ids) for ids in features]))


def goal(error: ClassifyLoss) -> ClassifyGoal:
    return ClassifyGoal(task(), task(20, seed=1), labels=["no", "yes"], error=error)


def trainer(folder=None, *, optimiser="adam", stop_after=None, watcher=lambda e: None, **settings) -> Trainer:
    config = CONFIG.changed(optimiser=optimiser, **settings)
    steps = iter(range(10_000))
    return Trainer(
        build_network(config.model, n_ids=12, n_classes=2, seed=config.train.seed),
        goal(ClassifyLoss(coefficient=0.1)),
        settings=config.train,
        folder=folder,
        identity={"seed": config.train.seed},
        watcher=watcher,
        should_stop=lambda: stop_after is not None and next(steps) >= stop_after,
    )


def same(first, second) -> bool:
    return all(torch.equal(first.weights[name], second.weights[name]) for name in first.weights)


def test_the_same_seed_gives_the_same_model_and_another_seed_another():
    first = trainer().run()
    assert same(first, trainer().run())
    assert not same(first, trainer(seed=1).run())


@pytest.mark.parametrize("optimiser", ["adam", "adamw", "sgd", "adagrad"])
@pytest.mark.parametrize("stop_after", [0, 5, 11])  # in the first epoch, at its last steps, in the second
def test_a_stopped_and_resumed_run_ends_as_an_unbroken_one(tmp_path, optimiser, stop_after):
    unbroken = trainer(optimiser=optimiser).run()
    stopped = trainer(tmp_path, optimiser=optimiser, stop_after=stop_after).run()
    assert stopped.is_interrupted
    resumed = trainer(tmp_path, optimiser=optimiser).run(resume=True)
    assert same(unbroken, resumed)
    timeless = [[replace(r, seconds=0, texts_per_second=0) for r in run.records] for run in (unbroken, resumed)]
    assert timeless[0] == timeless[1]


def test_resuming_does_not_depend_on_the_random_state_of_the_process(tmp_path):
    unbroken = trainer().run()
    trainer(tmp_path, stop_after=5).run()
    torch.manual_seed(999)
    torch.rand(100)
    assert same(unbroken, trainer(tmp_path).run(resume=True))


def test_training_leaves_the_callers_random_state_alone():
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    trainer().run()
    assert torch.equal(torch.rand(3), expected)


def test_resuming_with_another_seed_is_refused(tmp_path):
    trainer(tmp_path, stop_after=5).run()
    with pytest.raises(TrainingError, match="seed was 0, now 1"):
        trainer(tmp_path, seed=1).run(resume=True)


def test_a_damaged_checkpoint_is_a_clear_error(tmp_path):
    (tmp_path / "checkpoint.safetensors").write_bytes(b"\x10\x00\x00\x00rubbish")
    with pytest.raises(TrainingError, match="cannot be read"):
        load_checkpoint(tmp_path)


def test_the_best_epoch_is_kept_and_not_the_last():
    result = trainer(epochs=8, lr=0.4, patience=8, schedule="constant").run()
    best = max(result.records, key=lambda r: (r.metrics["accuracy"], -r.valid_loss))
    assert result.kept_epoch == best.epoch < 8
    assert [r.epoch for r in result.records if r.is_kept][-1] == best.epoch


def test_the_last_epoch_is_kept_where_that_is_wanted_and_no_patience_ends_it(tmp_path):
    settings = {"epochs": 8, "lr": 0.4, "patience": 1, "schedule": "constant", "keep": "last"}
    result = trainer(**settings).run()
    best = max(result.records, key=lambda r: (r.metrics["accuracy"], -r.valid_loss))
    assert result.kept_epoch == len(result.records) == 8 != best.epoch
    assert [r.epoch for r in result.records if r.is_best][-1] == best.epoch
    trainer(tmp_path, stop_after=30, **settings).run()
    assert same(trainer(tmp_path, **settings).run(resume=True), result)


def test_patience_ends_training():
    result = trainer(epochs=50, lr=1e-9, patience=2, warmup=0.0).run()
    assert len(result.records) < 50


def test_a_watcher_is_told_of_every_epoch():
    told = []
    result = trainer(watcher=told.append).run()
    assert [e.record for e in told if isinstance(e, EpochEvent)] == list(result.records)


def test_a_loss_that_is_not_a_number_is_an_error_with_advice():
    broken = trainer()
    with torch.no_grad():
        broken.network.head.answer.weight.fill_(torch.nan)
    with pytest.raises(TrainingError, match="smaller lr"):
        broken.run()


def test_ctrl_c_is_not_swallowed_and_the_run_can_be_resumed(tmp_path):
    def interrupt(event):
        if isinstance(event, EpochEvent):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):  # or a search over many settings could not be stopped
        trainer(tmp_path, watcher=interrupt).run()
    assert same(trainer().run(), trainer(tmp_path).run(resume=True))


def test_resuming_without_a_setting_that_was_there_is_refused(tmp_path):
    first = trainer(tmp_path, stop_after=5)
    first.identity["word vectors"] = "abc"
    first.run()
    with pytest.raises(TrainingError, match="word vectors was 'abc', now None"):
        trainer(tmp_path).run(resume=True)


def test_a_users_own_encoder_goes_straight_in():
    class Doubler(nn.Module):
        width = 8

        def forward(self, x, mask):
            return 2 * x * mask[:, :, None]

    network = Network(Embed(12, 8), Doubler(), MeanPooler(), nn.Sequential(nn.Flatten(), nn.Linear(8, 2)))
    settings = CONFIG.changed(epochs=10, lr=0.05).train
    records = Trainer(network, goal(ClassifyLoss(coefficient=0.0)), settings=settings).run().records
    assert records[-1].loss < records[0].loss


def test_balanced_weights_make_every_label_count_the_same():
    truth = np.array([0, 0, 0, 1])
    weights = balanced_weights(truth, 2)
    assert np.isclose(weights[0] * 3, weights[1] * 1)


def test_with_an_average_what_is_kept_is_the_mean_and_training_goes_on_from_the_weights():
    plain, mean = trainer(), trainer(average=0.9)
    first, second = plain.run(), mean.run()
    assert not same(first, second)
    now = dict(mean.network.state_dict())
    assert all(torch.equal(value, now[name]) for name, value in plain.network.state_dict().items())


def test_a_stopped_and_resumed_run_has_the_same_mean(tmp_path):
    unbroken = trainer(average=0.9).run()
    assert trainer(tmp_path, average=0.9, stop_after=11).run().is_interrupted
    assert same(unbroken, trainer(tmp_path, average=0.9).run(resume=True))


def test_patterns_around_atoms_are_read_as_unknown_too_but_neither_vectors_nor_pads():
    mask = torch.tensor([[True, True, False]])
    inputs = {
        "vectors": torch.ones(1, 3, 4),
        "surroundings": torch.full((1, 3, 2), 7),
        "near": torch.full((1, 3, 2), 5),
    }
    torch.manual_seed(0)
    found = with_unknown_words(inputs, mask, 0.999)
    assert found["surroundings"].tolist() == [[[UNKNOWN] * 2, [UNKNOWN] * 2, [7, 7]]]
    assert all(torch.equal(found[name], inputs[name]) for name in ("vectors", "near"))
