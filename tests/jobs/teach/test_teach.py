"""A small model that learns from a teacher."""

from __future__ import annotations

import shutil
import tomllib

import numpy as np
import pytest

from heedful import load
from heedful.api.train import train
from heedful.cli.main import main
from heedful.config import Config
from heedful.data.batch import pad
from heedful.errors import ConfigError, DataError, ModelFolderError, NoSuchModel, TrainingError
from heedful.jobs.teach.scores import ScoreCache
from heedful.jobs.teach.teach import teach_model, training_job
from heedful.jobs.teach.texts import ENOUGH, MOST_EACH, variations_of_each
from heedful.jobs.train.run_options import never
from heedful.jobs.train.train import train_model
from heedful.training.history import NoteEvent, StepEvent, TeacherEvent, nobody


@pytest.fixture
def config(pretrained_folder):
    """A teacher, and a student that starts from the same small encoder."""
    start = str(pretrained_folder)
    return Config().changed(teacher=start, start=start, variations=2, epochs=2, batch_size=16, lr=0.01, threads=1)


@pytest.fixture
def pair(examples):
    made = examples(70)
    return made[:50], made[50:]


def lines_of(config, out, pair, **options):
    """Return the notes of a run."""
    notes = []
    teach_model(config, out, examples=pair, watcher=lambda e: notes.append(e) if isinstance(e, NoteEvent) else None,
                **options)  # fmt: skip
    return [note.message for note in notes]


def counted(events):
    """Return a watcher that keeps the steps, and the labelled parts."""
    return lambda event: events.append(event) if isinstance(event, StepEvent | TeacherEvent) else None


def test_a_teacher_makes_the_job_another():
    assert training_job(Config()) is train_model
    assert training_job(Config().changed(teacher="x")) is teach_model


def test_the_folder_says_who_taught_it(config, pair, tmp_path):
    lines = lines_of(config, tmp_path / "m", pair)
    assert any(
        "tuning the teacher" in line and "about a minute" in line.replace("less than", "about") for line in lines
    )
    assert any("the teacher labels" in line and "50 of the training set" in line for line in lines)
    model = load(tmp_path / "m")
    facts = model.facts.data
    assert facts["teacher"] == "encoder" and facts["train_texts"] == 50 and facts["unlabelled_texts"] == 0
    assert facts["taught_texts"] == 50 + facts["variations"] > 100
    assert facts["teacher_metrics"]["accuracy"] == load(tmp_path / "m.teacher").facts.metrics["accuracy"]
    assert "learned the task from the teacher `encoder`" in (tmp_path / "m" / "README.md").read_text()
    settings = tomllib.loads((tmp_path / "m" / "config.toml").read_text())
    assert settings["train"]["tune"] == "all" and settings["encode"]["variations"] == 2
    explanation = model.explain("the parcel was great")
    assert explanation.contributions is not None


def test_the_student_answers_as_the_teacher(config, pair, examples, tmp_path, pretrained_folder):
    teach_model(config.changed(epochs=12, variations=8), tmp_path / "m", examples=pair)
    texts = [example.text for example in examples(60, seed=9)]
    student, teacher = (load(tmp_path / name).predict_proba(texts)[:, 1] for name in ("m", "m.teacher"))
    assert np.corrcoef(student, teacher)[0, 1] > 0.8


def test_same_seed_same_model(config, pair, tmp_path):
    scores = []
    for name in ("a", "b"):
        teach_model(config, tmp_path / name, examples=pair)
        scores.append(load(tmp_path / name).predict_proba([example.text for example in pair[1]]))
    assert np.array_equal(*scores)


def test_a_second_run_takes_the_teacher_and_its_scores_from_disk(config, pair, tmp_path):
    lines_of(config, tmp_path / "m", pair)
    made = {file: file.stat().st_mtime_ns for file in (tmp_path / "m.teacher-scores").iterdir()}
    lines = lines_of(config.changed(lr=0.003), tmp_path / "m", pair, overwrite=True)
    assert any("was tuned before" in line for line in lines) and not any("tuning" in line for line in lines)
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "m.teacher-scores").iterdir()} == made


