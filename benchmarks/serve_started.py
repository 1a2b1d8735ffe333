"""Servers to be measured: each a process of its own on loopback, waited for, and ended whatever happens."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.encoders import teacher_folder
from benchmarks.installed import ROOT

START_SECONDS = 180.0
STOP_SECONDS = 20.0


@dataclass(frozen=True)
class Contestant:
    """A server: how it is started, and how texts are sent to it."""

    name: str
    command: Callable[[int], list[str]]  # from the port
    path: str
    asked: Callable[[list[str]], dict[str, Any]]  # the body for some texts
    alive: str = "/docs"  # answers 200 when it can be asked


@dataclass(frozen=True)
class Started:
    """A server that runs."""

    pid: int
    port: int


def heedful(model: str = "en-base", *others: str) -> Contestant:
    """`heedful serve` with its own defaults, and other models beside the one that is asked for vectors."""
    return Contestant(
        f"heedful serve {model}",
        lambda port: [sys.executable, "-m", "heedful", "serve", model, *others, "--port", str(port)],
        "/v1/embeddings",
        lambda texts: {"model": model, "input": texts},
        alive="/ready",
    )


def sentence_transformers() -> Contestant:
    """The usual few lines."""
    return Contestant(
        "all-MiniLM-L6-v2, sentence-transformers behind FastAPI",
        lambda port: [sys.executable, "-m", "benchmarks.serve_rival", str(port)],
        "/embed",
        lambda texts: {"input": texts},
    )


def infinity(program: Path) -> Contestant:
    """infinity-emb, which gathers requests into batches; installed apart."""
    model = str(teacher_folder())
    flags = ["--device", "cpu", "--engine", "torch", "--no-bettertransformer", "--served-model-name", "rival"]
    return Contestant(
        "all-MiniLM-L6-v2, infinity-emb",
        lambda port: [str(program), "v2", "--model-id", model, "--host", "127.0.0.1", "--port", str(port), *flags],
        "/embeddings",
        lambda texts: {"model": "rival", "input": texts},
        alive="/health",
    )


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def environment() -> dict[str, str]:
    """Return the environment of a server: offline, with as many threads as it chooses itself."""
    left_out = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS", "MKL_NUM_THREADS")
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    quiet = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "TQDM_DISABLE": "1", "DO_NOT_TRACK": "1"}
    return {**kept, **quiet, "INFINITY_ANONYMOUS_USAGE_STATS": "0", "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}"}


def end_servers_when_stopped() -> None:
    """Let SIGTERM (of `timeout`, say) end this process as Ctrl-C does: through what ends the servers."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


@contextmanager
def started(contestant: Contestant, folder: Path) -> Iterator[Started]:
    """Start a server and wait until it answers; end it at the end. Its output is kept in the folder."""
    port = free_port()
    log = folder / f"server-{port}.log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            contestant.command(port), env=environment(), stdout=file, stderr=file, start_new_session=True
        )
        try:
            _wait(process, port, contestant.alive, log)
            yield Started(process.pid, port)
        finally:
            _stop(process)


def _wait(process: subprocess.Popen[bytes], port: int, path: str, log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}: {log.read_text(errors='replace')[-2000:]}")
        with suppress(OSError, http.client.HTTPException):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            try:
                connection.request("GET", path)
                if connection.getresponse().status == 200:
                    return
            finally:
                connection.close()
        time.sleep(0.1)
    raise RuntimeError(f"the server did not answer within {START_SECONDS:.0f} s: {log.read_text()[-2000:]}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ask it to end, then end it and what it started."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(STOP_SECONDS)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
