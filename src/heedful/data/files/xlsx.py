"""Excel workbooks (.xlsx), read row by row. Formulas are not run: their saved results are read."""

from __future__ import annotations

import datetime
import itertools
import shutil
import tempfile
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any
from xml.etree.ElementTree import ParseError

from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.example import Row
from heedful.data.file_form import FileFacts
from heedful.data.files.csv_tsv import Table
from heedful.data.files.lines import open_bytes
from heedful.data.files.table_shape import HEAD_LINES
from heedful.errors import DataError, did_you_mean, listed, need

MOST_FILES = 10_000  # in a workbook
MOST_BYTES = 256 * 2**20  # of a part that is held in memory, such as the table of texts
MOST_SHEET_BYTES = 2**30  # of a sheet, which is read as a stream
MOST_TIMES, FREE_BYTES = 250, 64 * 2**20  # highest compression ratio of a part that is larger than this
MOST_ROWS = 2**20  # of a sheet, by Excel's own limit
SLICE = 500  # rows
SHEETS = "xl/worksheets/"
FAULTS = (zipfile.BadZipFile, zlib.error, ParseError, EOFError, OSError, KeyError, ValueError, TypeError,
          AttributeError, IndexError, NotImplementedError, RuntimeError)  # fmt: skip


def read_xlsx(path: str | Path, faults: BadRows = STRICT, facts: FileFacts | None = None) -> Iterator[Row]:
    """Yield the rows of the first sheet, or of the one that the form names. Each cell is a text, as in CSV."""
    openpyxl = need("openpyxl", feature="Reading .xlsx", extra="excel")
    facts = facts if facts is not None else FileFacts()
    with tempfile.TemporaryFile() as spool, open_bytes(path) as raw:
        source: IO[bytes] = raw
        try:
            if str(path).endswith(".gz"):
                shutil.copyfileobj(raw, spool)
                source = spool
            _check_sizes(path, source)
            with warnings.catch_warnings(action="ignore"):
                book = openpyxl.load_workbook(source, read_only=True, data_only=True, keep_links=False)
        except FAULTS as error:
            raise _damaged(path, error) from None
        sheet = _sheet(path, book, faults.form.sheet)
        facts.sheet = sheet.title if len(book.sheetnames) > 1 else None
        yield from _rows(path, faults, facts, _cells(path, sheet))


def _check_sizes(path: str | Path, source: IO[bytes]) -> None:
    """Raise if a part of the workbook is too large when it is decompressed, whatever its size on disk."""
    with zipfile.ZipFile(source) as file:
        parts = file.infolist()
    if len(parts) > MOST_FILES:
        raise DataError(path, f"the workbook has {len(parts):,} parts, expected at most {MOST_FILES:,}")
    for part in parts:
        limit = MOST_SHEET_BYTES if part.filename.startswith(SHEETS) else MOST_BYTES
        if part.file_size > limit:
            raise DataError(
                path,
                f"{part.filename:.60} is {part.file_size / 2**20:,.0f} MiB when decompressed, expected at most "
                f"{limit / 2**20:,.0f} MiB. Save the sheet as CSV",
            )
        if part.file_size > FREE_BYTES and part.file_size > MOST_TIMES * max(1, part.compress_size):
            problem = f"{part.filename:.60}: compression ratio above {MOST_TIMES}, refused as a possible zip bomb"
            raise DataError(path, f"{problem}. Save the sheet as CSV")
    source.seek(0)


def _sheet(path: str | Path, book: Any, name: str | None) -> Any:
    names = [sheet.title for sheet in book.worksheets]
    if not names:
        raise DataError(path, "the workbook has no sheet of cells")
    if name is not None and name not in names:
        raise DataError(path, f"no sheet {name!r:.60}. The sheets are {listed(names)}.{did_you_mean(name, names)}")
    sheet = book[name] if name is not None else book.worksheets[0]
    sheet.reset_dimensions()  # some programs write wrong ones
    return sheet


def _cells(path: str | Path, sheet: Any) -> Iterator[tuple[int, list[str]]]:
    """Yield (row number, cells) without empty cells at the end of a row."""
    rows, number = sheet.iter_rows(values_only=True), 0
    while True:
        try:
            with warnings.catch_warnings(action="ignore"):
                block = list(itertools.islice(rows, SLICE))
        except FAULTS as error:
            raise _damaged(path, error) from None
        if not block:
            return
        for cells in block:
            number += 1
            if number > MOST_ROWS:
                raise DataError(path, f"more than {MOST_ROWS:,} rows", line=number)
            yield number, _without_end(cells)


def _without_end(cells: Sequence[Any]) -> list[str]:
    written = [written_cell(cell) for cell in cells]
    while written and not written[-1].strip():
        written.pop()
    return written


def written_cell(value: Any) -> str:
    """Return the content of a cell as text: 3 for 3.0, and a date without a time of midnight."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ").removesuffix(" 00:00:00")
    return str(value)


def _rows(path: str | Path, faults: BadRows, facts: FileFacts, cells: Iterator[tuple[int, list[str]]]) -> Iterator[Row]:
    """Yield the rows below the header; a short row is filled up, as a sheet does not save empty cells."""
    filled = ((number, row) for number, row in cells if row)
    head = list(itertools.islice(filled, HEAD_LINES))
    if not head:
        raise DataError(path, "the sheet is empty, expected a first row with column names")
    width = len(head[0][1]) if faults.form.header is not False else max(len(row) for _, row in head)
    table = Table(path, faults, facts, [row for _, row in head])
    for number, row in itertools.chain(head, filled):
        yield from table.rows([*row, *[""] * (width - len(row))], number)


def _damaged(path: str | Path, error: BaseException) -> DataError:
    if isinstance(error, DataError):
        return error
    reason = str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
    return DataError(path, f"not an .xlsx workbook, or damaged: {reason}")
