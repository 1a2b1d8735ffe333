"""`heedful.check`: what is wrong in labelled data."""

from __future__ import annotations

from pathlib import Path

from heedful.cli.shared.stage_progress import StageProgress, is_watched
from heedful.data.columns import Columns
from heedful.data.table import Data
from heedful.explain.check.results import Check
from heedful.jobs.check.check import check_data
from heedful.jobs.check.run import MOST_ROWS
from heedful.runtime.model import Model, as_model


def check(
    data: Data,
    *,
    text: str | None = None,
    label: str | None = None,
    test: Data | None = None,
    model: str | Path | Model | None = None,
    labels: bool = True,
    curve: bool = True,
    rows: int = MOST_ROWS,
    seed: int = 0,
    progress: bool | None = None,
) -> Check:
    """Check labelled data for wrong labels, duplicates, leaks, shortcuts and faulty rows.

    Nothing is changed. Ctrl-C ends the check with what is known by then.

    Args:
        data: path of a file, (texts, labels), a list of dicts, a DataFrame, an Arrow table or a dataset.
        text: name of the text column.
        label: name of the label column.
        test: data whose texts should not be among those of `data`.
        model: a trained model that judges the labels if it was not trained on these rows.
        labels: judge labels; without it, only rows, columns and duplicates are checked.
        curve: measure what more data would bring.
        rows: most rows whose labels are judged, a random sample of the data; 0 for all.
        seed: random seed.
        progress: show progress on stderr; by default in a terminal and in a notebook.

    Returns:
        A Check. Printed, it is a summary; `to_html` is a page.

    Raises:
        DataError: if a column does not exist or the file cannot be read.
        HeedfulError: if the model does not give texts one label.

    Example:
        >>> import heedful
        >>> heedful.check("reviews.csv", text="review", label="stars", labels=False).n_rows
        40
    """
    show = is_watched() if progress is None else progress
    with StageProgress(quiet=not show) as on_stage:
        return check_data(
            data,
            asked=Columns(text, label),
            test=test,
            model=None if model is None else as_model(model),
            labels=labels,
            curve=curve,
            rows=rows,
            seed=seed,
            on_stage=on_stage,
        )
