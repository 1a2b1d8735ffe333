"""Vectors of sentences: quality, speed, load time and size, ours against what people use for them.

    python -m benchmarks.embedding                          # every row, results/embedding.json
    python -m benchmarks.embedding --rows teacher,en-base   # some rows; these alone are then in the file
    python -m benchmarks.embedding --speed                  # times alone; the quality in the file stays as it was
    python -m benchmarks.embedding --quick                  # a few hundred texts, to see that it works; no file

Speeds are taken in interleaved rounds, two threads for all. `--cache FOLDER` keeps what is made once (the ONNX file,
the distilled model2vec); without it a temporary folder is used.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np

from benchmarks.encoders import ENCODERS, OURS, Encode, corpus_sentences, set_up, why_not
from benchmarks.installed import ROOT, closure, installed_bytes, path_bytes
from benchmarks.probe import (
    Pairs,
    ProbeSet,
    labels_of,
    linear_probe,
    pair_vectors,
    rank_agreement,
    read_probe_sets,
    read_similarity,
    texts_of,
    tfidf_vectors,
    unit,
)
from benchmarks.result import read_result, write_result

CUTS = {"model2vec": (64, 128), **dict.fromkeys(OURS, (64, 128, 256))}
NOTES = (
    "sentences/s: median of the rounds, each of new sentences, all at once, N by calibration for about 4 s; "
    "tf-idf: fitted on 100,000 corpus sentences for the similarity and speed columns, words and pairs of words fitted "
    "on each training set for the probes; size: packages as installed here (torch's CPU build) and the model; "
    "heedful's size holds both its models"
)


@dataclass(frozen=True)
class Plan:
    """How much is measured."""

    rounds: int
    most: int  # sentences in a round, at most
    seconds: float  # that a round should take
    singles: int
    company: int

    @property
    def least(self) -> int:
        """Sentences in a round, at least."""
        return min(1_000, self.most)


FULL = Plan(rounds=7, most=200_000, seconds=4.0, singles=200, company=5_000)
QUICK = Plan(rounds=2, most=300, seconds=0.2, singles=10, company=300)


def say(text: str) -> None:
    """Show progress."""
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


@contextmanager
def own_environment() -> Iterator[None]:
    """Undo what a library does to the environment: model2vec switches off the others' parallel tokenising."""
    before = dict(os.environ)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def quality(key: str, encode: Encode, pairs: Mapping[str, Pairs], sets: Mapping[str, ProbeSet]) -> dict[str, Any]:
    """Return the quality columns of one row."""
    row: dict[str, Any] = {}
    for name, pair in pairs.items():
        sides = pair_vectors(encode, pair)
        row[name] = rank_agreement(sides, pair.scores)
        if name == "stsb":
            width = int(sides[0].shape[1])
            row["width"] = width
            row["stsb_cut"] = {
                str(w): rank_agreement(sides, pair.scores, width=w) for w in CUTS.get(key, ()) if w < width
            }
    row["probes"] = {name: probe(key, encode, texts) for name, texts in sets.items()}
    row["probe_mean"] = mean(row["probes"].values())
    return row


def probe(key: str, encode: Encode, texts: ProbeSet) -> float:
    """Return the accuracy of a linear classifier on a row's vectors."""
    train, dev = texts_of(texts.train), texts_of(texts.dev)
    sides = tfidf_vectors(train, dev) if key == "tfidf" else (encode(train), encode(dev))
    return linear_probe(sides[0], labels_of(texts.train), sides[1], labels_of(texts.dev))


def timed(run: Callable[[], object]) -> float:
    """Return the seconds that it takes."""
    with own_environment():
        started = time.perf_counter()
        run()
        return time.perf_counter() - started


