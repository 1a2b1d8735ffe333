"""The checks of an audit that train again: equal weights, and other seeds."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from heedful.errors import HeedfulError
from heedful.jobs.train.train import train_model
from heedful.metrics.bootstrap import interval
from heedful.metrics.correlation import kendall
from heedful.runtime.model import Model, load
from heedful.training.history import EpochEvent, Event, Watcher

OTHER_SEEDS = 2
FIGURE = "accuracy"

Note = Callable[[str], None]


def deep_checks(model: Model, texts: Sequence[str], *, note: Note) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what came out of training again, and why a check could not be made."""
    found: dict[str, Any] = {}
    left_out: dict[str, str] = {}
    for name, check in (("uniform", uniform_check), ("seeds", seeds_check)):
        try:
            found[name] = check(model, texts, note=note)
        except HeedfulError as error:
            left_out[name] = str(error)
    return found, left_out


def uniform_check(model: Model, _: Sequence[str], *, note: Note) -> dict[str, Any]:
    """Train again with every word weighed alike: does learned attention beat that?"""
    if model.config.model.pooler == "mean":
        raise HeedfulError("the model weighs every word alike already")
    if model.config.model.head == "mapped":
        raise HeedfulError("the model begins from an encoder, whose hops are a part of it")
    learned = model.facts.figures.get(FIGURE)
    if learned is None:
        raise HeedfulError("nothing was measured when the model was trained")
    note("training again with equal weights")
    with tempfile.TemporaryDirectory() as folder:
        again = _trained(model, Path(folder) / "uniform", note, pooler="mean")
    uniform = float(again.facts.figures[FIGURE])
    return {"figure": FIGURE, "learned": float(learned), "uniform": uniform, "difference": float(learned) - uniform}


def seeds_check(model: Model, texts: Sequence[str], *, note: Note) -> dict[str, Any]:
    """Train again with other seeds: do the heatmaps stay the same?"""
    own = [one.overall for one in model.explain(list(texts), methods=())]
    agreement, figures = [], []
    for seed in range(model.config.train.seed + 1, model.config.train.seed + 1 + OTHER_SEEDS):
        note(f"training again with seed {seed}")
        with tempfile.TemporaryDirectory() as folder:
            other = _trained(model, Path(folder) / "seed", note, seed=seed)
        heat = [one.overall for one in other.explain(list(texts), methods=())]
        agreement.append([kendall(a, b) for a, b in zip(own, heat, strict=True) if len(a) == len(b) > 1])
        figures.append(float(other.facts.figures.get(FIGURE, float("nan"))))
    tau = interval(np.concatenate(agreement))
    return {
        "n": OTHER_SEEDS,
        "agreement": {"mean": tau.mean, "low": tau.low, "high": tau.high},
        FIGURE: figures,
    }


def _trained(model: Model, out: Path, note: Note, **settings: Any) -> Model:
    """Train the model's config again, with other settings."""
    data = model.config.data
    if data.train is None:
        raise HeedfulError("the model was trained from Python, on texts that are in no file")
    config = model.config.changed(**settings)
    if not Path(str(config.data.train)).is_file():
        raise HeedfulError(f"{config.data.train}, which the model was trained on, is not there")
    train_model(config, out, watcher=_epochs(note), checkpoints=False)
    return load(out)


def _epochs(note: Note) -> Watcher:
    def told(event: Event) -> None:
        if isinstance(event, EpochEvent):
            figures = ", ".join(f"{name} {value:.3f}" for name, value in event.record.figures.items())
            note(f"  epoch {event.record.epoch}: {figures}")

    return told
