"""Ray on two cores, started once for all tests of a run that ask for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="engines need pyarrow: pip install 'heedful[scale]'")

import pyarrow.parquet as pq

from heedful.runtime.model import Model


@pytest.fixture(scope="package")
def ray() -> Iterator[Any]:
    """A small Ray on this machine, which commands in this process then use."""
    from heedful.engines import cluster

    with pytest.MonkeyPatch.context() as patch:
        for name, value in cluster.QUIET.items():
            patch.setenv(name, value)
        ray = pytest.importorskip("ray", reason="needs Ray: pip install 'heedful[scale]'")
        with cluster.silenced_stderr():
            ray.init(
                address="local",
                num_cpus=2,
                include_dashboard=False,
                log_to_driver=False,
                object_store_memory=200 * 2**20,
                logging_level="CRITICAL",
            )
        cluster.quiet(ray)
        yield ray
        ray.shutdown()


@pytest.fixture
def rows_of() -> Callable[[Path], list[dict[str, Any]]]:
    """What gives all rows of an output folder, in the order of parts."""

    def rows(out: Path) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for part in sorted(out.glob("part-*")):
            lines = part.read_text().splitlines() if part.suffix == ".jsonl" else []
            found += [json.loads(line) for line in lines] if lines else pq.read_table(part).to_pylist()
        return found

    return rows


@pytest.fixture
def bad_of() -> Callable[[Path], list[dict[str, Any]]]:
    """What gives all rows that were set aside."""

    def bad(out: Path) -> list[dict[str, Any]]:
        return [json.loads(line) for file in sorted((out / "_bad").iterdir()) for line in file.read_text().splitlines()]

    return bad


@pytest.fixture
def go(tiny_model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """What plans files and does every part in this process; gives the plan and what came of each part."""
    from heedful.engines.output import Output
    from heedful.engines.reading import read_rows as rows
    from heedful.engines.reading.paths import list_files
    from heedful.engines.reading.survey import survey
    from heedful.engines.request import Work
    from heedful.engines.run import Request, new_plan, settings_of
    from heedful.engines.run_part import PartContext, run_once

    def run(*files, work=None, part_rows=7, form="parquet", text=None, model=tiny_model, out=None):
        work = work or Work("embed")
        request = Request(work, [str(file) for file in files], str(out or tmp_path / "out"), form, text, part_rows)
        found = list_files(request.inputs)
        surveyed = [survey(file, part_rows) for file in found]
        plan = new_plan(settings_of(request, model), found, surveyed, model, text)
        output = Output(request.out)
        output.prepare()
        context = PartContext(model, work, plan.schema, output, form)
        return plan, [run_once(context, part) for part in plan.parts]

    monkeypatch.setattr(rows, "SLICE", 5)
    return run
