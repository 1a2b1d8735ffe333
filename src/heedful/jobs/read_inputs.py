"""Reading the inputs of a model from files: texts, paths, SMILES, tagged words, pairs, arrays or graphs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.columns import Columns
from heedful.data.example import Row
from heedful.data.features import Featurised
from heedful.data.read import read_texts
from heedful.data.table import Source
from heedful.data.task_files import files_module
from heedful.errors import DataError, HeedfulError
from heedful.runtime.model import Model

Sources = Iterator[tuple[Row, Any]]


def is_itself(model: Model, argument: str) -> bool:
    """Return whether a file is a single input, not a list of inputs."""
    return bool(model.input.endings) and argument.lower().endswith(model.input.endings)


def read_sources(model: Model, path: Source, *, text: str | None = None, faults: BadRows = STRICT) -> Sources:
    """Yield the inputs of a file with their rows, without answers; a row that cannot be read is a fault."""
    config = model.config
    if (module := files_module(config)) is not None:
        sources: Sources = module.read_sources(path, config, asked=Columns(text), faults=faults)
    else:
        sources = read_texts(path, text=text, hint=config.data.text, kind=config.input, faults=faults)
    return sources if model.input.is_text else _featurised(model, path, sources, faults)


def _featurised(model: Model, path: Source, sources: Sources, faults: BadRows) -> Sources:
    """Yield each input with its features."""
    for row, source in sources:
        try:
            yield row, Featurised(source, model.featuriser.features(source))
        except DataError as error:
            faults.take(DataError(path, f"{error.path}: {error.problem}", line=row.line))
        except HeedfulError as error:
            faults.take(DataError(path, str(error), line=row.line))
