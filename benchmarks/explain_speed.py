"""How long it takes to explain a text: contributions of each word, beside the leave-one-out of rivals.

    python -m benchmarks.explain_speed            # results/explain_speed.json
    python -m benchmarks.explain_speed --quick    # 10 texts, one epoch, to see that it works; no file

Ours is `model.explain(text)` as it comes: the exact contribution of each word to each label, from one run. "removal" is
the same with leave-one-out, which is what the rivals do: they leave out words of all-MiniLM-L6-v2 with a linear head
(see leaving_out.py). "predict" is our answer alone. All run on the same threads, by turns.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

import heedful
from benchmarks.datasets import sst2
from benchmarks.embedding import say
from benchmarks.encoders import set_up
from benchmarks.leaving_out import Row, rivals, why_no_ferret
from benchmarks.probe import labels_of, texts_of
from benchmarks.result import DATA, write_result
from heedful.data.example import Example

Times = NDArray[np.float64]  # (round, text), in ms

N_TEXTS, ROUNDS, BLOCK = 200, 2, 20
TRAININGS: dict[str, dict[str, Any]] = {"from_base": {"epochs": 2}, "bilstm": {"start": "none", "epochs": 4}}
NOTES = (
    "Times are of one text at a time, tokenising included, after a warm-up, in blocks of 20 texts by turns. captum is "
    "given whitespace-separated words, [CLS] and [SEP] stay, a word's pieces become [MASK]; it is not asked for the "
    "label, which would be one more run. ferret leaves out word pieces, not words, in batches of 8."
)


def ours(cache: Path, dev: Sequence[Example], *, threads: int, quick: bool) -> dict[str, tuple[heedful.Model, Row]]:
    """Return our models, trained on SST-2 where the cache does not have them, each with its row."""
    found = {}
    for key, settings in TRAININGS.items():
        out = cache / f"{key}{'_quick' if quick else ''}"
        if not out.exists():
            say(f"ours: training {key}")
            heedful.train(DATA / "sst2/train.tsv", out, **(settings | {"epochs": 1} if quick else settings))
        found[key] = our_row(heedful.load(out, threads=threads), dev)
    return found


def our_row(model: heedful.Model, dev: Sequence[Example]) -> tuple[heedful.Model, Row]:
    """Return the model and its row; raise if it has no contributions."""
    if model.explain(dev[0].text).contributions is None:
        raise RuntimeError("model.explain has no contributions: its answer is not a sum, and is not to be compared")
    begun, network = model.facts.data.get("start"), model.config.model
    name = f"from {Path(str(begun)).name}" if begun else f"{network.encoder}, {network.units} units"
    right = np.asarray(model.predict(texts_of(dev))) == np.asarray(labels_of(dev))
    row = Row(
        f"heedful, {name}, {model.facts.n_hops} hops",
        model.explain,
        lambda text: len(model.explain(text).words),
        100 * float(right.mean()),
    )
    return model, row


def removal_of(model: heedful.Model) -> Callable[[str], object]:
    """Return a function that also leaves out each word."""
    return lambda text: model.explain(text, methods="leave-one-out")


class OtherWork:
    """How much of the machine other processes take from when this is made: where it is much, the times say little."""

    def __init__(self) -> None:
        self._started, self._all, self._own = time.perf_counter(), self._busy(), time.process_time()

    @staticmethod
    def _busy() -> float:
        import psutil

        found = psutil.cpu_times()
        return float(sum(found) - found.idle - getattr(found, "iowait", 0.0))

    def cores(self) -> float:
        """Return the mean number of cores that others kept busy."""
        taken = self._busy() - self._all - (time.process_time() - self._own)
        return taken / (time.perf_counter() - self._started)


def timed(explain: Callable[[str], object], text: str) -> float:
    """Return how long it takes, in ms."""
    started = time.perf_counter()
    explain(text)
    return 1e3 * (time.perf_counter() - started)


def by_turns(rows: dict[str, Row], texts: Sequence[str], *, rounds: int) -> dict[str, Times]:
    """Return the time of every row for every text in every round; the rows take turns after each block of texts."""
    times = {key: np.zeros((rounds, len(texts))) for key in rows}
    keys = list(rows)
    for turn in range(rounds):
        for start in range(0, len(texts), BLOCK):
            block = range(start, min(start + BLOCK, len(texts)))
            for key in keys:
                rows[key].explain(texts[start])  # the threads of the one before come to rest, this one's caches fill
                times[key][turn, block] = [timed(rows[key].explain, texts[i]) for i in block]
            keys = keys[1:] + keys[:1]
        say(f"round {turn + 1} of {rounds}: " + ", ".join(f"{key} {times[key][turn].mean():.1f} ms" for key in rows))
    return times


def figures_of(row: Row, times: Times, texts: Sequence[str]) -> dict[str, Any]:
    """Return what a text takes: over texts the median and where nine in ten lie, and the mean of each round."""
    low, middle, high = np.percentile(np.median(times, axis=0), [5, 50, 95])
    return {
        "name": row.name,
        "dev_accuracy": row.accuracy,
        "parts_per_text": float(np.mean([row.parts(text) for text in texts])),
        "ms_median": float(middle),
        "ms_low": float(low),
        "ms_high": float(high),
        "ms_mean": float(times.mean()),
        "ms_mean_of_rounds": times.mean(axis=1).tolist(),
    }


def at_once(model: heedful.Model, texts: Sequence[str], *, rounds: int) -> float:
    """Return what a text takes when all are given together, in ms: the median of the rounds."""
    return float(np.median([timed(lambda _: model.explain(texts), "") for _ in range(rounds)])) / len(texts)


def ratio(rival: Times, own: Times) -> dict[str, float]:
    """Return how many times as long the rival takes for the same texts: over the rounds, and for the median text."""
    rounds = rival.mean(axis=1) / own.mean(axis=1)
    each = np.median(rival, axis=0) / np.median(own, axis=0)
    return {
        "mean": float(np.median(rounds)),
        "low": float(rounds.min()),
        "high": float(rounds.max()),
        "median_text": float(np.median(each)),
    }


def measure(cache: Path, *, threads: int, rounds: int, quick: bool) -> dict[str, Any]:
    """Return the figures of all rows, and the ratios of each rival to each of ours."""
    data = sst2()
    train, dev = (data.train[:300], data.dev[:100]) if quick else (data.train, data.dev)
    chosen = np.random.default_rng(0).permutation(len(dev))[: 10 if quick else N_TEXTS]
    texts = [dev[i].text for i in sorted(chosen)]
    models = ours(cache, dev, threads=threads, quick=quick)
    against = rivals(cache, train, dev, threads=threads)
    rows = {key: row for key, (_, row) in models.items()} | against
    for key, (model, row) in models.items():
        rows[f"{key}_removal"] = replace(row, name=f"{row.name}, leave-one-out", explain=removal_of(model))
        rows[f"{key}_predict"] = replace(row, name=f"{row.name}, answer alone", explain=model.predict_proba)
    torch.set_num_threads(threads)  # training has set its own
    say(f"measuring {len(texts)} texts, {rounds} rounds")
    others = OtherWork()
    times = by_turns(rows, texts, rounds=rounds)
    busy = others.cores()
    figures = {key: figures_of(row, times[key], texts) for key, row in rows.items()}
    for key, (model, _) in models.items():
        figures[key]["ms_all_at_once"] = at_once(model, texts, rounds=max(3, rounds))
    ratios = {own: {key: ratio(times[key], times[own]) for key in against} for own in models}
    for own in models:
        ratios[own]["predict"] = ratio(times[own], times[f"{own}_predict"])  # explaining, in predictions
        ratios[own]["removal"] = ratio(times[f"{own}_removal"], times[own])
    sizes = {"texts": len(texts), "rounds": rounds, "threads": threads, "cores_busy_with_other_work": busy}
    return sizes | {"rows": figures, "ratios": ratios}


def rival_versions() -> dict[str, str]:
    """Return the versions of what only this benchmark uses."""
    found = {}
    for name in ("captum", "transformers", "sentence-transformers", "ferret-xai"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, help="folder for what is made once: our models, the rival as ONNX")
    parser.add_argument("--threads", type=int, default=2, help="for every row")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--quick", action="store_true", help="10 texts and one epoch; writes no file")
    args = parser.parse_args()
    set_up(args.threads)
    with tempfile.TemporaryDirectory() as folder:
        cache = (args.cache or Path(folder)).absolute()
        cache.mkdir(parents=True, exist_ok=True)
        figures = measure(cache, threads=args.threads, rounds=args.rounds, quick=args.quick)
    figures |= {"skipped": {"ferret": why} if (why := why_no_ferret()) else {}, "versions": rival_versions()}
    if args.quick:
        print(json.dumps(figures, indent=1))
    else:
        write_result("explain_speed", figures, seeds=[0], notes=NOTES)


if __name__ == "__main__":
    main()
