"""What is wrong with a file is said before torch is imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import sys
from heedful.cli.main import main
code = main(sys.argv[1:])
print("torch" in sys.modules, code)
"""
GOOD = "text,label\n" + "it was great,good\nit was awful,bad\n" * 10


def run(*arguments: object) -> tuple[str, str]:
    done = subprocess.run([sys.executable, "-c", CODE, *map(str, arguments)], capture_output=True, text=True)
    return done.stdout.strip(), done.stderr


@pytest.mark.parametrize(
    ("content", "flags", "said"),
    [
        (None, [], "in.csv"),
        (GOOD, ["--label", "stars"], "stars"),
        (GOOD, ["--text", "review"], "review"),
        ("text,label\nit was great,good\n", [], "two labels or more"),
        ("text,label\nit was great,1\nit was,x\n", ["--task", "regress"], "expected a number"),
        (GOOD, ["--valid", "nowhere.csv"], "nowhere.csv"),
        (GOOD, ["--epochs", "-1"], "epochs"),
    ],
)
def test_a_training_file_is_looked_at_first(tmp_path: Path, content, flags, said):
    file = tmp_path / "in.csv"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    answer, errors = run("train", file, "-o", tmp_path / "model", *flags)
    assert answer == "False 2" and said in errors


def test_so_is_the_folder_to_write_to(tmp_path: Path):
    file = tmp_path / "in.csv"
    file.write_text(GOOD, encoding="utf-8")
    (tmp_path / "model").mkdir()
    answer, errors = run("train", file, "-o", tmp_path / "model")
    assert answer == "False 2" and "already exists" in errors


@pytest.mark.parametrize("command", [["pretrain"], ["distill", "en-tiny"]])
def test_so_is_the_corpus_of_an_encoder(tmp_path: Path, command):
    answer, errors = run(*command, tmp_path / "nowhere.txt", "-o", tmp_path / "model")
    assert answer == "False 2" and "nowhere.txt" in errors
