"""Reading files of examples, for any task and input."""

from __future__ import annotations

from typing import Any

from heedful.config import Config
from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.columns import Columns
from heedful.data.example import Example
from heedful.data.read import read_labelled
from heedful.data.table import Source
from heedful.inputs import INPUTS
from heedful.lazy import imported
from heedful.tasks import answer_kind, task_of


def files_module(config: Config) -> Any:
    """Return the module that reads the files of an input or a task; None if a file is a table of inputs."""
    kind = INPUTS[config.input]
    name = task_of(config).files if kind.is_text else kind.files
    return imported(name) if name else None


def read_task_file(
    path: Source, config: Config, *, asked: Columns, hints: Columns | None = None, faults: BadRows = STRICT
) -> tuple[list[Example], Columns]:
    """Read a file of examples, and return them with the names of their columns."""
    if (module := files_module(config)) is not None:
        examples: tuple[list[Example], Columns] = module.read_task_file(
            path, config, asked=asked, hints=hints, faults=faults
        )
        return examples
    numbers = answer_kind(config) == "number"
    return read_labelled(path, asked, hints=hints, numbers=numbers, kind=config.input, faults=faults)
