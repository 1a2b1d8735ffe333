"""A contrastive step on the labels, and the choice whether it is taken."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from heedful import load
from heedful.config import Config
from heedful.errors import ConfigError
from heedful.jobs.train.choose_start import read_start
from heedful.jobs.train.train import train_model
from heedful.training.dataset import read_data
from heedful.training.history import FitEvent, NoteEvent
from heedful.training.setup import prepare, prepare_data
from heedful.training.start import choose_tuning as choice
from heedful.training.start import contrast, open_ways
from heedful.training.start.choose_tuning import HeldOut, _is_better, divide_scores
from heedful.training.start.contrast import BATCH, contrast_steps, contrastive_loss, fit_contrast, label_batches
from heedful.training.start.head_fit import probe_inputs
from heedful.training.start.open_ways import ways_for


@pytest.fixture
def config(pretrained_folder):
    return Config().changed(start=str(pretrained_folder), ngrams=0, threads=1)


@pytest.fixture
def prepared(config, examples):
    return prepare_data(config, read_data(config, given=(examples(60), [])), read_start(config.train.start))


def margin(network, goal):
    """Return the mean similarity of two texts of one label less that of two of different labels."""
    vectors, truth = probe_inputs(network, goal.train).vectors, goal.truth[0]
    similar, is_same = vectors @ vectors.T, truth[:, None] == truth[None]
    return float(similar[is_same].mean() - similar[~is_same].mean())


def test_the_loss_is_that_of_khosla_et_al():
    vectors = torch.nn.functional.normalize(torch.randn(5, 4, generator=torch.Generator().manual_seed(0)), dim=1)
    labels, expected = [0, 0, 1, 1, 0], []
    for i in range(5):
        others = [j for j in range(5) if j != i]
        total = sum(float(torch.exp(vectors[i] @ vectors[j] / contrast.TEMPERATURE)) for j in others)
        same = [j for j in others if labels[j] == labels[i]]
        logs = [float(vectors[i] @ vectors[j]) / contrast.TEMPERATURE - np.log(total) for j in same]
        expected.append(-np.mean(logs))
    loss = contrastive_loss(vectors, torch.tensor(labels))
    assert float(loss) == pytest.approx(np.mean(expected), rel=1e-5)


def test_a_text_without_another_of_its_label_counts_for_nothing():
    vectors = torch.nn.functional.normalize(torch.randn(3, 4), dim=1)
    assert float(contrastive_loss(vectors, torch.tensor([0, 1, 2]))) == 0.0


def test_a_batch_has_several_texts_of_each_of_its_labels():
    truth = np.arange(600) % 75
    batches = list(label_batches(truth, n_steps=5, seed=0))
    assert len(batches) == 5 and all(len(each) == BATCH for each in batches)
    for positions in batches:
        assert len(set(positions)) == len(positions)
        assert min(np.unique(truth[positions], return_counts=True)[1]) == 2


def test_texts_of_one_label_come_closer_and_the_seed_repeats_it(prepared, monkeypatch):
    monkeypatch.setattr(contrast, "RELATIVE_LR", 0.1)  # the encoder of the tests is small and knows little
    network, goal = prepared.network, prepared.goal
    before, table = margin(network, goal), network.embed.weight.detach().clone()
    fits: list[tuple[int, int]] = []
    fit_contrast(network, goal.train, goal.truth[0], n_steps=40, on_fit=lambda *done: fits.append(done))
    assert margin(network, goal) > before + 5e-4
    assert torch.equal(network.embed.weight, table) and fits == [(10, 40), (20, 40), (30, 40), (40, 40)]
    first = {name: value.clone() for name, value in network.state_dict().items()}
    network.load_state_dict(prepared.fresh().state_dict())
    fit_contrast(network, goal.train, goal.truth[0], n_steps=40)
    assert all(
        torch.equal(value, first[name]) for name, value in network.state_dict().items() if "head.answer" not in name
    )


@pytest.fixture
def few_are_enough(monkeypatch):
    """Let the contrastive step be tried with fewer texts than by default."""
    monkeypatch.setattr(open_ways, "FEWEST_TO_CONTRAST", 30)


@pytest.mark.usefixtures("few_are_enough")
def test_an_encoder_that_takes_too_long_is_not_tuned_and_a_line_says_so(config, examples, monkeypatch):
    monkeypatch.setattr(contrast, "MOST_WORK", 1)
    material = read_data(config, given=(examples(60), []))
    prepared = prepare_data(config, material, read_start(config.train.start))
    assert contrast_steps(prepared.network, prepared.goal.train) == 0
    assert not prepared.folds and "too long" in prepared.notes[0]
    assert prepare(config, material, read_start(config.train.start)).config.train.tune == "answer"


def held_out(scores, truth):
    return [HeldOut(0.5, torch.tensor(scores), np.array(truth))]


def test_a_way_must_save_more_than_chance_would():
    truth = [0, 1] * 20
    right = [[2.0, 0.0] if label == 0 else [0.0, 2.0] for label in truth]
    unsure = [[0.2, 0.0] if i % 3 else [0.0, 0.2] for i in range(40)]
    assert _is_better(held_out(right, truth), held_out(unsure, truth))
    assert not _is_better(held_out(right, truth), held_out(right, truth))
    one_more = [list(row) for row in unsure]
    one_more[1] = [0.0, 0.2]
    assert not _is_better(held_out(one_more, truth), held_out(unsure, truth)), "one text of forty is chance"


def test_scores_are_divided_with_the_head(prepared):
    goal, network = prepared.goal, prepared.network
    inputs = torch.from_numpy(probe_inputs(network, goal.train).vectors)
    before = network.head.answer(inputs).detach()
    divide_scores(network, 2.0)
    torch.testing.assert_close(network.head.answer(inputs).detach(), before / 2)


@pytest.mark.usefixtures("few_are_enough")
def test_the_choice_is_said_and_the_config_trains_the_same_again(config, examples, tmp_path, monkeypatch):
    monkeypatch.setattr(choice, "_is_better", lambda *_: True)  # the last way is taken
    monkeypatch.setattr(contrast, "STEPS", 40)
    events: list[object] = []
    made = (examples(60), [])
    result = train_model(config, tmp_path / "model", examples=made, watcher=events.append)
    lines = [event.message for event in events if isinstance(event, NoteEvent)]
    assert any("head" in line and "chosen: contrastive step" in line for line in lines)
    assert any(isinstance(event, FitEvent) for event in events)
    first = load(result.path)
    assert first.config.train.tune == "contrast"
    train_model(config.changed(tune="contrast"), tmp_path / "again", examples=made)
    second = load(tmp_path / "again")
    texts = [example.text for example in made[0][:5]]
    np.testing.assert_allclose(first.predict_proba(texts), second.predict_proba(texts), atol=1e-6)
    explanation = first.explain(texts[0])
    total = np.asarray(explanation.contributions).sum(axis=0) + np.asarray(explanation.bias)
    np.testing.assert_allclose(total, explanation.scores, atol=1e-4)


@pytest.mark.usefixtures("few_are_enough")
def test_stopped_while_ways_are_compared_nothing_is_written(config, examples, tmp_path):
    result = train_model(config, tmp_path / "model", examples=(examples(60), []), should_stop=lambda: True)
    assert result.is_interrupted and result.path is None and not (tmp_path / "model").exists()


def test_a_contrastive_step_without_one_label_for_each_text_is_refused(prepared, config):
    goal, settings = prepared.goal, config.changed(tune="contrast", head="mapped")
    assert ways_for(settings, prepared.network, goal, read_start(config.train.start), is_auto=False)[1].names
    goal.truth = None
    with pytest.raises(ConfigError, match="one label each"):
        ways_for(settings, prepared.network, goal, read_start(config.train.start), is_auto=False)
