"""Do contributions show the words that answers depend on? Audits of four ways to train, with accuracy beside them.

    python -m benchmarks.audit                # all cells, about three hours on one core; resumes where it was stopped
    python -m benchmarks.audit --sets messages --models few --seeds 0

The recovered share is how much a method finds of what leave-one-out finds, both beyond random words, by words and on
300 unseen texts. "before" is the accuracy of heedful before contributions: the encoder's own hops, the pruned head.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np

from benchmarks.datasets import SETS as SOURCES
from benchmarks.few_labels import sample
from benchmarks.result import DATA, RESULTS, read_result, write_result
from heedful.config import Config
from heedful.data.example import Example
from heedful.data.read import read_examples
from heedful.data.samples.customer_messages import messages_path
from heedful.data.split import stratified_split
from heedful.jobs.audit import audit as audit_job
from heedful.jobs.audit.sample import AuditText
from heedful.jobs.train.train import train_model
from heedful.runtime.model import Model, load

SEEDS = (0, 1, 2)
FEW, MANY = 1_000, 6_000  # training texts
N_TEXTS = 300
GLOVE = {"vectors": str(DATA / "glove_6b_50d" / "vectors.txt.gz"), "vocab_size": 80_000}
SCRATCH: dict[str, Any] = {"start": "none", "batch_size": 32, "epochs": 8, "patience": 3, **GLOVE}
MODELS: dict[str, dict[str, Any]] = {
    "few": {"start": "en-base"},
    "tuned": {"start": "en-base", "tune": "all", "epochs": 4},
    "bilstm": SCRATCH,
    "transformer": {**SCRATCH, "encoder": "transformer", "units": 100},
}
BEFORE: dict[str, dict[str, Any]] = {
    "few": {"tune": "answer", "ngrams": 0},
    "tuned": {"ngrams": 0},
    "bilstm": {"head": "pruned", "keep_words": False},
    "transformer": {"head": "pruned", "keep_words": False},
}
NAMES = {
    "few": "from en-base, 1,000 labels",
    "tuned": "from en-base, fine-tuned",
    "bilstm": "BiLSTM from scratch",
    "transformer": "transformer from scratch",
}
SETS = ("messages", "sst2", "trec", "ag_news", "imdb")
CACHE = RESULTS / "audit.cells.jsonl"
Cell = tuple[str, str, int]


def material(name: str, model: str, seed: int) -> tuple[list[Example], list[Example], list[Example]]:
    """Return texts to learn from, to choose the epoch by, and to audit on."""
    if name == "messages":
        parts = [read_examples(messages_path(part), label="topic") for part in ("train", "dev", "test")]
        return parts[0], parts[1], parts[2]
    texts = SOURCES[name]()
    chosen = sample(texts.train, FEW if model == "few" else min(MANY, len(texts.train)), seed=seed)
    kept, held = stratified_split([e.label for e in chosen], 0.1, seed=seed)
    return [chosen[i] for i in kept], [chosen[i] for i in held], texts.dev


def measure(name: str, model: str, seed: int) -> dict[str, Any]:
    """Train as today and, unless an earlier run has done so for all seeds, as before; audit the first."""
    train, valid, unseen = material(name, model, seed)
    common: dict[str, Any] = {"seed": seed, "threads": 1, "max_tokens": 256}
    with tempfile.TemporaryDirectory() as folder:
        trained = []
        ways = [("now", MODELS[model])]
        if earlier(name, model) is None:
            ways.append(("before", MODELS[model] | BEFORE[model]))
        for key, settings in ways:
            out = Path(folder) / key
            train_model(Config().with_given(**(common | settings)), out, examples=(train, valid), checkpoints=False)
            trained.append(load(out, threads=1))
        chosen = random.Random(0).sample(unseen, min(N_TEXTS, len(unseen)))
        texts = [AuditText(e.text, e.label) for e in chosen]
        audited = audit_job.audit_texts(trained[0], texts, name=name, keep=False)
        return {
            "accuracy": accuracy(trained[0], unseen),
            "before": accuracy(trained[1], unseen) if len(trained) > 1 else None,
            "tune": trained[0].config.train.tune,
            "recovered": {method: share.mean for method, share in audited.recovered.items()},
            "comprehensiveness": {key: each.comprehensiveness.mean for key, each in audited.methods.items()},
            "level": audited.verdict.level,
            "n_texts": audited.n_texts,
        }


def accuracy(model: Model, examples: Sequence[Example]) -> float:
    """Return the share of right answers, in percent."""
    answers = model.predict([e.text for e in examples])
    return 100 * float(np.mean([answer == e.label for answer, e in zip(answers, examples, strict=True)]))


def earlier(name: str, model: str) -> dict[str, Any] | None:
    """Return the accuracy as before, if the result of an earlier run has it for all seeds."""
    row = ((read_result("audit") or {}).get("table", {}).get(model) or {}).get("sets", {}).get(name)
    return row["before"] if row and row["seeds"] == len(SEEDS) else None


def only_removal(model: Model, *, deep: bool = False) -> audit_job.Checks:
    """Return leave-one-out alone: gradients and shuffled weights are not part of this table."""
    del model, deep
    return audit_job.Checks()


def cached() -> dict[Cell, dict[str, Any]]:
    """Return the measurements of earlier runs."""
    rows = [json.loads(line) for line in CACHE.read_text().splitlines()] if CACHE.exists() else []
    return {(row["set"], row["model"], row["seed"]): row["figures"] for row in rows}


def table(cells: dict[Cell, dict[str, Any]]) -> dict[str, Any]:
    """Return mean and spread over seeds for each model and set."""
    rows: dict[str, Any] = (read_result("audit") or {}).get("table", {})  # cells of earlier runs stay
    for model in MODELS:
        for name in SETS:
            measured = [figures for (s, m, _), figures in cells.items() if (s, m) == (name, model)]
            if measured:
                row = _summary(measured, earlier(name, model))
                rows.setdefault(model, {"name": NAMES[model], "sets": {}})["sets"][name] = row
    return rows


def _summary(measured: Sequence[dict[str, Any]], before: dict[str, Any] | None) -> dict[str, Any]:
    values = {
        "accuracy": [each["accuracy"] for each in measured],
        "contributions": [each["recovered"]["contributions"] for each in measured],
        "attention": [each["recovered"]["attention"] for each in measured],
    }
    spread = {key: {"mean": mean(v), "spread": stdev(v) if len(v) > 1 else None} for key, v in values.items()}
    if before is None:
        own = [each["before"] for each in measured if each["before"] is not None]
        before = {"mean": mean(own), "spread": stdev(own) if len(own) > 1 else None}
    return {**spread, "before": before, "seeds": len(measured), "levels": [each["level"] for each in measured]}


def main() -> None:
    """Fill the cells that are missing, and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--seeds", default=",".join(map(str, SEEDS)))
    args = parser.parse_args()
    audit_job.possible_checks = only_removal
    RESULTS.mkdir(exist_ok=True)
    wanted = [
        (name, model, int(seed))
        for seed in args.seeds.split(",")
        for model in args.models.split(",")
        for name in args.sets.split(",")
    ]
    for name, model, seed in wanted:
        if (name, model, seed) in cached():
            continue
        started = time.monotonic()
        figures = measure(name, model, seed)
        with CACHE.open("a") as file:
            file.write(json.dumps({"set": name, "model": model, "seed": seed, "figures": figures}) + "\n")
        shares = ", ".join(f"{method} {100 * share:.0f} %" for method, share in figures["recovered"].items())
        before = f", before {figures['before']:.1f}" if figures["before"] is not None else ""
        print(
            f"{model:12} {name:9} seed {seed}: {figures['accuracy']:.1f}{before}, {shares}, "
            f"{time.monotonic() - started:.0f} s",
            flush=True,
        )
    write_result("audit", {"n_texts": N_TEXTS, "models": MODELS, "table": table(cached())}, seeds=list(SEEDS))


if __name__ == "__main__":
    main()
