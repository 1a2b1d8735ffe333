"""Parts as a Ray dataset: a pool of workers, each with one model, takes one part after the other."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, TypeVar

import pyarrow as pa

from heedful.engines.model_files import load_files, read_files
from heedful.engines.output import Counted, Output
from heedful.engines.plan import Part, Plan
from heedful.engines.reading.paths import InputFile, first_line
from heedful.engines.reading.survey import Surveyed, survey
from heedful.engines.request import Work
from heedful.engines.run_part import Desk, run_once
from heedful.errors import HeedfulError, need
from heedful.runtime.model import Model

MOST_BLOCKS = 10_000
T = TypeVar("T")


class PartWorker:
    """A process of the pool."""

    def __init__(self, *, files: Sequence[Any], name: str, work: Work, schema: bytes, out: str, form: str) -> None:
        ray = need("ray", feature="Running on Ray", extra="scale")
        model = load_files(ray.get(files[0]), name, keep=work.command == "explain")
        columns = pa.ipc.read_schema(pa.py_buffer(schema))
        self._desk = Desk(model, work, columns, Output(out), form)

    def __call__(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Do a part, whatever happens in it."""
        part = Part.from_json(row["part"])
        try:
            found = run_once(self._desk, part)
        except Exception as error:  # a fault of ours in one part must not end the others
            found = Counted(part.name, failed=f"{type(error).__name__}: {first_line(error)}")
        return {"counted": found.to_json()}


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
) -> Iterator[Counted]:
    """Yield what came of each part, as soon as it is done. Order is of no account: a part's name is its place."""
    files = ray.put(read_files(model))  # held here for as long as workers may have to be started again
    options = {
        "files": [files],
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
        # One part at a time for each: whoever is free takes the next, and none waits behind a slow one.
        compute=ray.data.ActorPoolStrategy(size=min(workers, len(items)), max_tasks_in_flight_per_actor=1),
        num_cpus=1,
    )
    dataset.context.max_errored_blocks = -1
    for row in _named(ray, dataset.iter_rows):
        yield Counted(**json.loads(row["counted"]))


def _named(ray: ModuleType, rows: Callable[[], Iterator[T]]) -> Iterator[T]:
    """Yield rows; say in one line what keeps the workers from working."""
    try:
        yield from rows()
    except ray.exceptions.RayError as error:
        why = str(error).strip().splitlines()[-1][:300]
        raise HeedfulError(f"the workers could not go on: {why}. Is heedful[scale] installed on every node?") from None


def survey_files(ray: ModuleType, files: Sequence[InputFile], part_rows: int) -> list[Surveyed]:
    """Look at all files, one on each core."""
    look = ray.remote(num_cpus=1)(survey)
    found: list[Surveyed] = list(_named(ray, lambda: iter(ray.get([look.remote(file, part_rows) for file in files]))))
    return found
