"""Files to inputs, whatever a model reads: rows of texts, of paths, of SMILES; tagged words; pairs; arrays; graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from heedful.data.bad_rows import STRICT, Faults
from heedful.data.columns import Columns
from heedful.data.example import Row
from heedful.data.read import read_texts
from heedful.data.task_files import HOMES
from heedful.errors import DataError, HeedfulError
from heedful.runtime.model import Model

Sources = Iterator[tuple[Row, Any]]
ITSELF = {"audio": (".wav", ".flac", ".ogg"), "graph": (".graphml",)}  # files that are an input, not a list of them


def is_itself(model: Model, argument: str) -> bool:
    """Return whether a file is one input, and not a list of inputs."""
    return argument.lower().endswith(ITSELF.get(model.config.input, ())) if ITSELF.get(model.config.input) else False


def read_sources(model: Model, path: str | Path, *, text: str | None = None, faults: Faults = STRICT) -> Sources:
    """Yield the inputs of a file with their rows, without answers; what cannot be read is a fault with its line."""
    config = model.config
    home = HOMES.get(config.input) or (HOMES.get(config.task) if config.input == "text" else None)
    if home is not None:
        read = cast("Callable[..., Sources]", import_module(home).read_sources)
        found = read(path, config, asked=Columns(text), faults=faults)
    else:
        found = read_texts(path, text=text, hint=config.data.text, kind=config.input, faults=faults)
    return found if config.input == "text" else _readable(model, path, found, faults)


def _readable(model: Model, path: str | Path, found: Sources, faults: Faults) -> Sources:
    """Pass on what numbers can be made of."""
    for row, source in found:
        try:
            model.featuriser.features(source)
        except DataError as error:
            faults.take(DataError(path, f"{error.path}: {error.problem}", line=row.line))
        except HeedfulError as error:
            faults.take(DataError(path, str(error), line=row.line))
        else:
            yield row, source
