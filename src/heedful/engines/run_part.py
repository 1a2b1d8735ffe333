"""One part from its file to the output: read, answer, write, and last of all the note that it is done."""

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
from heedful.engines.output import BAD, DONE, TRIED, Counted, Output
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

TRIES = 3  # of a disk or the net
DEATHS = 3  # of workers at the same part; then it is left out, and the others go on


@dataclass(frozen=True)
class Desk:
    """What a worker has at hand for every part."""

    model: Model
    work: Work
    schema: pa.Schema  # of the rows that are read
    out: Output
    form: str

    @cached_property
    def answers(self) -> pa.Schema:
        """The columns of the answers."""
        return self.work.schema(self.model)

    @cached_property
    def columns(self) -> pa.Schema:
        """The columns of a part: those of the file, where each row stood there, the answers."""
        place = [pa.field(FILE, pa.string()), pa.field(ROW, pa.int64())]
        kept = [self.schema.field(name).with_name(free) for name, free in self.names.items()]
        return pa.schema([*kept, *place, *self.answers])

    @cached_property
    def names(self) -> dict[str, str]:
        """What the columns of the file are called in the output: none takes the place of ours, and none is lost."""
        kept = [field.name for field in self.schema if not (field.name in self.answers.names and is_tokens(field))]
        return free_names(kept, {FILE, ROW, *self.answers.names})


def run_once(desk: Desk, part: Part) -> Counted:
    """Do a part that no worker has finished. One at which worker after worker dies is not tried for ever."""
    if (done := desk.out.counted(part.name, desk.form)) is not None:
        return done
    tries, name = 0, f"{TRIED}/{part.name}"
    if (text := desk.out.read_text(name)) is not None:
        tries = int(text or DEATHS)
    if tries >= DEATHS:
        return Counted(part.name, failed=f"{tries} workers died of it (was there too little memory?)")
    desk.out.write_text(name, str(tries + 1))
    found = run_part(desk, part)
    desk.out.remove(name)
    return found


def run_part(desk: Desk, part: Part) -> Counted:
    """Do a part, and say what came of it. Trouble with a disk or the net is tried again a few times."""
    for n in range(1, TRIES + 1):
        try:
            return _written(desk, part)
        except (OSError, pa.ArrowException) as error:
            failed = first_line(error)
        if n < TRIES:
            time.sleep(0.5 * n)
    return Counted(part.name, failed=failed)


def _written(desk: Desk, part: Part) -> Counted:
    started, bad_name = time.monotonic(), f"{BAD}/{part.name}.jsonl"
    with tempfile.TemporaryFile("w+", encoding="utf-8") as bad_file:
        with (
            desk.out.writing(f"{part.name}.{desk.form}") as path,
            contextlib.closing(FORMS[desk.form](path, desk.columns)) as writer,
        ):
            rows, bad, fault = _through(desk, part, writer, bad_file)
        if bad or fault:
            bad_file.seek(0)
            with desk.out.writing(bad_name) as path, path.open("w", encoding="utf-8") as kept:
                shutil.copyfileobj(bad_file, kept)
        else:
            desk.out.remove(bad_name)  # of an earlier try
    counted = Counted(part.name, rows, bad, time.monotonic() - started, fault)
    desk.out.write_text(f"{DONE}/{part.name}.json", counted.to_json())
    return counted


def _through(desk: Desk, part: Part, writer: Writer, bad_file: IO[str]) -> tuple[int, int, str | None]:
    """Send every slice through the model; return how many rows were written and set aside, and what damage there is."""
    n_rows = n_bad = 0
    for piece in _until_damage(part, desk.schema):
        if isinstance(piece, str):
            bad_file.write(dumped({"file": part.file.name, "row": None, "reason": piece}) + "\n")
            return n_rows, n_bad, piece
        table, without = _answered(desk, part, piece)
        writer.write(table)
        bad = sorted([*piece.bad, *without])
        bad_file.writelines(dumped({"file": part.file.name, "row": r, "reason": why}) + "\n" for r, why in bad)
        n_rows, n_bad = n_rows + len(table), n_bad + len(bad)
    return n_rows, n_bad, None


def _until_damage(part: Part, schema: pa.Schema) -> Iterator[Slice | str]:
    """Yield slices; where the file is damaged, what is wrong comes last."""
    last = 0
    try:
        for piece in read_part(part, schema):
            yield piece
            last = int(max([last, *piece.rows[-1:], *(one.row for one in piece.bad)]))
    except (*DAMAGE, OSError) as error:
        if not is_damage(error, part.file.place):
            raise
        yield f"damaged {f'after row {last:,}' if last else 'from the start'}: {first_line(error)}"


def _answered(desk: Desk, part: Part, piece: Slice) -> tuple[pa.Table, list[Bad]]:
    """Return the rows of a slice with their answers, and those that have none."""
    found = answer_all(desk.model, desk.work, desk.answers, list(sources(piece.table, part.file.sources)))
    kept = np.array(found.positions, np.int64)
    own = piece.table.take(kept) if found.reasons else piece.table
    places = {FILE: pa.repeat(part.file.name, len(kept)), ROW: pa.array(piece.rows[kept])}
    cells = {free: own[name] for name, free in desk.names.items()} | places
    cells |= {name: found.answers[name] for name in found.answers.column_names}
    columns = desk.columns
    bad = [Bad(int(piece.rows[i]), reason) for i, reason in sorted(found.reasons.items())]
    return pa.table([cells[name] for name in columns.names], schema=columns), bad


def sources(table: pa.Table, names: Sequence[str]) -> Iterator[Any]:
    """Yield what the model reads of each row."""
    cells = [_cells(table[name]) for name in names]
    return (TwoTexts(*pair) for pair in zip(*cells, strict=True)) if len(cells) == 2 else iter(cells[0])


def _cells(column: Any) -> list[Any]:
    try:
        return list(column.to_pylist())
    except UnicodeDecodeError:
        return [_cell(one) for one in column]


def _cell(scalar: Any) -> Any:
    """Return a cell; of bytes that are no text, the bytes, which is then the reason why the row is bad."""
    try:
        return scalar.as_py()
    except UnicodeDecodeError:
        return scalar.as_buffer().to_pybytes()
