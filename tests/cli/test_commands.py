from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from heedful.cli.main import COMMANDS, main, run
from heedful.data.example import Example
from heedful.store.folder import read_folder

WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None
from heedful.cli.main import run
run(sys.argv[1:])
"""
LOADED = """
import sys
from heedful.cli.main import main
main(sys.argv[1:])
print("loaded:", *sorted(m for m in ("torch", "numpy", "onnxruntime", "rich", "sklearn") if m in sys.modules))
"""


def heedful(*arguments: object, code: str | None = None, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own, `code` in place of `python -m heedful`."""
    start = ["-m", "heedful"] if code is None else ["-c", code]
    return subprocess.run(
        [sys.executable, "-W", "error", *start, *map(str, arguments)],
        capture_output=True,
        text=True,
        input=stdin,
        check=False,
        timeout=600,
        env={**os.environ, "COLUMNS": "80"},
    )


def answer(*arguments: object, stdin: str | None = None) -> str:
    """Return stdout of a command that must work, and must work without torch."""
    done = heedful(*arguments, code=WITHOUT_TORCH, stdin=stdin)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def data(tmp_path_factory, examples, write_csv):
    return write_csv(tmp_path_factory.mktemp("data") / "in.csv", examples(30, seed=3))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(command):
    done = heedful(command, "--help", code=WITHOUT_TORCH)
    assert done.returncode == 0 and done.stderr == ""
    assert "example" in done.stdout and f"heedful {command}" in done.stdout


def test_help_imports_nothing_heavy():
    for arguments in ([], ["--help"], ["--version"]):
        assert heedful(*arguments, code=LOADED).stdout.splitlines()[-1] == "loaded:"


def test_help_lists_every_command():
    done = heedful("--help")
    assert done.returncode == 0 and all(f"  {name} " in done.stdout for name in COMMANDS)


def test_predict_prints_label_probability_and_text(tiny_folder, tiny_model):
    texts = ["the parcel was great", "slow\nand \x1b[31mbroken"]
    lines = [line.split("\t") for line in answer("predict", tiny_folder, *texts).splitlines()]
    assert [line[0] for line in lines] == tiny_model.predict(texts)
    assert [float(line[1]) for line in lines] == pytest.approx(tiny_model.predict_proba(texts).max(1), abs=6e-4)
    assert [line[2] for line in lines] == ["the parcel was great", "slow and �[31mbroken"]


def test_predict_json_parses_and_reads_stdin(tiny_folder, tiny_model):
    found = [json.loads(line) for line in answer("predict", tiny_folder, "-", "--json", stdin="a\n\nb\n").splitlines()]
    assert [row["text"] for row in found] == ["a", "", "b"]
    for row in found:
        expected = dict(zip(tiny_model.labels, tiny_model.predict_proba(row["text"]), strict=True))
        assert row["probabilities"] == pytest.approx({k: float(v) for k, v in expected.items()}, abs=1e-5)


@pytest.mark.parametrize("source", ["file", "texts"])
def test_predict_and_embed_write_what_o_asks_for(tiny_folder, tiny_model, data, tmp_path, source):
    texts = [line.split(",")[0] for line in data.read_text().splitlines()[1:]]
    inputs = [data] if source == "file" else texts
    assert answer("predict", tiny_folder, *inputs, "-o", tmp_path / "o.jsonl") == ""
    rows = [json.loads(line) for line in (tmp_path / "o.jsonl").read_text().splitlines()]
    assert [row["text"] for row in rows] == texts
    assert [row["predicted"] for row in rows] == tiny_model.predict(texts)
    assert answer("embed", tiny_folder, *inputs, "-q", "-o", tmp_path / "o.npy") == ""
    np.testing.assert_allclose(np.load(tmp_path / "o.npy"), tiny_model.embed(texts), atol=1e-5)


def test_embed_prints_vectors_of_texts(tiny_folder, tiny_model):
    row = json.loads(answer("embed", tiny_folder, "great", "--normalize"))
    np.testing.assert_allclose(row["vector"], tiny_model.embed("great", normalize=True), atol=1e-5)


def test_explain_json_is_to_dict(tiny_folder, tiny_model):
    found = json.loads(answer("explain", tiny_folder, "the parcel was great", "--json"))
    expected = tiny_model.explain("the parcel was great").to_dict()
    assert found["words"][3]["text"] == "great" and found["label"] == expected["label"]
    np.testing.assert_allclose(found["hops"], expected["hops"], atol=1e-5)


def test_explain_shows_text_hops_and_verdict_without_escape_characters(tiny_folder):
    shown = answer("explain", tiny_folder, "great \x1b[31m [bold]parcel[/bold] [/x]", "--hops")
    assert shown.count("[bold]parcel[/bold] [/x]") == 1  # without colours, words and numbers say the rest
    assert "hop 3:" in shown and "Not audited" in shown and "\x1b" not in shown


