"""`heedful.train`: from labelled data to a model."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from heedful.api.settings import Settings
from heedful.api.watching import watching
from heedful.config import Config, load_config
from heedful.data.memory import as_source
from heedful.data.table import Data, Source, Table
from heedful.data.task_files import files_module
from heedful.errors import InputError, need
from heedful.runtime.model import Model, load
from heedful.training.history import Watcher

if TYPE_CHECKING:
    from heedful.training.dataset import TrainingData


def train(
    data: Data | None = None,
    out: str | Path = "model",
    *,
    valid: Data | None = None,
    teacher: str | Path | None = None,
    config: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    progress: bool | None = None,
    watcher: Watcher | None = None,
    **settings: Unpack[Settings],
) -> Model:
    """Train a model on labelled data and return it. It is also in the folder `out`.

    Args:
        data: path of a file, (texts, labels), a list of dicts, a pandas or polars DataFrame, a pyarrow Table or a
            Hugging Face Dataset.
        out: folder of the model.
        valid: data to choose the best epoch by; by default a tenth of `data`.
        teacher: folder of a larger encoder, or of a model of the same task, to learn the task from.
        config: TOML file of settings; `settings` take precedence.
        resume: resume an interrupted training from its last checkpoint.
        overwrite: replace a model that is in the folder.
        progress: show progress on stderr; by default in a terminal and in a notebook.
        watcher: called with progress events, in place of the display.
        settings: such as `text`, `label`, `task`, `epochs` or `seed`; `heedful train --help-all` lists all.

    Returns:
        A Classifier, MultilabelClassifier, Regressor, Tagger, PairModel or Translator, by the task.

    Raises:
        DataError: if a row or a column cannot be read.
        ConfigError: if a setting is unknown or has an invalid value.
        ModelFolderError: if the folder exists and `overwrite` is not set.
        MissingExtraError: if torch is not installed.

    Example:
        >>> import heedful
        >>> model = heedful.train("reviews.csv", "stars-model", text="review", label="stars", start="none", epochs=2)
        >>> model = heedful.train((texts, labels), "stars-model", overwrite=True, start="none", units=8, epochs=2)
        >>> model.labels
        ('bad', 'good')
    """
    base = load_config(config) if config is not None else Config()
    given: dict[str, Any] = dict(settings)
    parts = {"train": data, "valid": valid}
    sources = {name: as_source(part) for name, part in parts.items() if part is not None}
    given |= {name: str(source) for name, source in sources.items() if not isinstance(source, Table)}
    if teacher is not None:
        given["teacher"] = str(teacher)
    asked = base.with_given(**given)
    need("torch", feature="Training", extra="train")
    from heedful.jobs.teach.teach import training_job

    is_table = any(isinstance(source, Table) for source in sources.values())
    material = read_tables(asked, sources) if is_table else None
    with watching(watcher, progress) as watch:
        train_model = training_job(asked)
        result = train_model(asked, Path(out), material=material, resume=resume, overwrite=overwrite, watcher=watch)
    return load(result.path or out)


def read_tables(config: Config, sources: Mapping[str, Source]) -> TrainingData:
    """Read training and validation examples of which one at least is in memory."""
    from heedful.training.dataset import read_data

    module = files_module(config)
    if module is not None and not getattr(module, "READS_TABLES", False):
        raise InputError(f"{config.input} {config.task} data comes from files: expected a path")
    return read_data(config, sources=sources)
