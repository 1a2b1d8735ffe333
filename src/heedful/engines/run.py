"""A command over many files: a plan, the parts that are not done yet, and a sum at the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from heedful.engines.cluster import joined
from heedful.engines.model_files import digest, read_files
from heedful.engines.output import FOLDERS, PLAN, Counted, Output
from heedful.engines.part_writer import FORMS
from heedful.engines.plan import Plan, PlannedFile
from heedful.engines.progress import Clock, Progress
from heedful.engines.ray_parts import run_parts, survey_files
from heedful.engines.reading.columns import check_input, sources_of
from heedful.engines.reading.columns import joined as joined_columns
from heedful.engines.reading.paths import InputFile, list_files
from heedful.engines.reading.survey import Surveyed
from heedful.engines.request import Work
from heedful.engines.summary import Summary, summed
from heedful.errors import HeedfulError
from heedful.runtime.model import Model

PART_ROWS = 20_000


@dataclass(frozen=True)
class Request:
    """What is asked for."""

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
        """Raise where a number makes no sense."""
        for name, value in (("part_rows", self.part_rows), ("workers", self.workers)):
            if value is not None and value < 1:
                raise HeedfulError(f"{name} is {value}, expected at least 1")
        if self.form not in FORMS:
            raise HeedfulError(f"form is {self.form!r}, expected one of {', '.join(FORMS)}")
        if self.form == "csv" and self.work.command == "embed":
            raise HeedfulError("vectors do not go into csv. Say --form parquet or --form jsonl")


def run(request: Request, model: Model, *, told: Callable[[Progress], None] = lambda _: None) -> Summary:
    """Do all parts that are not done yet."""
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
        now: dict[str, Counted] = {}
        clock = Clock(len(plan.cuts), len(done), {part.name: part.cut.rows for part in parts}, told)
        if parts:
            of_ray = run_parts(
                ray, workers, parts, model=model, work=request.work, plan=plan, out=out, form=request.form
            )
            for counted in of_ray:
                now[counted.name] = counted
                clock.tick(counted)
    out.sweep()
    return summed(request.out, plan, done, now, started)


def _prepare(out: Output, fresh: Plan | None) -> None:
    """Make room for the parts. An earlier run goes only now, when nothing is left that could be wrong with this one."""
    if fresh is not None:
        out.clear()
    out.prepare()
    out.forget_tries()
    if fresh is not None:
        out.write_text(PLAN, fresh.to_json())


def settings_of(request: Request, model: Model) -> dict[str, Any]:
    """Return what the answers, and the parts they stand in, depend on."""
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
    """Return the plan of an earlier run that this one goes on with, if there is one."""
    out.check_folder()
    text = out.read_text(PLAN)
    if text is None:
        if strange := [name for name in out.names() if not name.startswith(".") and name not in FOLDERS]:
            raise HeedfulError(
                f"{request.out} is there and was not made by this command ({strange[0]}). Choose another -o"
            )
        return None
    if not files:
        raise HeedfulError(f"all files to read lie in {request.out}, where the output goes. Choose another -o")
    if request.overwrite:
        return None
    plan = Plan.from_json(text, f"{request.out}/{PLAN}")
    plan.check_same(settings, files, request.out)
    return plan


def new_plan(
    settings: Mapping[str, Any], files: Sequence[InputFile], found: Sequence[Surveyed], model: Model, text: str | None
) -> Plan:
    """Return the parts of all files, or say what must be mended before any work is done."""
    if wrong := [one.wrong for one in found if one.wrong]:
        more = f" (and {len(wrong) - 1} files more)" if len(wrong) > 1 else ""
        raise HeedfulError(wrong[0] + more)
    full = [i for i, one in enumerate(found) if one.cuts]
    sources = {i: sources_of(files[i], found[i].schema, model.config, text) for i in full}
    schema = joined_columns([files[i] for i in full], [found[i].schema for i in full], [sources[i] for i in full])
    planned = tuple(
        PlannedFile(
            file.name, file.place, file.size, file.changed,
            sources=sources.get(i, ()),
            columns=tuple(one.schema.names) if one.header and one.schema is not None else (),
            fault=one.fault,
        )
        for i, (file, one) in enumerate(zip(files, found, strict=True))
    )  # fmt: skip
    return Plan(settings, planned, tuple((i, cut) for i in full for cut in found[i].cuts), schema)
