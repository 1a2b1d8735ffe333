"""Workers and drivers that are killed midway: every good row once, and what was done is not done again."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]
N = 24_000


@pytest.fixture(scope="module", autouse=True)
def needs_ray():
    pytest.importorskip("ray", reason="needs Ray: pip install 'heedful[scale]'")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, examples):
    """One file of many long lines, each with its number."""
    words = " ".join(example.text for example in examples(8, seed=5))
    path = tmp_path_factory.mktemp("corpus") / "in.txt"
    path.write_text("".join(f"{i} {words[i % 50 :]}\n" for i in range(N)))
    return path


def start(model: Path, corpus: Path, out: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "heedful", "embed", str(model), str(corpus), "-o", str(out), "--engine", "ray"]
    command += ["--workers", "2", "--part-rows", "800", "--json", *more]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, **pipes, text=True, preexec_fn=hears_ctrl_c)


def hears_ctrl_c() -> None:
    """Undo what a shell does to programs that it starts with `&`: they, and all that they start, hear no Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def finish(process: subprocess.Popen[str]) -> dict:
    answer, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors
    assert "Traceback" not in errors
    return json.loads(answer)


def wait_until(process: subprocess.Popen[str], fact) -> None:
    while not fact():
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


def done(out: Path) -> list[Path]:
    return sorted((out / "_done").glob("*.json"))


def check_whole(out: Path, rows_of, tiny_model) -> None:
    rows = rows_of(out)
    assert [row["heedful_row"] for row in rows] == list(range(1, N + 1)), "a row is missing, or there twice"
    some = rows[:: N // 50]
    np.testing.assert_allclose(
        [row["vector"] for row in some], tiny_model.embed([row["text"] for row in some]), atol=1e-5
    )
    assert not list(out.glob(".*.partial"))


def pid_at_work(out: Path) -> int | None:
    """Return the process that is writing a part, by the name of its file."""
    found = [re.fullmatch(r".*-(\d+)\.partial", file.name) for file in out.glob(".part-*.partial")]
    return next((int(match[1]) for match in found if match), None)


def test_a_killed_worker_costs_no_row(tiny_folder, tiny_model, corpus, tmp_path, rows_of):
    out = tmp_path / "out"
    process = start(tiny_folder, corpus, out)
    wait_until(process, lambda: len(done(out)) >= 3)
    while (worker := pid_at_work(out)) is None:
        assert process.poll() is None, process.communicate()
    os.kill(worker, signal.SIGKILL)
    assert len(done(out)) < N // 800, "all was done before the worker was killed: the test shows nothing"
    summary = finish(process)
    assert (summary["rows"], summary["bad"], summary["left_out"]) == (N, 0, [])
    check_whole(out, rows_of, tiny_model)


def test_a_killed_driver_is_gone_on_from(tiny_folder, tiny_model, corpus, tmp_path, rows_of):
    out = tmp_path / "out"
    process = start(tiny_folder, corpus, out)
    wait_until(process, lambda: len(done(out)) >= 4)
    workers = [pid for pid in descendants(process.pid) if b"PartWorker" in title(pid)]
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    settled = parts_when_workers_are_gone(out, workers)
    assert 4 <= len(settled) < N // 800, "all was done before the kill: the test shows nothing"
    summary = finish(start(tiny_folder, corpus, out))
    assert summary["parts_before"] == len(settled) and summary["rows"] == N
    after = {name: (out / name).stat() for name in settled}
    assert {name: (stat.st_ino, stat.st_mtime_ns) for name, stat in after.items()} == settled
    check_whole(out, rows_of, tiny_model)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_stopped_says_how_to_go_on_and_does(tiny_folder, tiny_model, corpus, tmp_path, rows_of, sign):
    out = tmp_path / "out"
    process = start(tiny_folder, corpus, out)
    wait_until(process, lambda: len(done(out)) >= 3)
    process.send_signal(sign)
    answer, errors = process.communicate(timeout=600)
    assert process.returncode == 130 and answer == ""
    assert errors.splitlines()[-1] == "Stopped. Run the same command again to resume."
    assert "Traceback" not in errors and "***" not in errors
    before = len(done(out))
    assert before < N // 800, "all was done before the stop: the test shows nothing"
    summary = finish(start(tiny_folder, corpus, out))
    assert (summary["parts_before"], summary["rows"]) == (before, N)
    check_whole(out, rows_of, tiny_model)


def descendants(pid: int) -> list[int]:
    """Return the processes that a process started, and those that these started."""
    listed = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()
    return [found for child in map(int, listed) for found in (child, *descendants(child))]


def title(pid: int) -> bytes:
    """Return what a process calls itself; nothing of one that has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def parts_when_workers_are_gone(out: Path, workers: list[int]) -> dict[str, tuple[int, int]]:
    """Return the parts that are done, with inode and time, once the workers of the killed driver have ended."""
    assert workers, "no worker was at work: the test shows nothing"
    while any(title(pid) for pid in workers):
        time.sleep(0.05)
    parts = [out / f"{file.stem}.parquet" for file in done(out)]
    return {part.name: (part.stat().st_ino, part.stat().st_mtime_ns) for part in parts}


def test_an_address_where_nobody_answers_is_one_line(tiny_folder, corpus, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = start(tiny_folder, corpus, tmp_path / "out", "--address", f"127.0.0.1:{port}")
    answer, errors = process.communicate(timeout=600)
    assert process.returncode == 2 and answer == ""
    assert errors.startswith(f"heedful: no Ray cluster responds at 127.0.0.1:{port}: ") and errors.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("says", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
def test_a_server_that_is_not_ray_is_one_line(says, monkeypatch):
    from heedful.engines import cluster
    from heedful.errors import HeedfulError

    monkeypatch.setattr(cluster, "PATIENCE", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as server:
        other = threading.Thread(target=answer_once, args=(server, says))
        other.start()
        with pytest.raises(HeedfulError, match=r"no Ray cluster responds|is not a Ray cluster"):
            cluster.check_answers(f"127.0.0.1:{server.getsockname()[1]}")
        other.join()


def answer_once(server: socket.socket, says: bytes) -> None:
    """Say something to whoever comes, and listen until they are gone."""
    link, _ = server.accept()
    with link, contextlib.suppress(ConnectionResetError):
        link.sendall(says)
        while link.recv(100):
            pass


@pytest.mark.parametrize("address", ["here", "host:port", "host:99999", "ray://"])
def test_an_address_that_is_none_is_one_line(address):
    from heedful.engines.cluster import check_answers
    from heedful.errors import HeedfulError

    with pytest.raises(HeedfulError, match="expected HOST:PORT"):
        check_answers(address)
