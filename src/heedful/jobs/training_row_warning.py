"""A warning about test rows that were in the training data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from heedful.data.table import Source
from heedful.runtime.model import Model
from heedful.store.training_rows import TrainedOn


def seen_warning(model: Model, inputs: Iterable[Any], path: Source) -> str | None:
    """Return a warning if rows of a file were in the training data, else None."""
    if model.facts.trained_on is None:
        return None
    overlap = TrainedOn.from_dict(model.facts.trained_on).overlap(inputs)
    if not overlap.seen:
        return None
    about = "about " if overlap.is_estimate else ""
    if overlap.seen >= overlap.rows and not overlap.is_estimate:
        what = f"all {overlap.rows:,} rows were in the training data"
    else:
        what = f"{about}{overlap.seen:,} of {overlap.rows:,} rows were in the training data"
    return f"warning: {path}: {what}. The metrics are too optimistic; test on rows that the model has not seen."
