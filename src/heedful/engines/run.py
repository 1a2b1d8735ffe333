"""A run over many files: make or resume the plan, run the unfinished parts, and summarise."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from heedful.engines.cluster import joined
from heedful.engines.model_files import digest, read_files
from heedful.engines.output import FOLDERS, PLAN, Output, PartResult
from heedful.engines.part_writer import FORMS
from heedful.engines.plan import Plan, PlannedFile
from heedful.engines.progress import Progress, ProgressClock
from heedful.engines.ray_parts import run_parts, survey_files
from heedful.engines.reading.columns import check_input, sources_of
from heedful.engines.reading.columns import joined as joined_columns
from heedful.engines.reading.paths import InputFile, list_files
from heedful.engines.reading.survey import Survey
from heedful.engines.request import Work
from heedful.engines.summary import Summary, summed
from heedful.errors import HeedfulError
from heedful.runtime.model import Model

PART_ROWS = 20_000


@dataclass(frozen=True)
class Request:
    """The settings of a run."""

    work: Work
    inputs: Sequence[str]
    out: str
    form: str = "parquet"
    text: str | None = None
    part_rows: int = PART_ROWS
    workers: int | None = None
    address: str | None = None
    overwrite: bool = False

    def check(self) -> None:
        """Raise if a setting is invalid."""
        for name, value in (("part_rows", self.part_rows), ("workers", self.workers)):
            if value is not None and value < 1:
                raise HeedfulError(f"{name} is {value}, expected at least 1")
        if self.form not in FORMS:
            raise HeedfulError(f"form is {self.form!r}, expected one of {', '.join(FORMS)}")
        if self.form == "csv" and self.work.command == "embed":
            raise HeedfulError("vectors cannot be written as csv. Set form to parquet or jsonl")


def run(request: Request, model: Model, *, on_progress: Callable[[Progress], None] = lambda _: None) -> Summary:
    """Run all parts that are not done yet."""
    request.check()
    check_input(model.config, model.path.name)
    request.work.check(model)
    started = time.monotonic()
    out = Output(request.out)
    settings = settings_of(request, model)
    files = [file for file in list_files(request.inputs) if not out.holds(file.place)]
    kept = _kept_plan(request, settings, files, out)
    done = out.done(request.form) if kept is not None else {}
    if kept is not None and len(done) == len(kept.cuts):
        return summed(request.out, kept, done, {}, started)
    with joined(request.address, request.workers) as (ray, workers):
        plan = kept or new_plan(settings, files, survey_files(ray, files, request.part_rows), model, request.text)
        _prepare(out, None if kept else plan)
        parts = [part for part in plan.parts if part.name not in done]
        new_results: dict[str, PartResult] = {}
        clock = ProgressClock(len(plan.cuts), len(done), {part.name: part.cut.rows for part in parts}, on_progress)
        if parts:
            results = run_parts(
                ray, workers, parts, model=model, work=request.work, plan=plan, out=out, form=request.form
            )
            for result in results:
                new_results[result.name] = result
                clock.tick(result)
    out.sweep()
    return summed(request.out, plan, done, new_results, started)


def _prepare(out: Output, fresh: Plan | None) -> None:
    """Prepare the folder. The files of an earlier run are removed only now, after all checks."""
    if fresh is not None:
        out.clear()
    out.prepare()
    out.reset_attempts()
    if fresh is not None:
        out.write_text(PLAN, fresh.to_json())


def settings_of(request: Request, model: Model) -> dict[str, Any]:
    """Return the settings that the output depends on."""
    work = request.work
    given = {name: value for name, value in work.options.items() if value is not None}
    return {
        "command": work.command,
        "model": f"{model.path.name} {digest(read_files(model), work.command)}",
        **{name: ",".join(value) if isinstance(value, tuple) else value for name, value in given.items()},
        "form": request.form,
        "text": request.text,
        "part_rows": request.part_rows,
    }


def _kept_plan(request: Request, settings: Mapping[str, Any], files: Sequence[InputFile], out: Output) -> Plan | None:
    """Return the plan of an earlier run to resume, if there is one."""
    out.check_folder()
    text = out.read_text(PLAN)
    if text is None:
        if foreign := [name for name in out.names() if not name.startswith(".") and name not in FOLDERS]:
            raise HeedfulError(
                f"{request.out} already exists and contains other files ({foreign[0]}). Choose another output folder"
            )
        return None
    if not files:
        raise HeedfulError(f"all input files are in the output folder {request.out}. Choose another output folder")
    if request.overwrite:
        return None
    plan = Plan.from_json(text, f"{request.out}/{PLAN}")
    plan.check_same(settings, files, request.out)
    return plan


def new_plan(
    settings: Mapping[str, Any], files: Sequence[InputFile], surveys: Sequence[Survey], model: Model, text: str | None
) -> Plan:
    """Return the plan for all files, or raise if a file has an error that the user must fix first."""
    if errors := [surveyed.wrong for surveyed in surveys if surveyed.wrong]:
        more = f" (and {len(errors) - 1} more files)" if len(errors) > 1 else ""
        raise HeedfulError(errors[0] + more)
    non_empty = [i for i, surveyed in enumerate(surveys) if surveyed.cuts]
    sources = {i: sources_of(files[i], surveys[i].schema, model.config, text) for i in non_empty}
    schema = joined_columns(
        [files[i] for i in non_empty], [surveys[i].schema for i in non_empty], [sources[i] for i in non_empty]
    )
    planned = tuple(
        PlannedFile(
            file.name, file.place, file.size, file.changed,
            sources=sources.get(i, ()),
            columns=tuple(surveyed.schema.names) if surveyed.header and surveyed.schema is not None else (),
            fault=surveyed.fault,
        )
        for i, (file, surveyed) in enumerate(zip(files, surveys, strict=True))
    )  # fmt: skip
    return Plan(settings, planned, tuple((i, cut) for i in non_empty for cut in surveys[i].cuts), schema)
