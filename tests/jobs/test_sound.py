"""Sounds from a table of paths to a model, its answers, its explanations and its pictures."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import numpy as np
import pytest
import soundfile

import heedful
from heedful.cli.main import main
from heedful.errors import DataError, HeedfulError
from heedful.inputs.audio.read import read_sound

RATE, SECONDS, BEEP = 8000, 0.8, 0.15
TONES = {"high": 2200, "low": 700}


def make_sound(label, start, seed):
    """Return hiss with a beep in it."""
    rng = np.random.default_rng(seed)
    sound = rng.normal(scale=0.02, size=round(SECONDS * RATE))
    times = np.arange(round(BEEP * RATE)) / RATE
    at = round(start * RATE)
    sound[at : at + len(times)] += 0.3 * np.sin(2 * np.pi * TONES[label] * times) * np.hanning(len(times))
    return sound.astype(np.float32)


def write_table(folder: Path, *, n: int, seed: int, extra=()) -> Path:
    rng = np.random.default_rng(seed)
    (folder / "sounds").mkdir(parents=True)
    rows = []
    for i in range(n):
        label = sorted(TONES)[i % 2]
        soundfile.write(
            folder / "sounds" / f"{i}.wav", make_sound(label, rng.uniform(0, SECONDS - BEEP), i + seed), RATE
        )
        rows.append((f"sounds/{i}.wav", label))
    with (folder / "table.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("path", "label"), *rows, *extra])
    return folder / "table.csv"


SMALL = {"input": "audio", "encoder": "cnn", "units": 8, "n_hops": 2, "epochs": 16, "batch_size": 8, "seed": 1}


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sound")
    table = write_table(folder / "data", n=60, seed=0)
    return heedful.train(table, folder / "model", **SMALL)


@pytest.fixture(scope="module")
def new(tmp_path_factory):
    """Return the path of a sound that has not been heard, with a high beep at 0.4 seconds."""
    path = tmp_path_factory.mktemp("new") / "new.wav"
    soundfile.write(path, make_sound("high", 0.4, 999), RATE)
    return path


def test_a_model_hears_what_it_was_taught(trained, tmp_path):
    table = write_table(tmp_path / "test", n=20, seed=10_000)
    paths = [table.parent / "sounds" / f"{i}.wav" for i in range(20)]
    assert trained.config.input == "audio" and trained.featuriser.rate == RATE
    assert trained.predict(paths) == ["high", "low"] * 10


def test_paths_of_a_table_are_meant_from_its_own_folder(trained):
    assert not Path("sounds/0.wav").exists()
    assert trained.facts.data["train_texts"] + trained.facts.data["valid_texts"] == 60


def test_a_path_its_samples_and_another_rate_have_one_answer(trained, new):
    sound = read_sound(new)
    twice = np.interp(np.arange(2 * len(sound.samples)) / 2, np.arange(len(sound.samples)), sound.samples)
    for same in (new, str(new), sound, (sound.samples, RATE), (twice, 2 * RATE)):
        assert trained.predict(same) == "high"
    assert trained.predict_proba(new) == pytest.approx(trained.predict_proba((sound.samples, RATE)), abs=1e-6)


def test_loudness_does_not_change_the_answer(trained, new):
    sound = read_sound(new)
    louder = trained.predict_proba((sound.samples * 3, RATE))
    assert louder == pytest.approx(trained.predict_proba(sound), abs=1e-4)


def test_weights_contributions_and_effects_lie_on_the_beep(trained, new):
    found = trained.explain(new)
    starts = np.array([float(word.text) for word in found.words])
    is_beep = (starts > 0.4 - (starts[1] - starts[0])) & (starts < 0.4 + BEEP)
    assert found.kind == "audio" and is_beep.mean() < 0.45
    assert found.overall.sum() == pytest.approx(1, abs=1e-5) and found.overall[is_beep].sum() > 0.7
    added = found.contributions_to("high")
    assert is_beep[added.argmax()] and added[is_beep].sum() > 0.7 * np.abs(added).sum()
    np.testing.assert_allclose(found.bias + found.contributions.sum(axis=0), trained.scores([new])[0], atol=1e-5)
    assert is_beep[np.abs(trained.explain(new, methods="leave-one-out").left_out).argmax()]
    assert is_beep[np.abs(trained.explain(new, methods="integrated").effects["integrated"]).argmax()]


def test_every_picture_and_page_shows_the_stretches(trained, new):
    found = trained.explain(new)
    source = found.to_svg()
    assert "new.wav, 0.80 seconds" in source and "<image" in source and "kHz" in source
    assert found.to_png()[:4] == b"\x89PNG"
    assert "0.4" in found.to_html() and "0.4" in str(found)
    assert [word["text"] for word in found.to_dict()["words"]] == [word.text for word in found.words]


def test_loaded_again_it_gives_the_same_answers(trained, new):
    assert np.array_equal(heedful.load(trained.path).predict_proba(new), trained.predict_proba(new))


def test_a_bad_file_is_named_with_its_line_and_can_be_left_out(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "broken.wav").write_bytes(b"no sound")
    table = write_table(tmp_path / "some", n=20, seed=0, extra=[("../broken.wav", "low"), ("none.wav", "low")])
    with pytest.raises(DataError, match=r"table\.csv, line 22: .*broken\.wav: not an audio file, or damaged"):
        heedful.train(table, tmp_path / "model", **SMALL | {"epochs": 1})
    assert not (tmp_path / "model").exists()
    model = heedful.train(table, tmp_path / "model", **SMALL | {"epochs": 1, "skip_bad": True})
    assert model.facts.data["bad_rows"] == 2


def test_a_text_given_for_a_path_is_told_so(trained):
    with pytest.raises(HeedfulError, match="hello there: no such file"):
        trained.predict("hello there")


def test_a_folder_whose_input_file_is_broken_is_one_message(trained, tmp_path):
    shutil.copytree(trained.path, tmp_path / "model")
    (tmp_path / "model" / "input.json").write_text('{"kind": "audio", "rate": 1}')
    with pytest.raises(HeedfulError, match="input"):
        heedful.load(tmp_path / "model")


@pytest.mark.parametrize("encoder", ["bilstm", "transformer", "static"])
def test_every_encoder_takes_sounds(tmp_path, new, encoder):
    table = write_table(tmp_path / "some", n=20, seed=0)
    model = heedful.train(table, tmp_path / "model", **SMALL | {"epochs": 1, "encoder": encoder})
    assert model.predict_proba(new).sum() == pytest.approx(1, abs=1e-5)


def test_commands_take_tables_and_sounds_themselves(trained, new, tmp_path, capsys, monkeypatch):
    table = write_table(tmp_path / "test", n=4, seed=10_000)
    monkeypatch.chdir(tmp_path)  # not where the table is

    def said(*arguments):
        assert main([str(argument) for argument in arguments]) == 0
        return capsys.readouterr().out

    assert "accuracy 1.000" in said("evaluate", trained.path, table)
    assert [line.split("\t")[0] for line in said("predict", trained.path, table).splitlines()] == ["high", "low"] * 2
    assert said("predict", trained.path, new, table.parent / "sounds" / "1.wav").startswith("high\t")
    assert "0.4" in said("explain", trained.path, new) and "Without “0." in said("explain", trained.path, new, "--flip")
    said("explain", trained.path, new, "--svg", tmp_path / "new.svg")
    assert "<image" in (tmp_path / "new.svg").read_text()
    said("explain", trained.path, table, "--html", tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size > 1_000


def test_heatmaps_of_sounds_can_be_audited(trained, tmp_path):
    table = write_table(tmp_path / "test", n=20, seed=10_000)
    found = heedful.audit(trained, table, keep=False)
    assert found.to_dict() and found.subject == "contributions" and found.verdict.level == "better"
    assert "what removing each stretch finds on 20 sounds of table.csv" in found.verdict.words
    assert found.recovered["contributions"].low > 0.75
    assert found.methods["contributions"].needed_beyond_chance.low > 0.05
