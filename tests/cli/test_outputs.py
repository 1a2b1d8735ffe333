"""What a command writes: never over what it reads, never less than was asked for, never half of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from heedful.cli.main import main
from heedful.data.read import read_rows

TEXT = "the parcel was great and lovely"
SMALL = ["--units", "8", "--n-hops", "2", "--embed-width", "12", "--attention-width", "8", "--start", "none", "-q"]


@pytest.fixture
def texts_file(tmp_path, examples, write_csv):
    return write_csv(tmp_path / "texts.csv", examples(30, seed=5))


def said(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def fault(capsys, *arguments):
    """Run a command that is refused in one line, and return the line."""
    code, out, err = said(capsys, *arguments)
    lines = [line for line in err.splitlines() if line.startswith("heedful: ")]
    assert code == 2 and out == "" and len(lines) == 1, err
    return lines[0]


@pytest.mark.parametrize("how", ["itself", "symbolic link", "hard link", "through a folder"])
def test_an_output_that_is_the_input_is_refused(tiny_folder, texts_file, tmp_path, capsys, how):
    same = tmp_path / "same.csv"
    match how:
        case "itself":
            same = texts_file
        case "symbolic link":
            same.symlink_to(texts_file)
        case "hard link":
            os.link(texts_file, same)
        case _:
            (tmp_path / "folder").symlink_to(tmp_path)
            same = tmp_path / "folder" / "texts.csv"
    before = texts_file.read_bytes()
    commands = [
        ["predict", tiny_folder, texts_file, "-o", same],
        ["explain", tiny_folder, texts_file, "--html", same],
        ["audit", tiny_folder, texts_file, "--html", same],
        ["hops", tiny_folder, texts_file, "--html", same],
    ]
    for command in commands:
        assert "which is also read" in fault(capsys, *command)
    jsonl = tmp_path / "texts.jsonl"
    jsonl.write_text('{"text": "a"}\n')
    assert "which is also read" in fault(capsys, "embed", tiny_folder, jsonl, "-o", jsonl)
    assert texts_file.read_bytes() == before


def test_an_output_that_is_part_of_the_model_is_refused(tiny_copy, texts_file, capsys):
    for flag, command in (("--html", "explain"), ("--png", "explain"), ("--html", "audit"), ("--html", "hops")):
        target = tiny_copy / "model.onnx"
        assert "which is also read" in fault(capsys, command, tiny_copy, texts_file, flag, target)
    assert "which is also read" in fault(capsys, "predict", tiny_copy, TEXT, "-o", tiny_copy / "history.jsonl")


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_a_picture_says_that_it_has_no_room_for_a_flip(tiny_folder, tmp_path, capsys, kind):
    target = tmp_path / f"x.{kind}"
    assert "--flip is not shown in pictures" in fault(
        capsys, "explain", tiny_folder, TEXT, "--flip", f"--{kind}", target
    )
    assert not target.exists()


def test_labels_the_model_does_not_know_are_left_out_where_asked(tiny_folder, tmp_path, capsys):
    path = tmp_path / "test.csv"
    path.write_text("text,label\na great day,good\nan awful day,bad\na day,strange\na night,odd\n")
    line = fault(capsys, "evaluate", tiny_folder, path)
    assert "test.csv, line 4: label 'strange' is unknown to this model, which knows: bad, good" in line
    code, out, err = said(capsys, "evaluate", tiny_folder, path, "--skip-bad", "--json")
    assert code == 0
    assert json.loads(out)["n"] == 2 and json.loads(out)["left_out"] == 2
    assert "2 rows could not be read and left out" in err


def test_a_file_of_bad_rows_alone_is_a_fault(tiny_folder, tmp_path, capsys):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"text": 1}\nno json\n')
    for more in ([], ["-o", tmp_path / "out.csv"], ["--json"]):
        line = fault(capsys, "predict", tiny_folder, path, "--skip-bad", *more)
        assert "no row is left: all 2 were bad. The first: " in line
    assert not (tmp_path / "out.csv").exists()


def test_formulas_are_made_harmless_with_a_flag(tiny_folder, tmp_path, capsys):
    path = tmp_path / "in.csv"
    path.write_text("text\n=cmd|' /C calc'!A0\n")
    for flags, cell in (([], "=cmd|' /C calc'!A0"), (["--safe-csv"], "'=cmd|' /C calc'!A0")):
        assert said(capsys, "predict", tiny_folder, path, "-o", tmp_path / "out.csv", "-q", *flags)[0] == 0
        assert next(iter(read_rows(tmp_path / "out.csv"))).values["text"] == cell
    assert "--safe-csv goes with" in fault(capsys, "predict", tiny_folder, path, "--safe-csv")


def test_whole_numbers_too_large_for_parquet_are_named(tiny_folder, tmp_path, capsys):
    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps({"text": "a", "n": 2**70}))
    line = fault(capsys, "predict", tiny_folder, path, "-o", tmp_path / "out.parquet", "-q")
    assert "out.parquet: column 'n'" in line and ".jsonl" in line
    assert said(capsys, "predict", tiny_folder, path, "-o", tmp_path / "out.jsonl", "-q")[0] == 0
    assert json.loads((tmp_path / "out.jsonl").read_text())["n"] == 2**70


@pytest.mark.parametrize("label", ["1e300", "-1e300", "nan"])
def test_numbers_too_large_to_learn_are_named_with_their_line(tmp_path, capsys, label):
    path = tmp_path / "huge.csv"
    path.write_text("text,label\n" + "good,1\nbad,2\n" * 20 + f"odd,{label}\n")
    line = fault(capsys, "train", path, "--task", "regress", "--out", tmp_path / "model", *SMALL)
    assert f"huge.csv, line 42: label is '{label}', expected a number" in line
    assert [p.name for p in tmp_path.iterdir()] == ["huge.csv"]


def test_labels_of_which_none_is_known_are_refused(tmp_path, capsys):
    path = tmp_path / "many.csv"
    path.write_text("text,a,b\n" + "good,,\nbad,,\n" * 20)
    line = fault(capsys, "train", path, "--label", "a,b", "--out", tmp_path / "model", *SMALL)
    assert "every cell of the labels (a, b) is empty" in line


def test_a_training_that_ends_without_a_model_is_a_fault(tmp_path, texts_file, capsys, monkeypatch):
    from heedful.training.loop.trainer import FitResult

    monkeypatch.setattr(FitResult, "kept_record", None)
    line = fault(capsys, "train", texts_file, "--out", tmp_path / "model", "--epochs", "1", *SMALL)
    assert "there is no model to keep" in line


def test_a_place_where_nothing_can_be_written_is_one_line_before_the_training(texts_file, capsys):
    line = fault(capsys, "train", texts_file, "--out", "/proc/x", *SMALL)
    assert "/proc/x cannot be written" in line


@pytest.mark.slow
def test_names_that_are_not_utf8_can_be_trained_on_and_written_to(tmp_path, examples, write_csv):
    texts = write_csv(tmp_path / os.fsdecode(b"bad\xff name.csv"), examples(40))
    out = tmp_path / os.fsdecode(b"out\xff")
    command = [sys.executable, "-m", "heedful", "train", texts, "--out", out, "--epochs", "1", *SMALL]
    done = subprocess.run(command, capture_output=True, check=False, timeout=200)
    assert done.returncode == 0, done.stderr
    command = [sys.executable, "-m", "heedful", "predict", out, texts, "-o", tmp_path / os.fsdecode(b"o\xff.parquet")]
    done = subprocess.run(command, capture_output=True, check=False, timeout=200)
    assert done.returncode == 0, done.stderr
    done = subprocess.run([sys.executable, "-m", "heedful", "info", out, "--json"], capture_output=True, check=False)
    assert done.returncode == 0 and b"bad\xef\xbf\xbd name.csv" in done.stdout


def test_a_file_of_the_model_that_may_not_be_read_is_one_line(tiny_copy, capsys, monkeypatch):
    from pathlib import Path

    original = Path.read_bytes

    def refused(self):
        if self.name in ("vocab.json", "model.onnx"):
            raise PermissionError(13, "Permission denied", str(self))
        return original(self)

    monkeypatch.setattr(Path, "read_bytes", refused)
    assert "model.onnx cannot be read: Permission denied" in fault(capsys, "info", tiny_copy)


def test_a_page_on_a_full_disk_leaves_the_older_one(tiny_folder, tmp_path, capsys, limited_files):
    page = tmp_path / "page.html"
    page.write_text("older")
    with limited_files(2_000):
        line = fault(capsys, "explain", tiny_folder, TEXT, "--html", page)
        assert "page.html cannot be written: File too large" in line
    assert page.read_text() == "older" and [p.name for p in tmp_path.iterdir()] == ["page.html"]


@pytest.mark.parametrize("most", [400, 3_000])
def test_training_on_a_full_disk_is_one_line_and_leaves_no_half_model(
    tmp_path, texts_file, capsys, limited_files, most
):
    with limited_files(most):
        line = fault(capsys, "train", texts_file, "--out", tmp_path / "model", "--epochs", "1", *SMALL)
    assert "cannot be written: File too large" in line
    left = sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*"))
    assert left in (["texts.csv"], ["model.training", "model.training/checkpoint.safetensors", "texts.csv"])


def test_a_file_without_texts_is_nothing_to_explain(tiny_folder, tmp_path, capsys):
    (tmp_path / "empty.jsonl").write_text("\n")
    (tmp_path / "bad.jsonl").write_text('{"text": 1}\n')
    for more in ([], ["--html", tmp_path / "page.html"], ["--hops"]):
        assert "nothing to show" in fault(capsys, "explain", tiny_folder, tmp_path / "empty.jsonl", *more)
    for more in ([], ["--json"]):
        line = fault(capsys, "explain", tiny_folder, tmp_path / "bad.jsonl", "--skip-bad", *more)
        assert "no row is left: all 1 were bad" in line
    assert not (tmp_path / "page.html").exists()
