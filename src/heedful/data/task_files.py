"""Files of examples, whatever the task and the input."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import cast

from heedful.config import Config
from heedful.data.bad_rows import STRICT, Faults
from heedful.data.columns import Columns
from heedful.data.example import Example
from heedful.data.read import read_labelled

Read = Callable[..., tuple[list[Example], Columns]]

# Inputs and tasks whose files are not one row for each example with one answer. Each module has `read_task_file`.
HOMES = {
    "tag": "heedful.tasks.tag.read",
    "pair": "heedful.tasks.pair.read",
    "translate": "heedful.tasks.translate.read",
    "graph": "heedful.inputs.graph.read",
    "vectors": "heedful.inputs.vectors.read",
}


def read_task_file(
    path: str | Path, config: Config, *, asked: Columns, hints: Columns | None = None, faults: Faults = STRICT
) -> tuple[list[Example], Columns]:
    """Read a file of examples, and say which columns they stood in."""
    home = HOMES.get(config.input) or (HOMES.get(config.task) if config.input == "text" else None)
    if home is not None:
        read = cast("Read", import_module(home).read_task_file)
        return read(path, config, asked=asked, hints=hints, faults=faults)
    numbers = config.task == "regress"
    return read_labelled(path, asked, hints=hints, numbers=numbers, kind=config.input, faults=faults)
