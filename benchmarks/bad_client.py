"""One bad client: does a server of molecules survive, and do others still get their answers?

    python -m benchmarks.bad_client                        # results/bad_client.json
    python -m benchmarks.bad_client --minutes 0.5 --dry    # to see that it works; no file

First 6 clients send good and bad molecules to a server with 8 workers. Then one client sends the heaviest requests to
/explain that it is allowed, several at a time, while another sends two words, one request after the other. Both come
from one address, which is the harder case: a server that knows its clients apart has more to go by.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.embedding import say
from benchmarks.result import write_result
from benchmarks.serve_started import Contestant, Started, end_servers_when_stopped, heedful, started
from heedful.config import Config
from heedful.data.samples.customer_messages import messages_path

PATIENCE = 120.0  # seconds for one answer
CLIENTS, WORKERS = 6, 8
AT_ONCE = 8  # heavy requests of the bad client that are under way
GOOD = ("CCO", "c1ccccc1O", "CC(=O)Oc1ccccc1C(=O)O", "C[C@H](N)C(=O)O", "[Na+].[Cl-]", "C1CC1")
BAD = ("C1CC", "C(C)(C)(C)(C)C", "N[", "c1cccc", "not a molecule", "")
NOTES = (
    "molecules: 6 clients, 8 workers, half of the SMILES cannot be read; lost: refusals that do not say why. "
    "others: p50 and p99 in ms of a client that sends two words, alone and while another client keeps 8 of the "
    "heaviest requests to /explain under way; both from one address"
)


def molecule_model(folder: Path) -> Path:
    """Train a small classifier of molecules."""
    from heedful.jobs.train.train import train_model

    rng = random.Random(0)
    rows = [f"{'C' * rng.randrange(1, 8)}{end},{label}" for _ in range(60) for end, label in (("O", "a"), ("N", "b"))]
    file = folder / "molecules.csv"
    file.write_text("\n".join(["smiles,label", *rows]) + "\n", encoding="utf-8")
    small = {"units": 16, "inner_units": 16, "n_hops": 2, "row_units": 4, "epochs": 2}
    train_model(Config().with_given(input="molecule", text="smiles", train=str(file), **small), folder / "mol")
    return folder / "mol"


def text_model(folder: Path) -> Path:
    """Train a classifier that is slow enough to be worth an attack: two LSTMs and many hops."""
    from heedful.jobs.train.train import train_model

    given = {"label": "topic", "encoder": "bilstm", "start": "none", "epochs": 1, "max_tokens": 1000}
    train_model(Config().with_given(train=str(messages_path("train")), **given), folder / "topics")
    return folder / "topics"


def ask(port: int, path: str, body: Any) -> tuple[int, bytes]:
    """Return the status and the body of one answer; 0 where there was none."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        if body is None:
            connection.request("GET", path)
        else:
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        found = connection.getresponse()
        return found.status, found.read()
    except (OSError, http.client.HTTPException):
        return 0, b""
    finally:
        connection.close()


