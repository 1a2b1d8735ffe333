"""Connection to Ray: a local instance or an existing cluster, without output on the terminal."""

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

OBJECTS = 256 * 2**20  # bytes of shared memory: only the model goes through it, rows go from file to file
LOOPBACK = "127.0.0.1"
# Without this, Ray on Linux replaces the loopback address by the network address.
NO_CLUSTER = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
PATIENCE = 5.0  # seconds to wait for a cluster to respond
# Set before Ray is imported: no usage statistics, no output on the terminal.
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_BACKEND_LOG_LEVEL": "fatal",
    "RAY_DEDUP_LOGS": "0",
    "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}


def cores() -> int:
    """Return the number of cores available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def joined(address: str | None, workers: int | None) -> Iterator[tuple[ModuleType, int]]:
    """Yield Ray and the number of workers; if this process is already connected, that connection is used."""
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    if address:
        check_answers(address)
    with silenced_stderr():
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
        # Ray reports dead workers on stdout, whatever the log settings.
        with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), stopped_by_sigterm():
            try:
                yield ray, workers or _cpus(ray)
            finally:
                ray.shutdown()


@contextmanager
def on_loopback() -> Iterator[None]:
    """Make a locally started Ray listen on the loopback interface only."""
    constants = import_module("ray._private.ray_constants")
    before, enabled = os.environ.get(NO_CLUSTER), getattr(constants, "ENABLE_RAY_CLUSTER", None)
    os.environ[NO_CLUSTER] = "0"  # for processes started by Ray
    constants.ENABLE_RAY_CLUSTER = False  # type: ignore[attr-defined]  # Ray reads it on import
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
    """Handle SIGTERM like Ctrl-C; Ray would abort."""
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
        with silenced_stderr():
            ray.init(log_to_driver=False, logging_level=logging.CRITICAL, **options)
    except (OSError, RuntimeError, ValueError, TimeoutError) as error:
        raise HeedfulError(f"cannot connect to Ray on {where}: {first_line(error)}") from None
    quiet(ray)


@contextmanager
def silenced_stderr() -> Iterator[None]:
    """Discard stderr while Ray's C++ code starts; errors are still raised."""
    saved_stderr, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(saved_stderr, 2)
        os.close(saved_stderr)
        os.close(nowhere)


def quiet(ray: ModuleType) -> None:
    """Disable Ray Data's progress bars and logs."""
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    for name in ("ray", "ray.data"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _cpus(ray: ModuleType) -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def check_answers(address: str) -> None:
    """Raise immediately if no cluster responds at an address; Ray itself would wait for minutes."""
    if address in ("auto", "local"):
        return
    parts = urlsplit(address if "://" in address else f"//{address}")
    try:
        host, port = parts.hostname, parts.port or (10001 if parts.scheme == "ray" else None)
    except ValueError:
        host, port = None, None
    if not host or not port:
        raise HeedfulError(f"address is {address!r}, expected HOST:PORT, ray://HOST:PORT or auto")
    try:
        with socket.create_connection((host, port), timeout=PATIENCE) as connection:
            answers = bool(os.environ.get("RAY_USE_TLS")) or _speaks_grpc(connection)
    except OSError as error:
        raise HeedfulError(f"no Ray cluster responds at {address}: {first_line(error)}") from None
    if not answers:
        raise HeedfulError(f"the server at {address} is not a Ray cluster")


def _speaks_grpc(connection: socket.socket) -> bool:
    """Return whether the server responds to HTTP/2 with a settings frame, as gRPC servers do."""
    settings = b"\0\0\0\4\0\0\0\0\0"
    connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + settings)
    answer = b""
    while len(answer) < len(settings) and (more := connection.recv(len(settings) - len(answer))):
        answer += more
    return len(answer) == len(settings) and answer[3] == 4
