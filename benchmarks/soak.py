"""A server under twice the load it can bear: does it refuse politely, answer all it took, and keep its memory?

    python -m benchmarks.soak --minutes 10      # results/soak.json
    python -m benchmarks.soak --minutes 0.5 --dry  # to see that it works; no file

First the requests a second that 64 clients get answered, then twice as many in an open loop: one sentence or 16,
similarities and explanations among them; one client in a hundred goes away, some read slowly, some not at all.
"""

from __future__ import annotations

import argparse
import http.client
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import psutil

from benchmarks.embedding import say
from benchmarks.encoders import corpus_sentences
from benchmarks.installed import ROOT
from benchmarks.result import write_result
from benchmarks.serve import load
from benchmarks.serve_flood import PATIENCE
from benchmarks.serve_load import cpu_seconds
from benchmarks.serve_started import Started, end_servers_when_stopped, environment, heedful, started
from heedful.config import Config
from heedful.data.samples.customer_messages import messages_path
from heedful.jobs.train.train import train_model

OVER = 2.0  # times the capacity
CLIENTS = 64
CAPACITY_SECONDS = 15.0
EVERY = 5.0  # seconds between two looks at the memory
MOST_GROWTH = 0.05
ALLOWED = {"200", "429"}
LARGE = 512  # texts of the requests of slow readers
NOTES = (
    "capacity: closed loop of 64 clients with the same mix; times from when a request was due, of those answered 200; "
    "memory: RSS every 5 s, growth is the mean of the last fifth of the second half over that of its first fifth; "
    "unanswered: sent, not given up by the client, and without any status; slow and stalled readers apart"
)


def classifier(folder: Path) -> Path:
    """Train a small model that can be explained."""
    config = Config().changed(train=str(messages_path("train")), label="topic", encoder="static", epochs=3)
    train_model(config, folder / "topics")
    return folder / "topics"


def mix(texts: Sequence[str]) -> dict[str, Any]:
    """Return the kinds of requests, each with its share, its path and some bodies."""
    groups = [list(texts[i : i + 16]) for i in range(0, len(texts) - 15, 16)]
    pairs = list(zip(texts[::2], texts[1::2], strict=False))[:200]
    return {
        "one": kind(0.58, "/v1/embeddings", [{"model": "en-base", "input": text} for text in texts]),
        "sixteen": kind(0.38, "/v1/embeddings", [{"model": "en-base", "input": group} for group in groups]),
        "similarity": kind(0.02, "/similarity", [{"model": "en-base", "first": a, "second": b} for a, b in pairs]),
        "explain": kind(0.02, "/explain", [{"model": "topics", "input": text} for text in texts[:200]]),
    }


def kind(share: float, path: str, bodies: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return one kind of request."""
    return {"share": share, "path": path, "bodies": [json.dumps(body) for body in bodies]}


def capacity(server: Started, kinds: dict[str, Any], folder: Path, seconds: float) -> float:
    """Return how many requests a second 64 clients get answered: of each kind alone, then of the mix."""
    cost = 0.0  # seconds of the server for one request of the mix
    for name, each in kinds.items():
        path = folder / f"{name}.json"
        path.write_text(json.dumps({"path": each["path"], "texts": 0, "bodies": each["bodies"]}), encoding="utf-8")
        found = load(server, path, clients=CLIENTS, seconds=seconds / len(kinds))
        rate = found["requests"] / found["seconds"]
        say(f"{name}: {rate:,.0f} requests/s, p50 {found['p50_ms']:.1f} ms, p99 {found['p99_ms']:.1f} ms")
        cost += each["share"] / rate
    return 1 / cost


def flood(server: Started, requests: Path, *, rate: float, seconds: float) -> tuple[dict[str, Any], list[float]]:
    """Flood the server in a process of its own; return what that found, and the server's memory in MB."""
    command = [sys.executable, "-m", "benchmarks.serve_flood", "--port", str(server.port), "--requests", str(requests)]
    command += ["--rate", str(rate), "--seconds", str(seconds)]
    process, memory = psutil.Process(server.pid), []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment(), cwd=ROOT) as client:
        end = time.monotonic() + seconds + PATIENCE + 60
        while client.poll() is None:
            if time.monotonic() > end:
                client.kill()
                raise RuntimeError("the clients did not end")
            memory.append(process.memory_info().rss / 1e6)
            if len(memory) % 12 == 1:
                say(f"{len(memory) * EVERY - EVERY:.0f} s: memory {memory[-1]:.0f} MB")
            try:
                client.wait(EVERY)
            except subprocess.TimeoutExpired:
                continue
        assert client.stdout is not None
        if client.returncode != 0:
            raise RuntimeError(f"the clients ended with {client.returncode}")
        found: dict[str, Any] = json.loads(client.stdout.read())
    return found, memory


