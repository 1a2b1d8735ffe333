"""Every task and every input on public data, trained and measured through heedful itself.

    python -m benchmarks.tasks esol              # one set; several with commas
    python -m benchmarks.tasks --list            # what there is, with aims and references
    python -m benchmarks.tasks                   # all of it, some hours on two cores; goes on where it was stopped
    python -m benchmarks.tasks multi30k_en_de --measure FOLDER   # a model that `heedful train` made by the same recipe

A row is trained with a recipe of `task_recipes.py`, which was found on dev; the epoch is chosen on dev, and the test
split is measured once, with the folder that was saved, in ONNX Runtime. Progress is that of `heedful train`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from benchmarks.result import DATA, read_result, write_result
from benchmarks.task_files import Files
from benchmarks.task_recipes import KEPT, PACKAGES, SETS, TaskSet, Variant
from heedful.cli.shared.progress import TrainingProgress
from heedful.config import Config
from heedful.data.bad_rows import BadRows
from heedful.jobs.evaluate import evaluate_file
from heedful.jobs.train.train import TrainResult, train_model
from heedful.runtime.model import load

Cell = dict[str, Any]  # one training: seed, figure, dev, epoch, minutes, left_out


def recipe(task: TaskSet, variant: Variant) -> dict[str, Any]:
    """Return what a row was made by, as it is kept beside its figures; of a path, the end that is ours."""
    settings = {"set": task.title, **task.settings, **variant.settings}
    found = {key: _without_place(value) if isinstance(value, str) else value for key, value in settings.items()}
    if variant.before is not None:
        first = Variant(variant.about, settings=variant.before.settings)
        found["before"] = recipe(task, first)
    return found


def _without_place(text: str) -> str:
    for root in (DATA, KEPT, PACKAGES):
        text = text.replace(f"{root}/", "")
    return text


def measured(task: TaskSet, name: str) -> list[Cell]:
    """Return what was measured of a row by the recipe that it has now."""
    row = (read_result("tasks") or {}).get(task.name, {}).get("rows", {}).get(name, {})
    return list(row["cells"]) if row.get("recipe") == json.loads(json.dumps(recipe(task, task.variants[name]))) else []


def run(task: TaskSet, variant: Variant, seed: int, *, threads: int = 0) -> Cell:
    """Train one model and measure it."""
    with tempfile.TemporaryDirectory() as home:
        files = (variant.files or task.files)(Path(home), seed)
        settings = {**task.settings, **variant.settings, "seed": seed, "threads": threads}
        seconds = 0.0
        if variant.before is not None:
            told = variant.before.files(Path(home), seed)
            _, seconds = _trained(told, {**settings, **variant.before.settings}, Path(home) / "before")
            settings["start"] = str(Path(home) / "before")
        result, more = _trained(files, settings, Path(home) / "model")
        assert result.best is not None
        if task.is_kept and seed == task.seeds[0]:
            shutil.copytree(Path(home) / "model", KEPT / task.name, dirs_exist_ok=True)
        faults = BadRows(skip=True)
        found = evaluate_file(load(Path(home) / "model"), files.test, faults=faults).to_dict()
        return {
            "seed": seed,
            "figure": found[task.key],
            "dev": result.best.metrics.get(task.dev_key or task.key),
            "epoch": result.best.epoch,
            "minutes": (seconds + more) / 60,
            "left_out": faults.n + (result.facts.data.get("bad_rows", 0) if result.facts else 0),
        }


def _trained(files: Files, settings: dict[str, Any], out: Path) -> tuple[TrainResult, float]:
    """Train, and return with the result the seconds of the processor: other work on the machine does not count."""
    valid = {"valid": str(files.valid)} if files.valid else {}
    started = time.process_time()
    with TrainingProgress(quiet=False) as progress:
        result = train_model(Config().with_given(train=str(files.train), **settings, **valid), out, watcher=progress)
    return result, time.process_time() - started


def measure_folder(task: TaskSet, folder: Path) -> Cell:
    """Measure a model that was trained by the first recipe of a set, which its config.toml must bear out."""
    variant = next(iter(task.variants.values()))
    model = load(folder)
    sections = [value for value in model.config.to_dict().values() if isinstance(value, dict)]
    flat = {key: value for section in sections for key, value in section.items()}
    flat |= {"task": model.config.task, "input": model.config.input}
    wrong = {k: (v, flat.get(k)) for k, v in {**task.settings, **variant.settings}.items() if flat.get(k) != v}
    if wrong:
        raise SystemExit(f"{folder} was trained otherwise (recipe, folder): {wrong}")
    with tempfile.TemporaryDirectory() as home:
        found = evaluate_file(model, task.files(Path(home), model.config.train.seed).test).to_dict()
    history = [json.loads(line) for line in (folder / "history.jsonl").read_text().splitlines()]
    best = [row for row in history if row["is_kept"]][-1]
    return {
        "seed": model.config.train.seed,
        "figure": found[task.key],
        "dev": best.get(task.dev_key or task.key),
        "epoch": best["epoch"],
        "minutes": sum(row["seconds"] for row in history) / 60,
        "left_out": 0,
    }


def keep(cell: Cell, task: TaskSet, name: str) -> None:
    """Write what was measured into the table, and say it. Rows that this run does not touch stay as they are."""
    found = read_result("tasks") or {}
    table = {}
    for one in SETS.values():
        rows = found.get(one.name, {}).get("rows", {})
        if one is task:
            cells = [other for other in measured(task, name) if other["seed"] != cell["seed"]] + [cell]
            rows[name] = _summed(sorted(cells, key=lambda other: int(other["seed"])), task, task.variants[name])
        if rows:
            shown = {"figure": one.figure, "reference": one.reference, "digits": one.digits, "title": one.title}
            named = {key: {"name": way.about, "aim": way.aim} for key, way in one.variants.items() if key in rows}
            table[one.name] = {**shown, "rows": {key: {**rows[key], **said} for key, said in named.items()}}
    write_result("tasks", table, seeds=[0, 1, 2, 3, 4], notes="command, machine and versions are of the last row")
    print(f"{task.figure} {cell['figure']:.4f} (dev {cell['dev']}) in {cell['minutes']:.1f} min", flush=True)


def measure(task: TaskSet, *, rows: set[str], again: bool, threads: int) -> None:
    """Fill the cells of one set that are missing, of all rows or some."""
    if strange := sorted(rows - task.variants.keys()):
        raise SystemExit(f"{task.name} has no row {strange[0]!r}; it has {', '.join(task.variants)}")
    for name, variant in task.variants.items():
        if rows and name not in rows:
            continue
        for seed in variant.seeds or task.seeds:
            if seed in [cell["seed"] for cell in measured(task, name)] and not again:
                continue
            print(f"== {task.name}, {name}, seed {seed}", flush=True)
            keep(run(task, variant, seed, threads=threads), task, name)


def _summed(cells: list[Cell], task: TaskSet, variant: Variant) -> dict[str, Any]:
    values = [task.scale * cell["figure"] for cell in cells]
    return {
        "mean": mean(values),
        "spread": stdev(values) if len(values) > 1 else None,
        "values": values,
        "minutes": mean(cell["minutes"] for cell in cells),
        "left_out": max(cell["left_out"] for cell in cells),
        "recipe": recipe(task, variant),
        "cells": cells,
    }


def main() -> None:
    """Measure what is asked for, and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="?", default=",".join(SETS), help="which sets, with commas")
    parser.add_argument("--rows", default="", help="which rows of these sets, with commas, as --list has them")
    parser.add_argument("--list", action="store_true", help="say what there is")
    parser.add_argument("--again", action="store_true", help="measure again what was measured before")
    parser.add_argument("--threads", type=int, default=0, help="threads to train with")
    parser.add_argument("--measure", metavar="FOLDER", help="measure this model instead of training one")
    args = parser.parse_args()
    if args.list:
        for task in SETS.values():
            print(f"{task.name:12} {task.title}: {task.figure}; {', '.join(task.variants)}; {task.reference}")
        return
    for name in args.sets.split(","):
        if args.measure:
            task = SETS[name]
            keep(measure_folder(task, Path(args.measure)), task, next(iter(task.variants)))
        else:
            measure(SETS[name], rows=set(filter(None, args.rows.split(","))), again=args.again, threads=args.threads)


if __name__ == "__main__":
    main()