def test_a_damaged_file_of_scores_is_made_again(config, pair, tmp_path):
    lines_of(config, tmp_path / "m", pair)
    (file,) = (tmp_path / "m.teacher-scores").glob("*.npy")
    whole = file.read_bytes()
    file.write_bytes(whole[:-7])
    lines_of(config, tmp_path / "m", pair, overwrite=True)
    assert file.read_bytes() == whole


def test_scores_that_are_not_finite_are_one_message_and_are_not_kept(config, tmp_path, tiny_folder, monkeypatch):
    teacher = load(tiny_folder)
    monkeypatch.setattr(
        type(teacher), "run", lambda *_: [(pad([np.array([2])], [0]), [np.full((1, 2), np.nan, np.float32)])]
    )
    with pytest.raises(TrainingError, match="gives 'on monday' scores that are not finite"):
        ScoreCache(tmp_path / "scores", teacher, nobody, never).scores(["on monday"])
    assert not list((tmp_path / "scores").iterdir())


def test_a_teacher_of_other_data_is_not_taken(config, pair, tmp_path):
    lines_of(config, tmp_path / "m", pair)
    shutil.rmtree(tmp_path / "m")
    with pytest.raises(ModelFolderError, match=r"m\.teacher is a teacher of other data or settings"):
        lines_of(config, tmp_path / "m", (pair[0][:-2], pair[1]))
    assert any("tuning" in line for line in lines_of(config, tmp_path / "m", (pair[0][:-2], pair[1]), overwrite=True))


@pytest.mark.parametrize("after", [-20, 0, 1, 3])  # events before or after the teacher labels
def test_stopped_anywhere_and_resumed_is_as_if_never_stopped(config, pair, tmp_path, after):
    events, seen = [], []
    whole = teach_model(config, tmp_path / "whole", examples=pair, watcher=counted(events))
    assert not whole.is_interrupted
    n_events = [type(event) for event in events].index(TeacherEvent) + after
    stopped = teach_model(
        config,
        tmp_path / "cut",
        examples=pair,
        watcher=counted(seen),
        should_stop=lambda: len(seen) >= n_events,
    )
    assert stopped.is_interrupted
    assert not teach_model(config, tmp_path / "cut", examples=pair, resume=True).is_interrupted
    texts = [example.text for example in pair[1]]
    assert np.array_equal(*(load(tmp_path / name).predict_proba(texts) for name in ("whole", "cut")))


def test_a_classifier_teaches_as_it_is(config, pair, tmp_path, tiny_folder):
    lines = lines_of(config.changed(teacher=str(tiny_folder)), tmp_path / "m", pair)
    assert not any("tuning" in line for line in lines) and not (tmp_path / "m.teacher").exists()
    assert load(tmp_path / "m").facts.data["teacher"] == tiny_folder.name


def test_unlabelled_texts_are_labelled(config, pair, examples, tmp_path):
    more = tmp_path / "more.txt"
    known = [example.text for side in pair for example in side]
    more.write_text("\n".join([*(example.text for example in examples(30, seed=5)), *known[:3], *known[-3:]]))
    model = train(
        ([e.text for e in pair[0]], [e.label for e in pair[0]]),
        tmp_path / "m",
        valid=([e.text for e in pair[1]], [e.label for e in pair[1]]),
        teacher=config.encode.teacher,
        unlabelled=str(more),
        start=config.train.start,
        variations=0,
        epochs=1,
    )
    facts = model.facts.data
    assert facts["unlabelled_texts"] == 30 and facts["variations"] == 0 and facts["taught_texts"] == 80


def test_a_model_from_scratch_learns_too(config, pair, tmp_path, tiny_settings, tiny_folder):
    scratch = config.changed(start="none", teacher=str(tiny_folder), **{**tiny_settings, "epochs": 3})
    teach_model(scratch, tmp_path / "m", examples=pair)
    assert load(tmp_path / "m").facts.metrics["accuracy"] > 0.7


