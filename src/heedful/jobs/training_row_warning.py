"""A warning where a model is tested on rows that it was trained on."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from heedful.runtime.model import Model
from heedful.store.training_rows import TrainedOn


def seen_warning(model: Model, inputs: Iterable[Any], path: str | Path) -> str | None:
    """Return what to say of a file whose rows the model has seen in training; None where there is nothing to say."""
    if model.facts.trained_on is None:
        return None
    found = TrainedOn.from_dict(model.facts.trained_on).overlap(inputs)
    if not found.seen:
        return None
    about = "about " if found.is_estimate else ""
    if found.seen >= found.rows and not found.is_estimate:
        what = f"all {found.rows:,} rows were in the training data"
    else:
        what = f"{about}{found.seen:,} of {found.rows:,} rows were in the training data"
    return f"warning: {path}: {what}. The result is too good for these; test on rows that the model has not seen."
