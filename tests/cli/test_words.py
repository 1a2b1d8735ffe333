from __future__ import annotations

import json
import subprocess
import sys

import pytest
from tests.conftest import train_tiny

from heedful.cli.commands import words as command
from heedful.cli.main import main, run

WITHOUT_TORCH = "import sys; sys.modules['torch'] = None; from heedful.cli.main import run; run(sys.argv[1:])"


@pytest.fixture(scope="module")
def data(tmp_path_factory, examples, write_csv):
    return write_csv(tmp_path_factory.mktemp("data") / "in.csv", examples(60, seed=3))


def test_words_runs_without_torch_and_prints_no_escape_characters(tiny_folder, data):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT_TORCH, "words", str(tiny_folder), str(data)],
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("What drives each label of tiny\nRead in 60 texts of in.csv, ")
    assert "\x1b" not in done.stdout and "for good" in done.stdout and "against bad" in done.stdout


def test_json_has_everything_and_label_and_top_choose(tiny_folder, data, capsys):
    assert main(["words", str(tiny_folder), str(data), "--json", "-q", "--label", "good", "--top", "2"]) == 0
    tree = json.loads(capsys.readouterr().out)
    (part,) = tree["labels"]
    assert part["label"] == "good" and len(part["supporting"]) <= 2 and tree["n_texts"] == 60
    assert part["supporting"][0]["examples"] and tree["min_count"] == 3
    assert main(["words", str(tiny_folder), str(data), "--json", "-q", "--min-count", "9"]) == 0
    listed = [word for part in json.loads(capsys.readouterr().out)["labels"] for word in part["supporting"]]
    assert listed and all(word["n_texts"] >= 9 for word in listed)


def test_html_writes_a_page(tiny_folder, data, tmp_path, capsys):
    out = tmp_path / "page.html"
    assert main(["words", str(tiny_folder), str(data), "--html", str(out)]) == 0
    shown = capsys.readouterr()
    assert shown.out == "" and "page written to" in shown.err
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_texts_come_from_stdin(tiny_folder, data):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, "words", str(tiny_folder), "-", "--json"],
        input="the parcel was great\n" * 9, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["n_texts"] == 9


def test_ctrl_c_ends_with_130_and_writes_nothing(tiny_folder, data, tmp_path, capsys, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "label_words", stopped)
    with pytest.raises(SystemExit) as ended:
        run(["words", str(tiny_folder), str(data), "--html", str(tmp_path / "page.html")])
    assert ended.value.code == 130 and list(tmp_path.iterdir()) == []
    assert "Stopped" in capsys.readouterr().err


def test_faults_are_one_message_and_exit_2(tiny_folder, pretrained_folder, data, tmp_path, capsys):
    empty, blank = tmp_path / "empty.csv", tmp_path / "blank.txt"
    empty.write_text("text,label\n")
    blank.write_text("\u200b\n")
    pruned = train_tiny(tmp_path / "pruned", epochs=1, head="pruned")
    for arguments, expected in (
        ([tiny_folder, tmp_path / "none.csv"], "none.csv"),
        ([tiny_folder, empty], "no texts"),
        ([tiny_folder, blank], "the 1 texts have no words"),
        ([tmp_path, data], "is not a model"),
        ([tiny_folder, data, "--label", "god"], "Did you mean good?"),
        ([tiny_folder, data, "--text", "txt"], "txt"),
        ([tiny_folder, data, "--top", "0"], "--top is 0, expected at least 1"),
        ([tiny_folder, data, "--min-count", "0"], "--min-count is 0, expected at least 1"),
        ([tiny_folder, data, "--html", data], "in.csv"),
        ([pretrained_folder, data], "gives vectors, not answers"),
        ([pruned, data], "its scores are not sums over words"),
    ):
        assert main(["words", *map(str, arguments), "-q"]) == 2, arguments
        shown = capsys.readouterr()
        assert shown.out == "" and expected in " ".join(shown.err.split()) and "Traceback" not in shown.err, arguments