def speed(loaded: Mapping[str, Encode], sentences: list[str], plan: Plan) -> dict[str, Any]:
    """Return sentences a second in interleaved rounds, each row with as many sentences as its speed asks for."""
    amounts: dict[str, int] = {}
    for key, encode in loaded.items():
        timed(partial(encode, sentences[:64]))
        rate = plan.least / timed(partial(encode, sentences[: plan.least]))
        amounts[key] = int(min(plan.most, max(plan.least, rate * plan.seconds)))
    rates: dict[str, list[float]] = {key: [] for key in loaded}
    for number in range(plan.rounds):
        for key, encode in loaded.items():
            # other sentences in each round, so that none has an answer ready; from the start again where they end
            start = number * amounts[key] % max(1, len(sentences) - amounts[key] + 1)
            some = sentences[start : start + amounts[key]]
            rates[key].append(len(some) / timed(partial(encode, some)))
        say(f"round {number + 1}, sentences/s: " + ", ".join(f"{k} {v[-1]:,.0f}" for k, v in rates.items()))
    return {
        key: {"sentences_per_second": median(found), "rounds_per_second": found, "sentences": amounts[key]}
        for key, found in rates.items()
    }


def latency(loaded: Mapping[str, Encode], sentences: Sequence[str], plan: Plan) -> dict[str, Any]:
    """Return the milliseconds that one sentence alone takes: the median of each round, and of these the median."""
    rounds: dict[str, list[float]] = {key: [] for key in loaded}
    for _ in range(plan.rounds):
        for key, encode in loaded.items():
            encode([sentences[0]])
            taken = [timed(partial(encode, [text])) for text in sentences[: plan.singles]]
            rounds[key].append(1e3 * median(taken))
    say("one sentence, ms: " + ", ".join(f"{key} {median(found):.2f}" for key, found in rounds.items()))
    return {key: {"one_ms": median(found), "rounds_ms": found} for key, found in rounds.items()}


def start_up(keys: Sequence[str], cache: Path, *, threads: int, rounds: int) -> dict[str, Any]:
    """Return the seconds from the start of Python to the first vector, and the peak memory."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    seconds: dict[str, list[float]] = {key: [] for key in keys}
    peak_kb: dict[str, list[int]] = {key: [] for key in keys}
    for _ in range(rounds):
        for key in keys:
            code = f"from benchmarks.encoders import first_vector; first_vector({key!r}, {str(cache)!r}, {threads})"
            command = [sys.executable, "-c", code]
            started = time.perf_counter()
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
            seconds[key].append(time.perf_counter() - started)
            peak_kb[key] += [int(done.stdout)] if done.stdout.strip() else []
    say("load, s: " + ", ".join(f"{key} {median(found):.2f}" for key, found in seconds.items()))
    return {
        key: {
            "load_seconds": median(seconds[key]),
            "load_rounds": seconds[key],
            "peak_mb": median(peak_kb[key]) / 1e3 if peak_kb[key] else None,
        }
        for key in keys
    }


def size(key: str, cache: Path) -> dict[str, float]:
    """Return what a row takes of a disk."""
    encoder = ENCODERS[key]
    packages = installed_bytes(encoder.packages)
    model = sum(path_bytes(path) for path in encoder.files(cache))
    return {"installed_mb": (packages + (model if encoder.is_apart else 0)) / 1e6, "model_mb": model / 1e6}


def company(encode: Encode, sentences: Sequence[str], plan: Plan) -> dict[str, float]:
    """Return by how much a vector changes with the texts beside it: alone, together, among others; at length 1."""
    texts, others = list(sentences[: plan.singles]), list(sentences[plan.singles :][: plan.company])
    alone = unit(np.concatenate([encode([text]) for text in texts]))
    together = unit(encode(texts))
    order = np.random.default_rng(0).permutation(len(texts) + len(others))
    mixed = texts + others
    shuffled = unit(encode([mixed[i] for i in order]))
    among = shuffled[np.argsort(order)[: len(texts)]]
    return {
        "alone_or_together": float(np.abs(alone - together).max()),
        "alone_or_among_others": float(np.abs(alone - among).max()),
        "together_or_among_others": float(np.abs(together - among).max()),
    }


@dataclass(frozen=True)
class Target:
    """Something we set out to reach: our figure at least so many times a rival's, or above that."""

    row: str
    column: str
    rival: str
    times: float
    above: bool = False

    def judged(self, rows: Mapping[str, Mapping[str, Any]]) -> dict[str, Any] | None:
        """Return whether it is met, None where a row is missing."""
        if self.row not in rows or self.rival not in rows:
            return None
        ratio = rows[self.row][self.column] / rows[self.rival][self.column]
        sign = ">" if self.above else "≥"
        return {
            "target": f"{self.row} {self.column} {sign} {self.times:g} × {self.rival}",
            "ratio": ratio,
            "met": bool(ratio > self.times if self.above else ratio >= self.times),
        }


