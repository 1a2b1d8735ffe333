"""Vectors, answers and explanations for a `ray.data.Dataset` that is there already.

    from heedful.engines import ray as heedful_ray

    rows = ray.data.read_parquet("s3://bucket/texts/")
    heedful_ray.embed(rows, "en-base", column="text").write_parquet("s3://bucket/vectors/")

Nothing is run before the dataset is used. Each worker loads the model once. A row that cannot be answered stays, with
nothing in the columns of the answer and the reason in `heedful_fault`.
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
from heedful.runtime.model import Model, load
from heedful.tasks.pair.read import split_names

FAULT = "heedful_fault"
BATCH = 2_048  # rows: enough to sort by length into full batches


def embed(
    dataset: Any,
    model: str | Path | Model,
    *,
    column: str = "text",
    normalise: bool = False,
    width: int | None = None,
    dtype: str = "float32",
    workers: int | None = None,
    batch_size: int = BATCH,
) -> Any:
    """Return the dataset with a column `vector`, in a form that `Model.embed` takes."""
    work = Work("embed", {"normalise": normalise, "width": width, "dtype": dtype})
    return _mapped(dataset, model, work, column, workers, batch_size)


def predict(
    dataset: Any,
    model: str | Path | Model,
    *,
    column: str = "text",
    workers: int | None = None,
    batch_size: int = BATCH,
) -> Any:
    """Return the dataset with the columns of the answers: `predicted`, `probability`, … Two texts: `column="a,b"`."""
    return _mapped(dataset, model, Work("predict"), column, workers, batch_size)


def explain(
    dataset: Any,
    model: str | Path | Model,
    *,
    column: str = "text",
    methods: str | Collection[str] = ("leave-one-out",),
    label: str | None = None,
    workers: int | None = None,
    batch_size: int = BATCH,
) -> Any:
    """Return the dataset with a column `explanation`: JSON, as of `Explanation.to_dict`."""
    return _mapped(dataset, model, Work("explain", {"methods": methods, "label": label}), column, workers, batch_size)


class TableWorker:
    """A process of the pool: one model, batch after batch."""

    def __init__(self, *, files: Sequence[Any], name: str, work: Work, columns: Sequence[str]) -> None:
        ray = need("ray", feature="Running on Ray", extra="scale")
        self._model, self._work, self._columns = (
            load_files(ray.get(files[0]), name, keep=work.command == "explain"),
            work,
            columns,
        )
        self._answers = work.schema(self._model)

    def __call__(self, table: pa.Table) -> pa.Table:
        """Return the rows with their answers."""
        _check_columns(self._columns, table.column_names)
        found = answer_all(self._model, self._work, self._answers, list(sources(table, self._columns)))
        places: list[int | None] = [None] * len(table)
        for place, row in enumerate(found.positions):
            places[row] = place
        answers = found.answers.take(pa.array(places, pa.int64()))
        ours = [*answers.column_names, FAULT]
        twice = [field.name for field in table.schema if field.name in ours and is_tokens(field)]
        kept = table.drop_columns(twice)
        kept = kept.rename_columns(list(free_names(kept.column_names, ours).values()))
        for field, cells in zip(answers.schema, answers.columns, strict=True):
            kept = kept.append_column(field, cells)
        return kept.append_column(FAULT, pa.array([found.reasons.get(i) for i in range(len(table))], pa.string()))


def _check_columns(columns: Sequence[str], known: Sequence[str]) -> None:
    if missing := [name for name in columns if name not in known]:
        raise HeedfulError(f"no column {missing[0]!r}. The columns are {listed(known)}; say column=NAME")


def _mapped(
    dataset: Any, model: str | Path | Model, work: Work, column: str, workers: int | None, batch_size: int
) -> Any:
    ray = need("ray", feature="Running on Ray", extra="scale")
    data = need("ray.data", feature="Running on Ray", extra="scale")
    held = model if isinstance(model, Model) else load(model, threads=1)
    check_input(held.config, held.path.name)
    work.check(held)
    columns = split_names(column) if held.task.n_texts == 2 else [column]
    if (schema := dataset.schema(fetch_if_missing=False)) is not None:  # else the first worker finds out
        _check_columns(columns, schema.names)
    most = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
    return dataset.map_batches(
        TableWorker,
        fn_constructor_kwargs={
            "files": [ray.put(read_files(held))],
            "name": held.path.name,
            "work": work,
            "columns": columns,
        },
        batch_size=batch_size,
        batch_format="pyarrow",
        zero_copy_batch=True,
        compute=data.ActorPoolStrategy(min_size=1, max_size=most),
        num_cpus=1,
    )