def test_explain_writes_a_page(tiny_folder, data, tmp_path):
    answer("explain", tiny_folder, data, "--html", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count('class="card"') == 30


def test_info_says_what_the_model_is(tiny_folder):
    found = json.loads(answer("info", tiny_folder, "--json"))
    facts = read_folder(tiny_folder).facts
    assert found["labels"] == ["bad", "good"] and found["vector_width"] == 84
    assert found["figures"]["accuracy"] == facts.metrics["accuracy"]
    assert found["bytes"] == sum(f.stat().st_size for f in tiny_folder.iterdir())
    shown = answer("info", tiny_folder)
    assert f"model          {tiny_folder}\n" in shown and "84 numbers, from 3 hops × 28" in shown


def test_evaluate_agrees_with_counting(tiny_folder, tiny_model, examples, data):
    truth = examples(30, seed=3)
    right = sum(tiny_model.predict(e.text) == e.label for e in truth)
    figures = json.loads(answer("evaluate", tiny_folder, data, "--json"))
    assert figures["n"] == 30 and figures["accuracy"] == pytest.approx(right / 30)
    assert f"accuracy {right / 30:.3f}" in answer("evaluate", tiny_folder, data)


def test_labels_that_look_like_markup_are_shown_as_they_are(tmp_path, examples, write_csv, capsys):
    names = {"bad": "[/red]", "good": "[bold]"}
    path = str(write_csv(tmp_path / "in.csv", [Example(e.text, names[e.label]) for e in examples(20)]))
    out = str(tmp_path / "model")
    assert main(["train", path, "-o", out, "--units", "4", "--epochs", "1", "--n-hops", "2", "--json", "-q"]) == 0
    trained = capsys.readouterr()
    assert trained.err == "" and json.loads(trained.out)["model"] == out
    for arguments in (["evaluate", out, path], ["info", out], ["explain", out, "great"], ["predict", out, "great"]):
        assert main(arguments) == 0
        shown = capsys.readouterr().out
        assert any(name in shown for name in names.values())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["predcit"], "Did you mean predict?"),
        (["predict", "MODEL", "DATA", "a text"], "give either files or texts"),
        (["predict", "nowhere", "a text"], "nowhere is not a folder"),
        (["predict", "MODEL", "missing.csv"], "missing.csv: no such file"),
        (["predict", "MODEL", "DATA", "--text", "texte"], "Did you mean text?"),
        (["predict", "MODEL", "DATA", "-o", "TMP/out.doc"], "Known endings"),
        (["predict", "MODEL", "a text", "-o", "TMP/out.npy"], "for vectors only"),
        (["embed", "MODEL", "DATA"], "-o vectors.parquet"),
        (["explain", "MODEL", "a text", "--html", "TMP/no/page.html"], "cannot be written"),
        (["evaluate", "MODEL", "missing.csv"], "no such file"),
        (["info", "TMP"], "is not a model"),
        (["train", "missing.csv", "-o", "TMP/out"], "missing.csv: no such file"),
        (["train", "DATA", "-o", "MODEL"], "already exists"),
        (["train", "DATA", "-o", "TMP/out", "--epochs", "-1"], "train.epochs is -1, expected at least 0"),
        (["train", "DATA", "-o", "TMP/out", "--label", "lable"], "Did you mean label?"),
        (["train", "DATA", "-o", "TMP/out", "--vectors", "no.txt"], "no.txt: no such file"),
        (["train", "DATA", "-o", "TMP/out", "--encoder", "rnn"], "invalid choice"),
    ],
)
def test_a_users_fault_is_one_message_and_exit_2(tiny_folder, data, tmp_path, capsys, arguments, message):
    places = {"MODEL": str(tiny_folder), "DATA": str(data)}
    with pytest.raises(SystemExit) as left:
        run([places.get(a, a.replace("TMP", str(tmp_path))) for a in arguments])
    shown = capsys.readouterr()
    assert left.value.code == 2 and shown.out == ""
    assert message in shown.err and "Traceback" not in shown.err
    assert len([line for line in shown.err.splitlines() if line.startswith("heedful")]) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [["predict", "nowhere", "a text"], ["train", "missing.csv"]])
def test_a_users_fault_in_a_process_has_no_traceback(arguments, tmp_path):
    done = heedful(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1 and done.stderr.startswith("heedful: ")


@pytest.mark.parametrize("command", ["predict", "explain", "--help", "train"])
def test_a_closed_pipe_is_no_fault(tiny_folder, tmp_path, command):
    (tmp_path / "many.txt").write_text("the parcel was great and came on monday\n" * 150)
    arguments = {"--help": [], "train": ["--help"]}.get(command, [str(tiny_folder), str(tmp_path / "many.txt")])
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "heedful", command, *arguments],
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_long_path_is_printed_on_one_line(tiny_copy, tmp_path):
    deep = Path(tmp_path, "a folder with a long name " * 4, "model")
    deep.parent.mkdir()
    tiny_copy.rename(deep)
    assert str(deep) in answer("info", deep)