def growth(memory: Sequence[float]) -> float:
    """Return by how much memory grew in the second half."""
    half = list(memory[len(memory) // 2 :])
    fifth = max(1, len(half) // 5)
    return mean(half[-fifth:]) / mean(half[:fifth]) - 1


def after(server: Started) -> dict[str, Any]:
    """Return how the server is when it is left alone: what waits in it, and whether it answers."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        body = json.dumps({"model": "en-base", "input": "Is anybody there?"})
        connection.request("POST", "/v1/embeddings", body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        response.read()
        connection.request("GET", "/metrics")
        lines = connection.getresponse().read().decode().splitlines()
    finally:
        connection.close()
    waiting = {name: float(line.split()[1]) for line in lines for name in GAUGES if line.startswith(f"{name} ")}
    return {"status": response.status, **waiting}


GAUGES = ("heedful_waiting_tokens", "heedful_open_calls")


def judged(found: dict[str, Any], memory: Sequence[float], rest: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what we set out to reach, and whether we did."""
    strange = {status: n for status, n in found["statuses"].items() if status not in ALLOWED}
    unanswered, grown = sum(found["unanswered"].values()), growth(memory)
    waits = [rest["status"] - 200, *(rest[name] for name in GAUGES)]
    return [
        {"target": "no status but 200 and 429", "found": strange, "met": not strange},
        {"target": "every request that was not given up has an answer", "found": unanswered, "met": unanswered == 0},
        {"target": f"memory grows by less than {MOST_GROWTH:.0%} in the second half", "found": grown}
        | {"met": grown < MOST_GROWTH},
        {"target": "afterwards it answers, and nothing waits", "found": rest, "met": not any(waits)},
    ]


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--dry", action="store_true", help="write no file")
    args = parser.parse_args()
    end_servers_when_stopped()
    texts = corpus_sentences(4096)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kinds = mix(texts)
        large = {"path": "/v1/embeddings", "body": json.dumps({"model": "en-base", "input": texts[:LARGE]})}
        requests = folder / "requests.json"
        requests.write_text(json.dumps({"kinds": kinds, "large": large}), encoding="utf-8")
        with started(heedful("en-base", str(classifier(folder))), folder) as server:
            most = capacity(server, kinds, folder, min(CAPACITY_SECONDS, 20 * args.minutes))
            say(f"capacity {most:,.0f} requests/s of the mix; offering {OVER * most:,.0f}")
            used, since = cpu_seconds(server.pid), time.monotonic()
            found, memory = flood(server, requests, rate=OVER * most, seconds=60 * args.minutes)
            cores = (cpu_seconds(server.pid) - used) / (time.monotonic() - since)
            rest = after(server)
    targets = judged(found, memory, rest)
    figures = {
        "minutes": args.minutes,
        "capacity_per_second": most,
        "offered_per_second": OVER * most,
        "answered_per_second": found["statuses"].get("200", 0) / (60 * args.minutes),
        **found,
        "server_cores": cores,
        "memory_mb": memory,
        "memory_growth": growth(memory),
        "targets": targets,
    }
    shown = {key: value for key, value in figures.items() if key not in ("memory_mb", "targets")}
    say(json.dumps(shown, indent=1))
    for each in targets:
        say(f"{'met ' if each['met'] else 'NOT '} {each['target']}: {each['found']}")
    if not args.dry:
        write_result("soak", figures, seeds=[0], notes=NOTES)


if __name__ == "__main__":
    main()
