"""One part from its file to the output: read, predict, write, and finally mark it as done."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import IO, Any

import numpy as np
import pyarrow as pa

from heedful.data.example import TwoTexts
from heedful.data.renamed_columns import free_names
from heedful.engines.output import BAD, DONE, TRIED, Output, PartResult
from heedful.engines.part_writer import FORMS, Writer
from heedful.engines.plan import Part
from heedful.engines.reading.columns import FILE, ROW, is_tokens
from heedful.engines.reading.json_cells import dumped
from heedful.engines.reading.parse_records import Bad
from heedful.engines.reading.paths import first_line
from heedful.engines.reading.read_rows import Slice, read_part
from heedful.engines.reading.survey import DAMAGE, is_damage
from heedful.engines.request import Work, answer_all
from heedful.runtime.model import Model

TRIES = 3  # on errors of a disk or the network
DEATHS = 3  # of workers on the same part, after which it is skipped


@dataclass(frozen=True)
class PartContext:
    """What a worker needs for every part."""

    model: Model
    work: Work
    schema: pa.Schema  # of the input rows
    out: Output
    form: str

    @cached_property
    def answers(self) -> pa.Schema:
        """The columns of the predictions."""
        return self.work.schema(self.model)

    @cached_property
    def columns(self) -> pa.Schema:
        """The columns of a part: those of the input, file and row number, predictions."""
        origin = [pa.field(FILE, pa.string()), pa.field(ROW, pa.int64())]
        kept = [self.schema.field(name).with_name(free) for name, free in self.names.items()]
        return pa.schema([*kept, *origin, *self.answers])

    @cached_property
    def names(self) -> dict[str, str]:
        """Output names of the input columns, renamed if they clash with ours."""
        kept = [field.name for field in self.schema if not (field.name in self.answers.names and is_tokens(field))]
        return free_names(kept, {FILE, ROW, *self.answers.names})


def run_once(context: PartContext, part: Part) -> PartResult:
    """Run a part unless it is finished. After `DEATHS` attempts that killed their worker it is skipped."""
    if (done := context.out.result_of(part.name, context.form)) is not None:
        return done
    tries, name = 0, f"{TRIED}/{part.name}"
    if (text := context.out.read_text(name)) is not None:
        tries = int(text or DEATHS)
    if tries >= DEATHS:
        return PartResult(part.name, failed=f"{tries} workers died while processing it (out of memory?)")
    context.out.write_text(name, str(tries + 1))
    result = run_part(context, part)
    context.out.remove(name)
    return result


def run_part(context: PartContext, part: Part) -> PartResult:
    """Run a part and return its result. Errors of a disk or the network are retried a few times."""
    for n in range(1, TRIES + 1):
        try:
            return _written(context, part)
        except (OSError, pa.ArrowException) as error:
            failed = first_line(error)
        if n < TRIES:
            time.sleep(0.5 * n)
    return PartResult(part.name, failed=failed)


def _written(context: PartContext, part: Part) -> PartResult:
    started, bad_name = time.monotonic(), f"{BAD}/{part.name}.jsonl"
    with tempfile.TemporaryFile("w+", encoding="utf-8") as bad_file:
        with (
            context.out.writing(f"{part.name}.{context.form}") as path,
            contextlib.closing(FORMS[context.form](path, context.columns)) as writer,
        ):
            rows, bad, fault = _through(context, part, writer, bad_file)
        if bad or fault:
            bad_file.seek(0)
            with context.out.writing(bad_name) as path, path.open("w", encoding="utf-8") as kept:
                shutil.copyfileobj(bad_file, kept)
        else:
            context.out.remove(bad_name)  # of an earlier attempt
    result = PartResult(part.name, rows, bad, time.monotonic() - started, fault)
    context.out.write_text(f"{DONE}/{part.name}.json", result.to_json())
    return result


def _through(context: PartContext, part: Part, writer: Writer, bad_file: IO[str]) -> tuple[int, int, str | None]:
    """Run the model on every slice; return the number of rows written and rejected, and the damage if any."""
    n_rows = n_bad = 0
    for part_slice in _until_damage(part, context.schema):
        if isinstance(part_slice, str):
            bad_file.write(dumped({"file": part.file.name, "row": None, "reason": part_slice}) + "\n")
            return n_rows, n_bad, part_slice
        table, unanswered = _answered(context, part, part_slice)
        writer.write(table)
        bad = sorted([*part_slice.bad, *unanswered])
        bad_file.writelines(dumped({"file": part.file.name, "row": r, "reason": why}) + "\n" for r, why in bad)
        n_rows, n_bad = n_rows + len(table), n_bad + len(bad)
    return n_rows, n_bad, None


def _until_damage(part: Part, schema: pa.Schema) -> Iterator[Slice | str]:
    """Yield slices; if the file is damaged, a description of the damage comes last."""
    last = 0
    try:
        for part_slice in read_part(part, schema):
            yield part_slice
            last = int(max([last, *part_slice.rows[-1:], *(bad.row for bad in part_slice.bad)]))
    except (*DAMAGE, OSError) as error:
        if not is_damage(error, part.file.place):
            raise
        yield f"damaged {f'after row {last:,}' if last else 'from the start'}: {first_line(error)}"


def _answered(context: PartContext, part: Part, part_slice: Slice) -> tuple[pa.Table, list[Bad]]:
    """Return the rows of a slice with their predictions, and the rejected rows."""
    answered = answer_all(
        context.model, context.work, context.answers, list(sources(part_slice.table, part.file.sources))
    )
    kept = np.array(answered.positions, np.int64)
    table = part_slice.table.take(kept) if answered.reasons else part_slice.table
    origin = {FILE: pa.repeat(part.file.name, len(kept)), ROW: pa.array(part_slice.rows[kept])}
    cells = {free: table[name] for name, free in context.names.items()} | origin
    cells |= {name: answered.answers[name] for name in answered.answers.column_names}
    columns = context.columns
    bad = [Bad(int(part_slice.rows[i]), reason) for i, reason in sorted(answered.reasons.items())]
    return pa.table([cells[name] for name in columns.names], schema=columns), bad


def sources(table: pa.Table, names: Sequence[str]) -> Iterator[Any]:
    """Yield the model input of each row."""
    cells = [_cells(table[name]) for name in names]
    return (TwoTexts(*pair) for pair in zip(*cells, strict=True)) if len(cells) == 2 else iter(cells[0])


def _cells(column: Any) -> list[Any]:
    try:
        return list(column.to_pylist())
    except UnicodeDecodeError:
        return [_cell(scalar) for scalar in column]


def _cell(scalar: Any) -> Any:
    """Return a cell as text, or as bytes if it is not UTF-8; the row is then rejected."""
    try:
        return scalar.as_py()
    except UnicodeDecodeError:
        return scalar.as_buffer().to_pybytes()
