"""Every command that answers on stdout, called from a terminal with stdout sent to a file."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import heedful
from heedful.config import Config

TEXT = "the parcel was great and lovely"
SOURCE = Path(heedful.__file__).parent


def in_terminal(*arguments: object, into: Path, **environment: str) -> tuple[int, str, str]:
    """Run a command whose stderr is a terminal; return its code, what the file got and what the terminal showed."""
    ours, theirs = pty.openpty()
    with into.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "heedful", *map(str, arguments)],
            stdin=theirs,
            stdout=out,
            stderr=theirs,
            env={**os.environ, **environment},
        )
    os.close(theirs)
    shown = bytearray()
    reader = threading.Thread(target=_drain, args=(ours, shown))
    reader.start()
    try:
        code = process.wait(timeout=200)
    finally:
        process.kill()
        process.wait()
        reader.join(timeout=20)
        os.close(ours)
    return code, into.read_text(encoding="utf-8"), shown.decode("utf-8", "replace")


def _drain(terminal: int, shown: bytearray) -> None:
    while True:
        select.select([terminal], [], [])
        try:
            block = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other end is closed
            return
        if not block:
            return
        shown += block


@pytest.fixture(scope="module")
def texts_file(tmp_path_factory, examples, write_csv):
    return write_csv(tmp_path_factory.mktemp("terminal") / "texts.csv", examples(30, seed=5))


@pytest.mark.parametrize("environment", [{}, {"FORCE_COLOR": "1"}], ids=["plain", "FORCE_COLOR"])
@pytest.mark.parametrize(
    ("command", "lines"),
    [
        (["explain", "MODEL", "FILE", "--json"], 30),
        (["explain", "MODEL", TEXT, "--json", "--flip"], 1),
        (["predict", "MODEL", "FILE", "--json"], 30),
        (["predict", "MODEL", "FILE"], 30),
        (["embed", "MODEL", TEXT], 1),
        (["evaluate", "MODEL", "FILE", "--json"], 1),
        (["hops", "MODEL", "FILE", "--json"], 1),
        (["audit", "MODEL", "FILE", "--json", "--no-keep", "--texts", "12"], 1),
        (["info", "MODEL", "--json"], 1),
        (["similar", "en-small", TEXT, TEXT, "--json"], 1),
        (["steps", "--json"], 1),
        (["train", "FILE", "--out", "OUT", "--start", "none", "--epochs", "1", "--units", "8", "--json"], 1),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
def test_the_answer_goes_to_the_file_and_not_to_the_terminal(
    tiny_folder, texts_file, tmp_path, command, lines, environment
):
    names = {"MODEL": tiny_folder, "FILE": texts_file, "OUT": tmp_path / "trained"}
    code, written, shown = in_terminal(
        *[names.get(word, word) for word in command], into=tmp_path / "out", **environment
    )
    assert code == 0, shown
    assert len(written.splitlines()) == lines
    if "--json" in command or command[0] == "embed":
        assert all(isinstance(json.loads(line), dict) for line in written.splitlines())
    assert "\x1b[" not in written


def test_the_explanation_of_a_pair_goes_to_the_file_too(tmp_path):
    from heedful.data.example import Example, TwoTexts
    from heedful.jobs.train.train import train_model

    made = [Example(TwoTexts(f"a {i % 3}", f"b {i % 2}"), ("no", "yes")[i % 2]) for i in range(40)]
    small = {"units": 8, "n_hops": 2, "epochs": 1, "embed_width": 12, "attention_width": 8, "start": "none"}
    config = Config().with_given(task="pair", **small)
    train_model(config, tmp_path / "pair", examples=(made[:30], made[30:]))
    code, written, shown = in_terminal("explain", tmp_path / "pair", "a 1", "b 1", "--json", into=tmp_path / "out")
    assert code == 0, shown
    assert json.loads(written)


def test_bars_are_made_in_one_place_and_leave_stdout_alone():
    bar = re.compile(r"(?<![A-Za-z])(Progress|Live|Status)\(")  # of rich: each takes stdout unless it is told not to
    texts = {path.name: path.read_text(encoding="utf-8") for path in (SOURCE / "cli").rglob("*.py")}
    made = [name for name, text in texts.items() if bar.search(text)]
    assert made == ["progress.py"]
    assert len(bar.findall(texts["progress.py"])) == 1
    assert "redirect_stdout=False, redirect_stderr=False" in texts["progress.py"]
