"""From a teacher and texts to an encoder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from heedful import load
from heedful.api.distill import distill
from heedful.errors import ConfigError, DataError, HeedfulError, ModelFolderError, TrainingError
from heedful.jobs.encoders.distill import distill_model
from heedful.jobs.encoders.encoder import encoder_config
from heedful.jobs.train.train import working_folder
from heedful.training.history import EpochEvent, NoteEvent, StepEvent, TeacherEvent


@pytest.fixture(scope="module")
def home(tmp_path_factory, examples):
    """A corpus, and vectors for it: sums of the words' own random vectors."""
    home = tmp_path_factory.mktemp("distill")
    texts = list(dict.fromkeys(e.text for e in examples(120, seed=11)))
    (home / "corpus.txt").write_text("\n".join(texts) + "\n")
    rng = np.random.default_rng(0)
    words = {word: rng.normal(size=10) for word in sorted({w for text in texts for w in text.split()})}
    np.save(home / "vectors.npy", np.array([sum(words[w] for w in text.split()) for text in texts], dtype=np.float32))
    return home


@pytest.fixture
def config(home, encoder_settings):
    paths = {"teacher": str(home / "vectors.npy"), "train": str(home / "corpus.txt")}
    return encoder_config(**{**encoder_settings, **paths, "encoder": "static", "embed_width": 10})


def weights(folder: Path) -> bytes:
    return (folder / "weights.safetensors").read_bytes()


def stop_after(steps: int):
    left = iter(range(steps - 1))
    return lambda: next(left, None) is None


@pytest.mark.parametrize("encoder", ["static", "bilstm", "cnn", "transformer"])
def test_every_kind_of_student_learns_from_a_file_of_vectors(home, encoder_settings, tmp_path, encoder):
    settings = {**encoder_settings, "encoder": encoder, "epochs": 3, "vector_width": 64}
    model = distill(home / "vectors.npy", home / "corpus.txt", tmp_path / "model", **settings)
    assert model.task.name == "embed" and model.width == 10, "no wider than the teacher"
    assert model.facts.data["teacher"] == "vectors.npy" and set(model.facts.metrics) == {"agreement", "cosine", "loss"}
    assert model.config.model.keep_words == (encoder != "static")
    assert np.isfinite(model.embed(["the parcel was great", "", "zxqv"])).all()
    assert [p.name for p in tmp_path.iterdir()] == ["model"]


def test_a_static_student_learns_a_sum_of_words(config, tmp_path):
    events: list[object] = []
    settings = config.changed(epochs=15, lr=0.03, batch_size=16)
    result = distill_model(settings, tmp_path / "model", watcher=events.append)
    agreement = [r.metrics["agreement"] for r in result.records]
    assert max(agreement) > 0.7 and max(agreement) > agreement[0]
    assert {type(e) for e in events} == {StepEvent, EpochEvent, NoteEvent}


def test_a_narrower_vector_is_as_asked(config, tmp_path):
    distill_model(config.changed(vector_width=4), tmp_path / "model")
    assert load(tmp_path / "model").width == 4


@pytest.mark.parametrize("tokens", ["subwords", "words"])
def test_an_encoder_of_ours_teaches_and_is_asked_once(pretrained_folder, home, encoder_settings, tmp_path, tokens):
    settings = {**encoder_settings, "encoder": "static", "tokens": tokens, "teacher": str(pretrained_folder)}
    made = encoder_config(**settings, train=str(home / "corpus.txt"))
    events: list[object] = []
    distill_model(made, tmp_path / "one", cache=tmp_path / "kept", watcher=events.append)
    assert any(isinstance(e, TeacherEvent) for e in events)
    kept = {file.name: file.stat().st_mtime_ns for file in (tmp_path / "kept").iterdir()}
    assert len(kept) == 2  # the texts, and the tokens by themselves
    distill_model(made, tmp_path / "two", cache=tmp_path / "kept")
    assert {file.name: file.stat().st_mtime_ns for file in (tmp_path / "kept").iterdir()} == kept
    assert weights(tmp_path / "one") == weights(tmp_path / "two")
    assert load(tmp_path / "one").facts.data["teacher"] == "encoder"


def test_a_cache_is_made_beside_the_model_by_itself(pretrained_folder, home, encoder_settings, tmp_path):
    distill(pretrained_folder, home / "corpus.txt", tmp_path / "model", **{**encoder_settings, "encoder": "static"})
    assert sorted(p.name for p in tmp_path.iterdir()) == ["model", "teacher-vectors"]


