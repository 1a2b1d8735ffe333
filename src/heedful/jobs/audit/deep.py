"""The checks of an audit that retrain the model: uniform attention and other seeds."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import Explanation
from heedful.jobs.train.train import train_model
from heedful.metrics.bootstrap import interval
from heedful.metrics.correlation import kendall
from heedful.runtime.model import Model, load
from heedful.training.history import EpochEvent, Event, Watcher

OTHER_SEEDS = 2
FIGURE = "accuracy"

Note = Callable[[str], None]


def deep_checks(model: Model, texts: Sequence[str], *, on_note: Note) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the results of the checks that retrain, and the reasons why others were left out."""
    results: dict[str, Any] = {}
    left_out: dict[str, str] = {}
    for name, check in (("uniform", uniform_check), ("seeds", seeds_check)):
        try:
            results[name] = check(model, texts, on_note=on_note)
        except HeedfulError as error:
            left_out[name] = str(error)
    return results, left_out


def uniform_check(model: Model, _: Sequence[str], *, on_note: Note) -> dict[str, Any]:
    """Retrain with uniform attention: does learned attention beat it?"""
    if model.config.model.pooler == "mean":
        raise HeedfulError("the model's attention is uniform already")
    if model.config.model.head == "mapped":
        raise HeedfulError("the model starts from an encoder, and the encoder's hops are part of it")
    learned = model.facts.metrics.get(FIGURE)
    if learned is None:
        raise HeedfulError("nothing was measured when the model was trained")
    on_note("retraining with uniform attention")
    with tempfile.TemporaryDirectory() as folder:
        again = _trained(model, Path(folder) / "uniform", on_note, pooler="mean")
    uniform = float(again.facts.metrics[FIGURE])
    return {"figure": FIGURE, "learned": float(learned), "uniform": uniform, "difference": float(learned) - uniform}


def seeds_check(model: Model, texts: Sequence[str], *, on_note: Note) -> dict[str, Any]:
    """Retrain with other seeds: do the heatmaps stay the same?"""
    own = [_shown(explanation) for explanation in model.explain(list(texts), methods=())]
    agreement, figures = [], []
    for seed in range(model.config.train.seed + 1, model.config.train.seed + 1 + OTHER_SEEDS):
        on_note(f"retraining with seed {seed}")
        with tempfile.TemporaryDirectory() as folder:
            other = _trained(model, Path(folder) / "seed", on_note, seed=seed)
        heat = [_shown(explanation) for explanation in other.explain(list(texts), methods=())]
        agreement.append([kendall(a, b) for a, b in zip(own, heat, strict=True) if len(a) == len(b) > 1])
        figures.append(float(other.facts.metrics.get(FIGURE, float("nan"))))
    tau = interval(np.concatenate(agreement))
    return {
        "n": OTHER_SEEDS,
        "agreement": {"mean": tau.mean, "low": tau.low, "high": tau.high},
        FIGURE: figures,
    }


def _shown(explanation: Explanation) -> NDArray[np.floating]:
    """Return the numbers of a heatmap: contributions, or weights if there are none."""
    contributions = explanation.contributions_to()
    return explanation.overall if contributions is None else contributions


def _trained(model: Model, out: Path, note: Note, **settings: Any) -> Model:
    """Retrain with the model's config, some settings changed."""
    data = model.config.data
    if data.train is None:
        raise HeedfulError("the model was trained from Python, on texts that are not in a file")
    config = model.config.changed(**settings)
    if not Path(str(config.data.train)).is_file():
        raise HeedfulError(f"{config.data.train}, the training data, does not exist")
    train_model(config, out, watcher=_epochs(note), checkpoints=False)
    return load(out)


def _epochs(note: Note) -> Watcher:
    def note_epoch(event: Event) -> None:
        match event:
            case EpochEvent(record):
                metrics = ", ".join(f"{name} {value:.3f}" for name, value in record.metrics.items())
                note(f"  epoch {record.epoch}: {metrics}")

    return note_epoch
