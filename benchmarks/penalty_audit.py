"""Does the penalty make heatmaps more faithful? Audits of the paper's model with and without it, and of mean pooling.

    python -m benchmarks.penalty_audit      # all cells, about an hour on two cores; resumes where it was stopped
    python -m benchmarks.penalty_audit --sets messages --seeds 0

Each cell trains a BiLSTM network from nothing on all training texts (IMDB: a part), keeps the best epoch by a part of
them held back, and audits it with `heedful.jobs.audit.audit` on texts that it has not seen.
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

from benchmarks.datasets import SETS as SOURCES
from benchmarks.result import DATA, RESULTS, write_result
from heedful.config import Config
from heedful.data.example import Example
from heedful.data.read import read_examples
from heedful.data.samples.customer_messages import messages_path
from heedful.data.split import stratified_split
from heedful.explain.audit.audit import Audit
from heedful.jobs.audit.audit import audit_texts
from heedful.jobs.audit.sample import AuditText
from heedful.jobs.train.train import train_model
from heedful.runtime.model import load

SEEDS = (0, 1, 2)
COMMON: dict[str, Any] = {
    "start": "none",
    "head": "pruned",
    "units": 100,
    "attention_width": 150,
    "batch_size": 32,
    "patience": 3,
}
MODELS: dict[str, dict[str, Any]] = {
    "without": {"penalty": 0.0},
    "with": {},  # the default, 0.01
    "paper": {"penalty": 1.0},
    "mean": {"pooler": "mean", "head": "full"},
}
NAMES = {
    "without": "structured attention, no penalty",
    "with": "structured attention, penalty 0.01 (default)",
    "paper": "structured attention, penalty 1 (the paper's)",
    "mean": "mean pooling",
}
SETS: dict[str, dict[str, Any]] = {
    "messages": {"texts": 300, "settings": {"epochs": 20, "patience": 6}},
    "sst2": {"texts": 300, "settings": {"epochs": 8, "vectors": "glove", "vocab_size": 80_000}},
    "imdb": {
        "texts": 100,
        "train": 3000,
        "settings": {"epochs": 4, "vectors": "glove", "vocab_size": 80_000, "max_tokens": 200},
    },
}
CACHE = RESULTS / "penalty_audit.cells.jsonl"
Cell = tuple[str, str, int]


def material(name: str) -> tuple[list[Example], list[Example], list[Example]]:
    """Return texts to learn from, to choose the epoch by, and to audit on."""
    if name == "messages":
        parts = [read_examples(messages_path(part), label="topic") for part in ("train", "dev", "test")]
        return parts[0], parts[1], parts[2]
    texts = SOURCES[name]()
    given = texts.train[: SETS[name].get("train")]
    kept, held = stratified_split([e.label for e in given], 0.1, seed=0)
    return [given[i] for i in kept], [given[i] for i in held], texts.dev


def measure(name: str, model: str, seed: int) -> dict[str, Any]:
    """Train one network and audit it."""
    plan = SETS[name]
    settings = COMMON | plan["settings"] | MODELS[model] | {"seed": seed}
    if settings.get("vectors") == "glove":
        settings["vectors"] = str(DATA / "glove_6b_50d" / "vectors.txt.gz")
    train, valid, unseen = material(name)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / f"{name}-{model}"
        train_model(Config().changed(**settings), out, examples=(train, valid), checkpoints=False)
        chosen = random.Random(0).sample(unseen, min(plan["texts"], len(unseen)))
        texts = [AuditText(e.text, e.label) for e in chosen]
        return figures_of(audit_texts(load(out), texts, name=name, keep=False))


def figures_of(found: Audit) -> dict[str, Any]:
    """Return what the table is made from."""
    return {
        "accuracy": found.accuracy,
        "level": found.verdict.level,
        "methods": {
            method: {"comprehensiveness": one.comprehensiveness.mean, "sufficiency": one.sufficiency.mean}
            for method, one in found.methods.items()
        },
        "needed_beyond_chance": [getattr(found.methods["attention"].needed_beyond_chance, k) for k in ("low", "high")],
        "permutation": found.permutation.mean if found.permutation else None,
        "agreement": {pair: tau.mean for pair, tau in found.agreement.items()},
        "entropy": mean(found.hops.entropy),
        "overlap": found.hops.mean_overlap,
        "n_texts": found.n_texts,
    }


def cached() -> dict[Cell, dict[str, Any]]:
    """Return what earlier runs measured."""
    rows = [json.loads(line) for line in CACHE.read_text().splitlines()] if CACHE.exists() else []
    return {(row["set"], row["model"], row["seed"]): row["figures"] for row in rows}


def table(cells: dict[Cell, dict[str, Any]]) -> dict[str, Any]:
    """Return mean and spread over seeds for each set and model."""
    found: dict[str, Any] = {}
    for name in SETS:
        for model in MODELS:
            rows = [figures for (s, m, _), figures in cells.items() if (s, m) == (name, model)]
            if rows:
                found.setdefault(name, {})[model] = {"name": NAMES[model], **_summed(rows)}
    return found


def _summed(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    flat = {
        "accuracy": [row["accuracy"] for row in rows],
        "permutation": [row["permutation"] for row in rows],
        "entropy": [row["entropy"] for row in rows],
        "overlap": [row["overlap"] for row in rows if row["overlap"] is not None],
        "agreement": [row["agreement"]["attention, leave-one-out"] for row in rows],
    }
    for method in rows[0]["methods"]:
        for side in ("comprehensiveness", "sufficiency"):
            flat[f"{method} {side}"] = [row["methods"][method][side] for row in rows]
    return {key: _spread(values) for key, values in flat.items() if values} | {"levels": [row["level"] for row in rows]}


def _spread(values: Sequence[float]) -> dict[str, Any]:
    return {"mean": mean(values), "spread": stdev(values) if len(values) > 1 else None}


def main() -> None:
    """Fill the cells that are missing, and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--seeds", default=",".join(map(str, SEEDS)))
    args = parser.parse_args()
    RESULTS.mkdir(exist_ok=True)
    wanted = [
        (s, m, int(seed))
        for s in args.sets.split(",")
        for seed in args.seeds.split(",")
        for m in args.models.split(",")
    ]
    for name, model, seed in wanted:
        if (name, model, seed) in cached():
            continue
        started = time.monotonic()
        figures = measure(name, model, seed)
        with CACHE.open("a") as file:
            file.write(json.dumps({"set": name, "model": model, "seed": seed, "figures": figures}) + "\n")
        print(f"{name:9} {model:8} seed {seed}  {figures['level']:10} {time.monotonic() - started:.0f} s", flush=True)
    write_result("penalty_audit", {"settings": COMMON, "sets": SETS, "table": table(cached())}, seeds=list(SEEDS))


if __name__ == "__main__":
    main()