QUALITY = ("stsb", "sick", "probe_mean")
TARGETS = (
    Target("en-small", "stsb", "teacher", 0.98),
    *(Target("en-small", column, rival, 1, above=True) for rival in ("model2vec", "wordllama") for column in QUALITY),
    Target("en-small", "sentences_per_second", "model2vec", 1),
    Target("en-base", "stsb", "teacher", 0.99),
    Target("en-base", "probe_mean", "teacher", 0.98),
    Target("en-base", "sentences_per_second", "teacher", 10),
    Target("en-base", "sentences_per_second", "onnx_int8", 4),
)


def measure(
    keys: Sequence[str], cache: Path, *, threads: int, quick: bool, known: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """Return all columns of these rows; where rows are known, their quality is not measured again."""
    plan = QUICK if quick else FULL
    for key in keys:
        say(f"making {key}")
        ENCODERS[key].make(cache)
    rows: dict[str, dict[str, Any]] = {key: {"name": ENCODERS[key].name, **size(key, cache)} for key in keys}
    # first, while this process holds no model and rests
    parts = [start_up(keys, cache, threads=threads, rounds=plan.rounds)]
    loaded = {key: ENCODERS[key].load(cache, threads) for key in keys}
    pairs, sets = read_similarity(quick=quick), read_probe_sets(quick=quick)
    for key, encode in loaded.items():
        with own_environment():
            rows[key] = {**known[key], **rows[key]} if key in known else rows[key] | quality(key, encode, pairs, sets)
        say(f"{key}: " + ", ".join(f"{column} {rows[key][column]:.4f}" for column in QUALITY))
    sentences = corpus_sentences(5 * plan.most)
    parts += [speed(loaded, sentences, plan), latency(loaded, sentences, plan)]
    for key in keys:
        for part in parts:
            rows[key] |= part[key]
        if key in OURS:
            rows[key]["company"] = company(loaded[key], sentences, plan)
            say(f"{key}: company {rows[key]['company']}")
    return rows


def versions() -> dict[str, str]:
    """Return the versions of the rivals' packages."""
    names = {name for encoder in ENCODERS.values() for name in encoder.packages} | {"transformers", "torch"}
    return {name: version(name) for name in sorted(names) if closure((name,))}


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default=",".join(ENCODERS))
    parser.add_argument("--cache", type=Path, help="folder for what is made once")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--speed", action="store_true", help="measure times; keep the quality that is in the file")
    parser.add_argument("--quick", action="store_true", help="a few hundred texts; writes no file")
    args = parser.parse_args()
    asked = args.rows.split(",")
    if strange := sorted(set(asked) - set(ENCODERS)):
        parser.error(f"no such row: {', '.join(strange)}. Known: {', '.join(ENCODERS)}")
    set_up(args.threads)
    skipped = {key: reason for key in asked if (reason := why_not(key))}
    for key, reason in skipped.items():
        say(f"skipping {key}: {reason}")
    keys = [key for key in asked if key not in skipped]
    known: dict[str, Any] = read_result("embedding")["rows"] if args.speed else {}
    with tempfile.TemporaryDirectory() as folder:
        cache = (args.cache or Path(folder)).absolute()
        cache.mkdir(parents=True, exist_ok=True)
        rows = measure(keys, cache, threads=args.threads, quick=args.quick, known=known)
    targets = [found for target in TARGETS if (found := target.judged(rows))]
    for found in targets:
        say(f"{'met ' if found['met'] else 'NOT '} {found['ratio']:7.3f}  {found['target']}")
    figures = {"rows": rows, "targets": targets, "skipped": skipped, "threads": args.threads, "versions": versions()}
    if args.quick:
        print(json.dumps(figures, indent=1))
    else:
        apart = "; times and quality were measured in two runs" if args.speed else ""
        write_result("embedding", figures, seeds=[0], notes=NOTES + apart)


if __name__ == "__main__":
    main()