def test_config_toml_teaches_the_same_again(config, tmp_path):
    distill_model(config, tmp_path / "first")
    distill(None, None, tmp_path / "again", config=tmp_path / "first" / "config.toml")
    assert weights(tmp_path / "first") == weights(tmp_path / "again")


@pytest.mark.parametrize("n_steps", [1, 9])
def test_stopped_and_resumed_is_as_if_never_stopped(config, tmp_path, n_steps):
    distill_model(config, tmp_path / "whole")
    cut = distill_model(config, tmp_path / "cut", should_stop=stop_after(n_steps))
    assert cut.is_interrupted and working_folder(tmp_path / "cut").is_dir()
    with pytest.raises(ModelFolderError, match=r"already exists|was not finished"):
        distill_model(config, tmp_path / "cut")
    distill_model(config, tmp_path / "cut", resume=True)
    assert weights(tmp_path / "cut") == weights(tmp_path / "whole")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cut", "whole"]


@pytest.mark.parametrize("change", [{"likeness": 1.0}, {"lr": 0.5}, {"kept_texts": 3}, {"small": False}, "teacher"])
def test_what_changes_the_result_cannot_be_resumed(config, tmp_path, change):
    distill_model(config, tmp_path / "cut", should_stop=stop_after(1))
    if change == {"small": False}:  # changes only how the result is written
        assert distill_model(config.changed(**change), tmp_path / "cut", resume=True).path is not None
        return
    if change == "teacher":
        vectors = np.load(config.encode.teacher)
        np.save(tmp_path / "other.npy", vectors[::-1])
        change = {"teacher": str(tmp_path / "other.npy")}
    with pytest.raises(TrainingError, match="cannot resume with other settings or data"):
        distill_model(config.changed(**change), tmp_path / "cut", resume=True)


def test_batch_size_and_epochs_of_0_are_chosen(config, tmp_path):
    assert distill_model(config.changed(batch_size=0, epochs=0), tmp_path / "model").path is not None


def test_heads_that_do_not_share_the_width_are_a_users_fault(config, tmp_path):
    with pytest.raises(ConfigError, match="heads"):
        distill_model(config.changed(encoder="transformer", units=10, n_heads=4), tmp_path / "model")


def test_empty_lines_keep_their_vectors(home, config, tmp_path):
    """With a file of vectors every line counts, empty and repeated ones too."""
    lines = (home / "corpus.txt").read_text().splitlines()
    (tmp_path / "c.txt").write_text("\n".join([lines[0], "", *lines]) + "\n")
    vectors = np.load(home / "vectors.npy")
    np.save(tmp_path / "v.npy", np.concatenate([vectors[:1], np.zeros((1, 10), np.float32), vectors]))
    made = config.changed(train=str(tmp_path / "c.txt"), teacher=str(tmp_path / "v.npy"))
    assert distill_model(made, tmp_path / "model").path is not None


def test_wrong_inputs_are_one_message_and_leave_nothing(home, encoder_settings, tmp_path):
    few = tmp_path.parent / f"{tmp_path.name}-few.txt"
    few.write_text("one text\n" * 50)
    cases = [
        ((home / "vectors.npy", few), TrainingError, "but the corpus has 50 texts"),
        ((home / "nothing.npy", home / "corpus.txt"), TrainingError, "cannot be read as a .npy file"),
        ((home / "vectors.npy", home / "nothing.txt"), DataError, "no such file"),
        (("no-such-teacher", home / "corpus.txt"), HeedfulError, "is not a teacher"),
        (("no-such-teacher", few), DataError, "1 different texts, expected at least 20"),
        ((None, home / "corpus.txt"), ConfigError, "distilling needs a teacher and a corpus"),
        ((home / "vectors.npy", None), ConfigError, "distilling needs a teacher and a corpus"),
    ]
    for (teacher, corpus), error, message in cases:
        with pytest.raises(error, match=message):
            distill(teacher, corpus, tmp_path / "model", **encoder_settings)
    for change, message in (({"pooler": "max"}, "structured or mean"), ({"head": "full"}, "has 'vector'")):
        with pytest.raises(ConfigError, match=message):
            distill(home / "vectors.npy", home / "corpus.txt", tmp_path / "model", **{**encoder_settings, **change})
    assert list(tmp_path.iterdir()) == []
