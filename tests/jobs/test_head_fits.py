"""The fits of a head before training: said first, shown while they run, and stopped without loss."""

from __future__ import annotations

import pytest
import torch

from heedful import load
from heedful.cli.shared.training import interrupted_sentence, said_when_interrupted
from heedful.config import Config
from heedful.jobs.train.train import train_model
from heedful.torch_model.gradients import gradient_times_input, slopes
from heedful.torch_model.network import network_of, states_of
from heedful.training.history import EpochEvent, FitEvent, NoteEvent
from heedful.training.start.linear_probe import n_fits


@pytest.fixture
def config(pretrained_folder):
    return Config().changed(start=str(pretrained_folder), tune="answer", ngrams=0)


@pytest.fixture
def two_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def stop_after(events, n):
    """Ask to stop once `n` fits were told of."""
    return lambda: sum(isinstance(e, FitEvent) for e in events) >= n


def test_what_was_read_is_said_before_the_first_fit(config, examples, tmp_path):
    events: list[object] = []
    train_model(config, tmp_path / "model", examples=(examples(60), []), watcher=events.append)
    kinds = [type(e) for e in events]
    first = kinds.index(FitEvent)
    assert any("for training" in e.message for e in events[:first] if isinstance(e, NoteEvent))
    told = [(e.done, e.total) for e in events if isinstance(e, FitEvent)]
    row = [(i + 1, n_fits()) for i in range(n_fits())]
    assert told == row + row  # without and then with the validation set
    assert kinds.index(EpochEvent) > first


def test_stopped_in_the_last_fits_the_head_that_was_measured_is_kept(config, examples, tmp_path):
    events: list[object] = []
    result = train_model(
        config,
        tmp_path / "model",
        examples=(examples(60), []),
        watcher=events.append,
        should_stop=stop_after(events, n_fits() + 3),
    )
    assert result.is_interrupted and result.path == tmp_path / "model"
    assert "valid_texts_learned" not in result.facts.data
    assert load(result.path).predict("the parcel was great") in ("bad", "good")


def test_gradients_of_a_small_network_take_one_thread(tiny_model, two_threads):
    network = network_of(tiny_model)
    seen = []
    handle = network.head.register_forward_hook(lambda *_: seen.append(torch.get_num_threads()))
    other = network.encoder.register_forward_hook(lambda *_: seen.append(torch.get_num_threads()))
    try:
        vectors = torch.rand(1, 5, network.embed.width)
        gradient_times_input(network, vectors, 0)
        slopes(network, vectors, 0)
        states_of(network, tiny_model.featurise(["the parcel was great"])[0])
    finally:
        handle.remove()
        other.remove()
    assert seen == [1] * 5
    assert torch.get_num_threads() == 2


def test_idle_threads_of_a_session_sleep(tiny_model):
    options = tiny_model.session._session.get_session_options()
    assert options.get_session_config_entry("session.intra_op.allow_spinning") == "0"


def test_an_interrupt_says_what_is_left(tmp_path, capsys):
    out = tmp_path / "model"
    sentence = interrupted_sentence(out, was_there=False)
    with pytest.raises(KeyboardInterrupt), said_when_interrupted(lambda: sentence):
        raise KeyboardInterrupt
    assert "nothing was written" in capsys.readouterr().err
    out.mkdir()
    assert "already written to" in interrupted_sentence(out, was_there=False)
    assert "nothing was written" in interrupted_sentence(out, was_there=True)
    work = tmp_path / "model.training"
    work.mkdir()
    (work / "checkpoint.safetensors").touch()
    assert "--resume" in interrupted_sentence(out, was_there=True)
