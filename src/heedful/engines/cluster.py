"""Ray on this machine, or a cluster that is there: joined quietly, and left again."""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

from heedful.engines.reading.paths import first_line
from heedful.errors import HeedfulError, need

OBJECTS = 256 * 2**20  # bytes of shared memory: parts go from file to file, and only the model passes through
LOOPBACK = "127.0.0.1"
# Ray on Linux takes the address of the network for the loopback unless this says that there will be no cluster.
NO_CLUSTER = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
PATIENCE = 5.0  # seconds, for a cluster to answer at all
# Before Ray is imported: no word about use to anyone, no lines of its own on our terminal.
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_BACKEND_LOG_LEVEL": "fatal",
    "RAY_DEDUP_LOGS": "0",
    "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def joined(address: str | None, workers: int | None) -> Iterator[tuple[ModuleType, int]]:
    """Give Ray and the number of workers; a Ray that this process has already joined is used as it is."""
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    if address:
        check_answers(address)
    with unheard():
        ray = need("ray", feature="Running on Ray", extra="scale")
        need("ray.data", feature="Running on Ray", extra="scale")
    if ray.is_initialized():
        yield ray, workers or _cpus(ray)
        return
    with nullcontext() if address else on_loopback():
        if address:
            _init(ray, address, {"address": address})
        else:
            n = workers or cores()
            _init(ray, "this machine", {"address": "local", "num_cpus": n, "object_store_memory": OBJECTS})
        # Ray tells of a worker that died on stdout, where answers go, whatever it is told of logs.
        with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), stopped_by_sigterm():
            try:
                yield ray, workers or _cpus(ray)
            finally:
                ray.shutdown()


@contextmanager
def on_loopback() -> Iterator[None]:
    """Let a Ray that is started here listen on the loopback alone: no other machine reaches it."""
    constants = import_module("ray._private.ray_constants")
    before, enabled = os.environ.get(NO_CLUSTER), getattr(constants, "ENABLE_RAY_CLUSTER", None)
    os.environ[NO_CLUSTER] = "0"  # for the processes that Ray starts
    constants.ENABLE_RAY_CLUSTER = False  # type: ignore[attr-defined]  # read when Ray was imported
    try:
        yield
    finally:
        constants.ENABLE_RAY_CLUSTER = enabled  # type: ignore[attr-defined]
        if before is None:
            del os.environ[NO_CLUSTER]
        else:
            os.environ[NO_CLUSTER] = before


@contextmanager
def stopped_by_sigterm() -> Iterator[None]:
    """Let SIGTERM, by which clusters and systems end a program, stop as Ctrl-C does; Ray would abort."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)


def _init(ray: ModuleType, where: str, options: dict[str, Any]) -> None:
    if options["address"] == "local":
        options = {**options, "include_dashboard": False, "_node_ip_address": LOOPBACK}
    try:
        with unheard():
            ray.init(log_to_driver=False, logging_level=logging.CRITICAL, **options)
    except (OSError, RuntimeError, ValueError, TimeoutError) as error:
        raise HeedfulError(f"Ray on {where} cannot be joined: {first_line(error)}") from None
    quiet(ray)


@contextmanager
def unheard() -> Iterator[None]:
    """Keep off the terminal what Ray's C++ side says while it starts; what is wrong is raised."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def quiet(ray: ModuleType) -> None:
    """Let Ray Data show no bars and say nothing: the command has a line of its own."""
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    for name in ("ray", "ray.data"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _cpus(ray: ModuleType) -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def check_answers(address: str) -> None:
    """Raise at once where nothing answers at an address: Ray itself would wait for minutes."""
    if address in ("auto", "local"):
        return
    parts = urlsplit(address if "://" in address else f"//{address}")
    try:
        host, port = parts.hostname, parts.port or (10001 if parts.scheme == "ray" else None)
    except ValueError:
        host, port = None, None
    if not host or not port:
        raise HeedfulError(f"--address is {address!r}, expected HOST:PORT, ray://HOST:PORT or auto")
    try:
        with socket.create_connection((host, port), timeout=PATIENCE) as link:
            answers = bool(os.environ.get("RAY_USE_TLS")) or _speaks_grpc(link)
    except OSError as error:
        raise HeedfulError(f"no Ray cluster answers at {address}: {first_line(error)}") from None
    if not answers:
        raise HeedfulError(f"what answers at {address} is not a Ray cluster")


def _speaks_grpc(link: socket.socket) -> bool:
    """Return whether the other side answers to HTTP/2 with its settings, as every gRPC server does at once."""
    settings = b"\0\0\0\4\0\0\0\0\0"
    link.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + settings)
    answer = b""
    while len(answer) < len(settings) and (more := link.recv(len(settings) - len(answer))):
        answer += more
    return len(answer) == len(settings) and answer[3] == 4
