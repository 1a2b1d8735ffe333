"""Vectors, predictions and explanations for an existing `ray.data.Dataset`.

    from heedful.engines import ray as heedful_ray

    rows = ray.data.read_parquet("s3://bucket/texts/")
    heedful_ray.embed(rows, "en-base", column="text").write_parquet("s3://bucket/vectors/")

Execution is lazy. Each worker loads the model once. A row that cannot be processed is kept, with nulls in the columns
of the prediction and the reason in `heedful_fault`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from heedful.data.renamed_columns import free_names
from heedful.engines.model_files import load_files, read_files
from heedful.engines.reading.columns import check_input, is_tokens
from heedful.engines.request import Work, answer_all
from heedful.engines.run_part import sources
from heedful.errors import HeedfulError, listed, need
from heedful.runtime.deprecated import old_spelling
from heedful.runtime.model import Model, as_model
from heedful.tasks.pair.read import split_names

FAULT = "heedful_fault"
BATCH = 2_048  # rows: enough to sort by length into full batches


def embed(
    dataset: Any,
    model: str | Path | Model,
    *,
    column: str = "text",
    normalize: bool = False,
    width: int | None = None,
    dtype: str = "float32",
    workers: int | None = None,
    batch_size: int = BATCH,
    normalise: bool | None = None,
) -> Any:
    """Return the dataset with a column `vector`; options as for `Model.embed`."""
    normalize = old_spelling(normalise, normalize)
    work = Work("embed", {"normalize": normalize, "width": width, "dtype": dtype})
    return _mapped(dataset, model, work, column, workers, batch_size)


def predict(
    dataset: Any,
    model: str | Path | Model,
    *,
    column: str = "text",
    workers: int | None = None,
    batch_size: int = BATCH,
) -> Any:
    """Return the dataset with the columns `predicted`, `probability`, … For pairs: `column="a,b"`."""
    return _mapped(dataset, model, Work("predict"), column, workers, batch_size)


def explain(
    dataset: Any,
    model: str | Path | Model,
    *,
    column: str = "text",
    methods: str | Collection[str] | None = None,
    label: str | None = None,
    workers: int | None = None,
    batch_size: int = BATCH,
) -> Any:
    """Return the dataset with a column `explanation`: the JSON of `Explanation.to_dict`."""
    return _mapped(dataset, model, Work("explain", {"methods": methods, "label": label}), column, workers, batch_size)


class TableWorker:
    """A worker of the pool, with one model."""

    def __init__(self, *, files: Sequence[Any], name: str, work: Work, columns: Sequence[str]) -> None:
        ray = need("ray", feature="Running on Ray", extra="scale")
        self._model, self._work, self._columns = (
            load_files(ray.get(files[0]), name, keep=work.command == "explain"),
            work,
            columns,
        )
        self._answers = work.schema(self._model)

    def __call__(self, table: pa.Table) -> pa.Table:
        """Return the rows with their predictions."""
        _check_columns(self._columns, table.column_names)
        batch = answer_all(self._model, self._work, self._answers, list(sources(table, self._columns)))
        indices: list[int | None] = [None] * len(table)
        for index, row in enumerate(batch.positions):
            indices[row] = index
        answers = batch.answers.take(pa.array(indices, pa.int64()))
        ours = [*answers.column_names, FAULT]
        duplicate_tokens = [field.name for field in table.schema if field.name in ours and is_tokens(field)]
        output = table.drop_columns(duplicate_tokens)
        output = output.rename_columns(list(free_names(output.column_names, ours).values()))
        for field, cells in zip(answers.schema, answers.columns, strict=True):
            output = output.append_column(field, cells)
        return output.append_column(FAULT, pa.array([batch.reasons.get(i) for i in range(len(table))], pa.string()))


def _check_columns(columns: Sequence[str], known: Sequence[str]) -> None:
    if missing := [name for name in columns if name not in known]:
        raise HeedfulError(f"no column {missing[0]!r}. The columns are {listed(known)}; pass column=NAME")


def _mapped(
    dataset: Any, model: str | Path | Model, work: Work, column: str, workers: int | None, batch_size: int
) -> Any:
    ray = need("ray", feature="Running on Ray", extra="scale")
    data = need("ray.data", feature="Running on Ray", extra="scale")
    loaded = as_model(model, threads=1)
    check_input(loaded.config, loaded.path.name)
    work.check(loaded)
    columns = split_names(column) if loaded.task.n_texts == 2 else [column]
    if (schema := dataset.schema(fetch_if_missing=False)) is not None:  # else the first worker checks
        _check_columns(columns, schema.names)
    max_workers = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
    return dataset.map_batches(
        TableWorker,
        fn_constructor_kwargs={
            "files": [ray.put(read_files(loaded))],
            "name": loaded.path.name,
            "work": work,
            "columns": columns,
        },
        batch_size=batch_size,
        batch_format="pyarrow",
        zero_copy_batch=True,
        compute=data.ActorPoolStrategy(min_size=1, max_size=max_workers),
        num_cpus=1,
    )