def test_numbers_and_several_labels_are_taught(config, examples, tmp_path, pretrained_folder):
    made = examples(60)
    texts = [example.text for example in made]
    numbers = [str(100.0 + 50.0 * (example.label == "good") + len(example.text)) for example in made]
    many = [(str(int(example.label == "good")), str(int("monday" in example.text))) for example in made]
    settings = {"teacher": str(pretrained_folder), "start": str(pretrained_folder), "variations": 1, "epochs": 3}
    number = train((texts, numbers), tmp_path / "number", task="regress", **settings)
    assert number.facts.data["teacher_metrics"]["rmse"] == pytest.approx(
        load(tmp_path / "number.teacher").facts.metrics["rmse"], rel=1e-3
    )
    assert 80 < float(number.predict(texts[0])) < 260
    labels = train((texts, many), tmp_path / "many", **settings)
    assert set(labels.facts.data["teacher_metrics"]) == {"roc_auc", "accuracy"}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ngrams": 500}, "n-grams do not learn from a teacher"),
        ({"tune": "answer"}, "train.tune is 'answer': set train.tune to 'all'"),
        ({"stream": True}, "encode.teacher and data.stream are set"),
        ({"task": "tag"}, "encode.teacher is for texts with labels or a number, not for text tag"),
        ({"task": "pair"}, "not for text pair"),
    ],
)
def test_settings_that_cannot_be_are_one_message(config, pair, tmp_path, settings, message):
    with pytest.raises(ConfigError, match=message):
        teach_model(config.changed(**settings), tmp_path / "m", examples=pair)


def test_a_teacher_that_is_none_is_one_message(config, pair, tmp_path, tiny_folder):
    (tmp_path / "file.npy").write_bytes(b"")
    (tmp_path / "empty").mkdir()
    for given, message, kind in (
        ("nobody", "nobody is not a folder and not a bundled model", NoSuchModel),
        (str(tmp_path / "file.npy"), "file.npy is not a folder. A teacher is", ModelFolderError),
        (str(tmp_path / "empty"), "empty", ModelFolderError),
        (str(tmp_path / "a" / "b"), "is not a folder", ModelFolderError),
    ):
        with pytest.raises(kind, match=message):
            teach_model(config.changed(teacher=given), tmp_path / "m", examples=pair)
    other = [type(example)(example.text, example.label.upper()) for example in pair[0]]
    with pytest.raises(ModelFolderError, match="has labels bad, good, expected those of the data: BAD, GOOD"):
        teach_model(config.changed(teacher=str(tiny_folder)), tmp_path / "m", examples=(other, other))
    numbers = [type(example)(example.text, str(i)) for i, example in enumerate(pair[0])]
    with pytest.raises(ModelFolderError, match="answers with label, expected number"):
        teach_model(
            config.changed(teacher=str(tiny_folder), task="regress"), tmp_path / "m", examples=(numbers, numbers)
        )


def test_an_unlabelled_file_that_is_missing_is_one_message(config, pair, tmp_path):
    with pytest.raises(DataError, match=r"missing\.txt"):
        teach_model(config.changed(unlabelled=str(tmp_path / "missing.txt")), tmp_path / "m", examples=pair)


def test_few_texts_get_many_variations_and_many_get_few():
    auto = Config()
    numbers = [variations_of_each(auto, n, 0) for n in (50, 1_000, 10_000, 100_000)]
    assert numbers[0] == MOST_EACH and numbers[1] == ENOUGH // 1_000 - 1 and numbers[-1] == 0
    assert numbers == sorted(numbers, reverse=True)
    assert variations_of_each(auto, 1_000, ENOUGH) == 0
    assert variations_of_each(auto.changed(variations=7), 100_000, 0) == 7


def test_the_command_line_shows_both_metrics(config, pair, tmp_path, write_csv, capsys):
    path = write_csv(tmp_path / "in.csv", [*pair[0], *pair[1]])
    folder = str(config.encode.teacher)
    words = ["--teacher", folder, "--start", folder, "--variations", "1", "--epochs", "1"]
    assert main(["train", str(path), "-o", str(tmp_path / "m"), *words]) == 0
    printed = capsys.readouterr()
    assert "teacher accuracy" in printed.out and "dev accuracy" in printed.out
    assert main(["train", str(tmp_path / "m" / "config.toml"), "-o", str(tmp_path / "again")]) == 0
