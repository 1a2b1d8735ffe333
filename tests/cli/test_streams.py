"""Standard output that is full, closed or ASCII, and processes that are told to end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

TEXT = "the parcel was great and lovely … 未知"
pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


def shell(command: str, *names: object, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of shell in which `heedful` is ours and $1, $2, … are names."""
    line = f'heedful() {{ "{sys.executable}" -m heedful "$@"; }}; {command}'
    return subprocess.run(
        ["bash", "-c", line, "bash", *map(str, names)],
        capture_output=True,
        check=False,
        timeout=200,
        env={**os.environ, **environment},
    )


def one_line(done: subprocess.CompletedProcess[bytes]) -> str:
    said = done.stderr.decode("utf-8", "replace")
    assert done.returncode == 2, said
    assert "Traceback" not in said and "Exception ignored" not in said
    lines = [line for line in said.splitlines() if line.startswith("heedful: ")]
    assert len(lines) == 1, said
    return lines[0]


@pytest.fixture(scope="module")
def texts_file(tmp_path_factory, examples, write_csv):
    return write_csv(tmp_path_factory.mktemp("streams") / "texts.csv", examples(200, seed=5))


@pytest.mark.parametrize(
    "command",
    [
        "heedful --help",
        "heedful predict --help",
        'heedful info "$1"',
        'heedful info "$1" --json',
        'heedful predict "$1" "$2"',
        'heedful explain "$1" "$2" --json --methods attention -q',
        'heedful explain "$1" "a great day"',
        'heedful evaluate "$1" "$2"',
        'heedful embed "$1" "a great day"',
        "heedful --version",
    ],
)
def test_a_full_or_closed_stdout_is_one_line(tiny_folder, texts_file, command):
    full = one_line(shell(f"{command} > /dev/full", tiny_folder, texts_file))
    assert full == "heedful: standard output cannot be written: No space left on device"
    closed = one_line(shell(f"{command} >&-", tiny_folder, texts_file))
    assert closed == "heedful: standard output is closed, so the result cannot be printed"


def test_a_closed_or_full_stderr_costs_no_answer(tiny_folder, texts_file):
    for way in ("2>&-", "2>/dev/full"):
        done = shell(f'heedful predict "$1" "$2" --json {way}', tiny_folder, texts_file)
        assert done.returncode == 0 and len(done.stdout.splitlines()) == 200


def test_a_file_that_is_opened_does_not_become_a_closed_stdout(tiny_folder, texts_file, tmp_path):
    done = shell('heedful predict "$1" "$2" -o "$3" >&- 2>&- <&-', tiny_folder, texts_file, tmp_path / "out.csv")
    assert done.returncode == 0
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 201


def test_a_closed_stdin_is_one_line(tiny_folder):
    assert "standard input is closed" in one_line(shell('heedful predict "$1" - <&-', tiny_folder))


ASCII = [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]


@pytest.mark.parametrize("environment", ASCII, ids=["PYTHONIOENCODING", "LC_ALL"])
@pytest.mark.parametrize(
    "command",
    [
        "heedful --help",
        "heedful train --help",
        'heedful predict "$1" "$2"',
        'heedful explain "$1" "$2" --hops',
        'heedful info "$1"',
        "heedful steps",
        'heedful similar en-small "$2" "$2"',
        'heedful no-such-command-…; [ "$?" = 2 ]',
    ],
)
def test_an_output_of_ascii_gets_question_marks(tiny_folder, command, environment):
    done = shell(command, tiny_folder, TEXT, **environment)
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr
    (done.stdout + done.stderr).decode("ascii")


@pytest.mark.parametrize("environment", ASCII, ids=["PYTHONIOENCODING", "LC_ALL"])
def test_json_in_ascii_loses_nothing(tiny_folder, tmp_path, environment):
    (tmp_path / "in.txt").write_text(TEXT, encoding="utf-8")
    done = shell('heedful predict "$1" "$2" --json', tiny_folder, tmp_path / "in.txt", **environment)
    assert json.loads(done.stdout.decode("ascii"))["text"] == TEXT


@pytest.mark.parametrize("ending", ["csv", "parquet", "npy"])
def test_sigterm_leaves_nothing_behind(tiny_folder, tmp_path, ending):
    (tmp_path / "in").mkdir()
    os.mkfifo(tmp_path / "in" / "texts.txt")  # which never ends, so the command is in the midst of it for certain
    out = tmp_path / "out" / f"made.{ending}"
    command = "embed" if ending == "npy" else "predict"
    process = subprocess.Popen(
        [sys.executable, "-m", "heedful", command, tiny_folder, tmp_path / "in" / "texts.txt", "-o", out, "-q"]
    )
    try:
        with (tmp_path / "in" / "texts.txt").open("w") as texts:
            texts.write("a great day\n" * 5000)
            texts.flush()
            deadline = time.monotonic() + 200
            while not (out.parent.exists() and list(out.parent.iterdir())):
                assert process.poll() is None and time.monotonic() < deadline
                time.sleep(0.05)
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=100) == 128 + signal.SIGTERM
    finally:
        process.kill()
        process.wait()
    assert list(out.parent.iterdir()) == []


NATIVE = """
import ctypes, sys, threading
from heedful.cli import terminate
terminate.PATIENCE = 0.5
libc, lock = ctypes.CDLL(None), ctypes.create_string_buffer(64)
libc.pthread_mutex_init(lock, None)
libc.pthread_mutex_lock(lock)
with terminate.stopped_by_sigterm():
    threading.Timer(0.3, print, ["ready"], {"flush": True}).start()
    try:
        libc.pthread_mutex_lock(lock)  # for ever; other threads run, as they do beside ONNX Runtime
    except terminate.Terminated:
        sys.exit(7)  # the signal was there before the loop
"""


def test_sigterm_ends_native_code_that_does_not_come_back():
    for _ in range(20):
        process = subprocess.Popen([sys.executable, "-c", NATIVE], stdout=subprocess.PIPE)
        try:
            assert process.stdout is not None and process.stdout.readline() == b"ready\n"
            process.send_signal(signal.SIGTERM)
            code = process.wait(timeout=100)
        finally:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()
        if code != 7:
            break
    assert code == 128 + signal.SIGTERM
