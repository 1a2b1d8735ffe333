"""Execution of parts as a Ray dataset by a pool of workers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, TypeVar

import pyarrow as pa

from heedful.engines.model_files import load_files, read_files
from heedful.engines.output import Output, PartResult
from heedful.engines.plan import Part, Plan
from heedful.engines.reading.paths import InputFile, first_line
from heedful.engines.reading.survey import Survey, survey
from heedful.engines.request import Work
from heedful.engines.run_part import PartContext, run_once
from heedful.errors import HeedfulError, need
from heedful.runtime.model import Model

MOST_BLOCKS = 10_000
T = TypeVar("T")


class PartWorker:
    """A worker of the pool, with one model."""

    def __init__(self, *, files: Sequence[Any], name: str, work: Work, schema: bytes, out: str, form: str) -> None:
        ray = need("ray", feature="Running on Ray", extra="scale")
        model = load_files(ray.get(files[0]), name, keep=work.command == "explain")
        columns = pa.ipc.read_schema(pa.py_buffer(schema))
        self._context = PartContext(model, work, columns, Output(out), form)

    def __call__(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Run a part and return its result, even if it fails."""
        part = Part.from_json(row["part"])
        try:
            result = run_once(self._context, part)
        except Exception as error:  # a bug in one part must not end the others
            result = PartResult(part.name, failed=f"{type(error).__name__}: {first_line(error)}")
        return {"result": result.to_json()}


def run_parts(
    ray: ModuleType,
    workers: int,
    parts: Sequence[Part],
    *,
    model: Model,
    work: Work,
    plan: Plan,
    out: Output,
    form: str,
) -> Iterator[PartResult]:
    """Yield the result of each part as soon as it is done, in any order."""
    model_files = ray.put(read_files(model))  # kept alive for workers that are restarted
    options = {
        "files": [model_files],
        "name": model.path.name,
        "work": work,
        "schema": plan.schema.serialize().to_pybytes(),
        "out": out.place,
        "form": form,
    }
    items = [{"part": part.to_json()} for part in parts]
    dataset = ray.data.from_items(items, override_num_blocks=min(len(items), MOST_BLOCKS)).map(
        PartWorker,
        fn_constructor_kwargs=options,
        # One part at a time per worker, so that none waits behind a slow one.
        compute=ray.data.ActorPoolStrategy(size=min(workers, len(items)), max_tasks_in_flight_per_actor=1),
        num_cpus=1,
    )
    dataset.context.max_errored_blocks = -1
    for row in _named(ray, dataset.iter_rows):
        yield PartResult(**json.loads(row["result"]))


def _named(ray: ModuleType, rows: Callable[[], Iterator[T]]) -> Iterator[T]:
    """Yield rows; turn Ray's errors into a one-line message."""
    try:
        yield from rows()
    except ray.exceptions.RayError as error:
        reason = str(error).strip().splitlines()[-1][:300]
        raise HeedfulError(f"the workers failed: {reason}. Is heedful[scale] installed on every node?") from None


def survey_files(ray: ModuleType, files: Sequence[InputFile], part_rows: int) -> list[Survey]:
    """Survey all files in parallel."""
    remote_survey = ray.remote(num_cpus=1)(survey)
    surveys: list[Survey] = list(
        _named(ray, lambda: iter(ray.get([remote_survey.remote(file, part_rows) for file in files])))
    )
    return surveys
