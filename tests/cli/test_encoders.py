"""`heedful distill` and `heedful pretrain`, from the command line."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from heedful import load
from heedful.cli.main import main, run

SIZES = {
    "units": 8, "n-hops": 2, "embed-width": 10, "attention-width": 8, "vector-width": 6, "vocab-size": 150,
    "min-count": 1, "epochs": 2, "batch-size": 16, "n-heads": 2, "n-layers": 1, "inner-units": 16, "threads": 1,
}  # fmt: skip


def flags(**more: object) -> list[str]:
    names = {**SIZES, **{name.replace("_", "-"): value for name, value in more.items()}}
    return [word for name, value in names.items() for word in (f"--{name}", str(value))]


@pytest.fixture(scope="module")
def home(tmp_path_factory, examples):
    home = tmp_path_factory.mktemp("encoders")
    texts = [e.text for e in examples(100, seed=11)]
    (home / "corpus.txt").write_text("\n".join(texts) + "\n")
    (home / "notes.csv").write_text("id,body\n" + "".join(f"{i},{text}\n" for i, text in enumerate(texts)))
    rows = "".join(f"{a},{b}\n" for a, b in zip(texts[::2], texts[1::2], strict=True))
    (home / "faq.csv").write_text("q,a\n" + rows)
    np.save(home / "vectors.npy", np.random.default_rng(0).normal(size=(100, 10)).astype(np.float32))
    return home


@pytest.mark.parametrize("encoder", ["static", "bilstm", "cnn", "transformer"])
def test_distill_with_every_encoder(home, tmp_path, capsys, encoder):
    out = tmp_path / "model"
    arguments = ["distill", str(home / "vectors.npy"), str(home / "corpus.txt"), "-o", str(out), "--encoder", encoder]
    assert main([*arguments, *flags(), "--json", "-q"]) == 0
    shown = capsys.readouterr()
    told = json.loads(shown.out)
    assert shown.err == "" and told["model"] == str(out) and told["interrupted"] is False
    assert {"agreement", "cosine"} <= set(told["figures"])
    assert load(out, threads=1).embed("the parcel was great").shape == (6,)


def test_distill_from_an_encoder_and_a_column(home, pretrained_folder, tmp_path, capsys):
    out, cache = tmp_path / "model", tmp_path / "kept"
    arguments = ["distill", str(pretrained_folder), str(home / "notes.csv"), "--text", "body", "-o", str(out)]
    assert main([*arguments, "--cache", str(cache), *flags()]) == 0
    shown = capsys.readouterr()
    assert f"encoder written to {out}" in shown.out and "agreement" in shown.out and "texts with encoder;" in shown.err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["kept", "model"] and list(cache.iterdir())


def test_distill_again_from_its_own_config(home, tmp_path, monkeypatch, capsys):
    first = tmp_path / "first"
    assert main(["distill", str(home / "vectors.npy"), str(home / "corpus.txt"), "-o", str(first), "-q", *flags()]) == 0
    monkeypatch.chdir(first)
    assert main(["distill", "config.toml", "-", "-o", "../again", "-q"]) == 0
    capsys.readouterr()
    one, two = ((tmp_path / name / "weights.safetensors").read_bytes() for name in ("first", "again"))
    assert one == two


def test_pretrain_from_text_and_from_pairs(home, tmp_path, capsys):
    assert main(["pretrain", str(home / "corpus.txt"), "-o", str(tmp_path / "a"), "-q", "--json", *flags()]) == 0
    assert "partner_found" in json.loads(capsys.readouterr().out)["figures"]
    arguments = ["pretrain", str(home / "faq.csv"), "--pairs", "q,a", "-o", str(tmp_path / "b"), "--temperature", "0.2"]
    assert main([*arguments, *flags()]) == 0
    shown = capsys.readouterr()
    assert "50 pairs of texts, by columns" in shown.err and "encoder written to" in shown.out
    assert load(tmp_path / "b").config.encode.temperature == 0.2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["distill", "no-such-teacher", "HOME/corpus.txt"], "is not a teacher"),
        (["distill", "TINY", "HOME/corpus.txt"], "is a classifier; a teacher must be an encoder"),
        (["distill", "HOME/vectors.npy", "missing.txt"], "missing.txt: no such file"),
        (
            ["distill", "HOME/vectors.npy", "HOME/faq.csv", "--text", "q"],
            "has 100 vectors, but the corpus has 50 texts",
        ),
        (["distill", "HOME/vectors.npy", "HOME/notes.csv", "--text", "boddy"], "Did you mean body?"),
        (["distill", "HOME/vectors.npy", "-"], "distilling needs a teacher and a corpus"),
        (["distill", "missing.toml", "-"], "missing.toml: no such file"),
        (["distill", "TINY/config.toml", "-"], "a sentence encoder has 'vector'"),
        (["distill", "HOME/vectors.npy", "HOME/corpus.txt", "--pooler", "max"], "structured or mean"),
        (["distill", "HOME/vectors.npy", "HOME/corpus.txt", "--vector-width", "0"], "expected at least 1"),
        (["pretrain", "missing.txt"], "missing.txt: no such file"),
        (["pretrain", "HOME/faq.csv", "--pairs", "q"], "expected two names of columns"),
        (["pretrain", "HOME/faq.csv", "--pairs", "q,b"], "line 2: no column 'b'"),
        (["pretrain", "HOME/notes.csv", "--text", "body"], "0 pairs of texts, expected at least 20"),
    ],
)
def test_a_users_fault_is_one_message_and_exit_2(home, tiny_folder, tmp_path, capsys, arguments, message):
    given = [a.replace("HOME", str(home)).replace("TINY", str(tiny_folder)) for a in arguments]
    with pytest.raises(SystemExit) as left:
        run([*given, "-o", str(tmp_path / "out"), "-q"])
    shown = capsys.readouterr()
    assert left.value.code == 2 and shown.out == "" and message in shown.err
    assert len([line for line in shown.err.splitlines() if line.startswith("heedful")]) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [["predict"], ["explain"]])
def test_an_encoder_has_no_answers(pretrained_folder, capsys, command):
    with pytest.raises(SystemExit) as left:
        run([*command, str(pretrained_folder), "a text"])
    shown = capsys.readouterr()
    assert left.value.code == 2 and "vectors" in shown.err and shown.out == ""


def test_embed_and_info_know_encoders(pretrained_folder, pretrained, capsys):
    assert main(["embed", str(pretrained_folder), "the parcel was great", "--width", "4", "--normalize"]) == 0
    found = json.loads(capsys.readouterr().out)["vector"]
    np.testing.assert_allclose(found, pretrained.embed("the parcel was great", width=4, normalize=True), atol=1e-5)
    assert main(["info", str(pretrained_folder)]) == 0
    assert "texts to vectors" in capsys.readouterr().out


@pytest.mark.slow
def test_an_interrupt_keeps_an_encoder_and_resume_ends_where_it_would_have(home, tmp_path):
    def start(out: Path, *more: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "heedful", "distill", str(home / "vectors.npy"), str(home / "corpus.txt")]
        command += ["-o", str(out), *flags(epochs=25, batch_size=4, patience=25, encoder="bilstm"), *more]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    out = tmp_path / "an encoder"
    process = start(out)
    while not process.stderr.readline().startswith("epoch  1"):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 130 and "Traceback" not in errors
    assert "To resume: heedful distill " in errors and errors.rstrip().endswith("--resume")
    assert load(out).task.name == "embed"
    for folder, more in ((out, ["--resume"]), (tmp_path / "whole", [])):
        process = start(folder, *more)
        _, errors = process.communicate(timeout=600)
        assert process.returncode == 0, errors
    assert (out / "weights.safetensors").read_bytes() == (tmp_path / "whole" / "weights.safetensors").read_bytes()
