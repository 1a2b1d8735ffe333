"""What is wrong in labelled data: opens it, and runs the check."""

from __future__ import annotations

from collections.abc import Callable

from heedful.data.columns import Columns
from heedful.data.file_form import FileForm
from heedful.data.memory import as_source
from heedful.data.table import Data
from heedful.errors import HeedfulError
from heedful.explain.check.results import Check
from heedful.jobs.check.run import MOST_ROWS, CheckRun, OnStage
from heedful.jobs.check.source import open_data
from heedful.runtime.model import Model


def check_data(
    data: Data,
    *,
    asked: Columns,
    form: FileForm | None = None,
    test: Data | None = None,
    model: Model | None = None,
    labels: bool = True,
    curve: bool = True,
    rows: int = MOST_ROWS,
    seed: int = 0,
    on_stage: OnStage = lambda *_: None,
    on_note: Callable[[str], None] = lambda _: None,
) -> Check:
    """Check data; `form` is that of its file."""
    if rows < 0:
        raise HeedfulError(f"rows is {rows}, expected 0 (all) or more")
    hints = None if model is None else Columns(model.config.data.text, model.config.data.label)
    own = open_data(as_source(data), asked, hints=hints, form=form)
    other = None
    if test is not None:
        other = open_data(as_source(test), Columns(None, None), hints=Columns(own.text, own.label), form=form)
    if model is not None:
        check_can_judge(model)
    run = CheckRun(own, other, model, rows=rows, seed=seed, on_stage=on_stage)
    run.go(labels=labels, curve=curve)
    for line in run.summaries:
        on_note(line)
    return run.result()


def check_can_judge(model: Model) -> None:
    """Raise if a model does not give a single text one label."""
    is_label = model.answer is not None and model.answer.has_one_label and not model.answer.is_number
    if not (model.input.is_text and is_label and model.n_sides == 1):
        raise HeedfulError(f"{model.path.name} {model.does}: to judge labels, a model must give each text one label")