def molecules(server: Started, seconds: float) -> dict[str, Any]:
    """Let 6 clients send good and bad molecules, and return what came back."""
    statuses: Counter[str] = Counter()
    lost, end = [], time.monotonic() + seconds

    def client(seed: int) -> None:
        rng = random.Random(seed)
        while time.monotonic() < end:
            status, body = ask(server.port, "/predict", {"input": [rng.choice(rng.choice((GOOD, BAD)))]})
            statuses[str(status)] += 1
            if b"does not say why" in body:
                lost.append(body)
            if not status and not is_alive(server):
                return

    threads = [threading.Thread(target=client, args=(seed,)) for seed in range(CLIENTS)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return {"seconds": seconds, "statuses": dict(statuses), "lost": len(lost), "crashed": not is_alive(server)}


def is_alive(server: Started) -> bool:
    """Return whether the process of a server, a child of this one, still runs; who started it waits for it."""
    with suppress(ChildProcessError):
        return os.waitid(os.P_PID, server.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
    return False


def heaviest(tokens: int) -> list[dict[str, Any]]:
    """Return the heaviest requests to /explain: one long text, and 16 that take as much together."""
    words = ["the", "parcel", "came", "late", "and", "nobody", "was", "there"]
    sizes = [int((tokens / n) ** 0.5) for n in (1, 16)]
    texts = [" ".join((words * size)[:size]) for size in sizes]
    methods = ["leave-one-out"] * 4
    return [{"input": texts[0], "methods": methods}, {"input": [texts[1]] * 16, "methods": methods}]


def others(server: Started, seconds: float, index: bool = False) -> dict[str, Any]:
    """Return p50 and p99 of a client that sends two words."""
    asked = {
        "/explain": {"input": "late parcel"},
        "/predict": {"input": "late parcel"},
        "/card": None,
        **({"/search": {"query": "late parcel", "n": 3}} if index else {}),
    }
    found: dict[str, list[float]] = {path: [] for path in asked}
    statuses: Counter[str] = Counter()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for path, body in asked.items():
            since = time.monotonic()
            status, _ = ask(server.port, path, body)
            found[path].append(time.monotonic() - since)
            statuses[str(status)] += 1
            time.sleep(0.01)
    return {"statuses": dict(statuses), "ms": {path: times(each) for path, each in found.items()}}


def times(seconds: Sequence[float]) -> dict[str, float]:
    """Return how many, and p50, p99 and the longest in ms."""
    p50, p99 = np.percentile(seconds, [50, 99]) * 1000
    return {"n": len(seconds), "p50": round(p50, 1), "p99": round(p99, 1), "max": round(max(seconds) * 1000, 1)}


def beside_a_bad_client(server: Started, seconds: float, *, index: bool) -> dict[str, Any]:
    """Return the times of a client with two words while another sends the heaviest requests."""
    bodies, statuses, stop = heaviest(400_000), Counter[str](), threading.Event()

    def bad(i: int) -> None:
        while not stop.is_set():
            statuses[str(ask(server.port, "/explain", bodies[i % 2])[0])] += 1

    for body in bodies:
        status, answer = ask(server.port, "/explain", body)
        if status != 200 or b"was not done" in answer:
            raise RuntimeError(f"the heaviest request is none: {status} {answer[:500]!r}")
    threads = [threading.Thread(target=bad, args=(i,), daemon=True) for i in range(AT_ONCE)]
    for each in threads:
        each.start()
    time.sleep(2)  # until all are under way
    found = others(server, seconds, index)
    stop.set()
    for each in threads:
        each.join()
    return {**found, "bad_client": dict(statuses)}


def with_flags(model: Path, *flags: str) -> Contestant:
    """Return a server of one model."""
    return heedful(str(model), *flags)


def make_index(folder: Path) -> Path | None:
    """Write an index of messages; None where LanceDB is not installed."""
    try:
        from heedful.search.index import Index
    except ImportError:
        return None
    rows = [{"id": str(i), "text": f"message {i} about a parcel that came late"} for i in range(500)]
    Index.create(folder / "messages.index", "en-small").add(rows)
    return folder / "messages.index"


def main() -> int:
    """Run both, and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0, help="for each of the two parts")
    parser.add_argument("--dry", action="store_true", help="write no file")
    args = parser.parse_args()
    end_servers_when_stopped()
    seconds = args.minutes * 60
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        with started(with_flags(molecule_model(folder), "--workers", str(WORKERS)), folder) as server:
            say(f"molecules: {CLIENTS} clients, {seconds:.0f} s")
            figures: dict[str, Any] = {"molecules": molecules(server, seconds)}
        say(json.dumps(figures["molecules"]))
        index = make_index(folder)
        flags = ("--index", str(index)) if index else ()
        with started(with_flags(text_model(folder), *flags), folder) as server:
            figures["alone"] = others(server, min(15.0, seconds), bool(index))
            say(json.dumps(figures["alone"]))
            figures["beside"] = beside_a_bad_client(server, seconds, index=bool(index))
        say(json.dumps(figures["beside"]))
    if not args.dry:
        say(f"written to {write_result('bad_client', figures, notes=NOTES)}")
    slow = [path for path, each in figures["beside"]["ms"].items() if each["p99"] >= 2000]
    failed = figures["molecules"]["crashed"] or figures["molecules"]["lost"] or slow
    if failed:
        say(f"not as it should be: crashed {figures['molecules']['crashed']}, slow {slow}")
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main())
