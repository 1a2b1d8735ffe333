"""`heedful steps`, with the model that comes for it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from heedful.cli.commands.steps import model_and_text
from heedful.cli.main import main
from heedful.show.steps.sentences import ANIMAL

BARE = (
    "import sys\nfor name in ('torch', 'onnx'): sys.modules[name] = None\n"
    "from heedful.cli.main import run; run(sys.argv[1:])"
)
ARROW, BANANA = "time flies like an arrow", "fruit flies like a banana"


def test_it_runs_where_only_what_running_needs_is_installed():
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", BARE, "steps"], capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr
    assert "Self-attention, step by step: en-tiny, layer 2 of 2, head 4 of 4" in done.stdout
    assert "[it]" in done.stdout and "Steps and matrices differ only by rounding" in done.stdout
    assert "A reader knows that “it” is the animal" in " ".join(done.stdout.split())


def test_json_has_every_number(capsys):
    assert main(["steps", "--json", "--layer", "2", "--head", "4"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["model"], found["text"], found["layer"], found["head"]) == ("en-tiny", ANIMAL, 2, 4)
    assert found["tokens"][found["token"]]["text"] == "it"
    assert sum(found["weights"]) == pytest.approx(1.0) and found["difference"] < 1e-9
    assert found["weights"] == pytest.approx(found["looks"][1][3])


def test_two_texts_are_compared(capsys, tmp_path):
    assert main(["steps", ARROW, "--compare", BANANA, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["word"] == "flies" and found["stages"][0]["cosine"] == pytest.approx(1.0)
    assert found["among_others"] < found["cosine"] < 0.99, "the two must get different vectors"
    assert main(["steps", "en-tiny", ARROW, "--compare", BANANA, "--word", "like", "--html", str(tmp_path / "p")]) == 0
    assert "“like”" in (tmp_path / "p").read_text(encoding="utf-8") and "page written" in capsys.readouterr().err
    assert main(["steps", ARROW, "--compare", BANANA]) == 0
    assert capsys.readouterr().out.startswith("One word, two texts, two vectors: “flies”")


def test_a_page_is_written(capsys, tmp_path):
    out = tmp_path / "page.html"
    assert main(["steps", "A text of my own", "--word", "own", "--html", str(out)]) == 0
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>") and capsys.readouterr().out == ""


def test_one_argument_is_a_model_where_there_is_one(tiny_folder):
    assert model_and_text([]) == ("en-tiny", None)
    assert model_and_text(["en-tiny"]) == ("en-tiny", None)
    assert model_and_text([str(tiny_folder)]) == (str(tiny_folder), None)
    assert model_and_text(["some text"]) == ("en-tiny", "some text")
    assert model_and_text(["x", "some text"]) == ("x", "some text")


def test_faults_are_one_message_and_exit_2(capsys, tiny_folder, tmp_path):
    for arguments, said in (
        (["--html", "x", "--json"], "give one of them"),
        (["--word", "cat"], "'cat' is not a word of this text"),
        (["--layer", "9"], "layer is 9, expected 1 to 2"),
        (["--head", "0"], "head is 0, expected 1 to 4"),
        (["--compare", BANANA], "--compare needs two texts"),
        ([ARROW, "--compare", BANANA, "--head", "1"], "leave out --layer and --head"),
        (["one", "--compare", "two"], "no word in common"),
        (["en-tiny", "some", "text"], "Is the text in quotes?"),
        ([""], "has no words"),
        (["en-base", "a text"], "has a bilstm encoder"),
        ([str(tiny_folder), "a text"], "encoder without self-attention"),
        (["no-model", "a text"], "is not a folder"),
        (["a text", "--html", str(tmp_path / "no" / "page.html")], "cannot be written"),
    ):
        assert main(["steps", *arguments]) == 2, arguments
        shown = capsys.readouterr()
        assert said in shown.err and shown.err.count("\n") == 1 and shown.out == "", arguments
