"""The rows of any file, folder or pattern; the extension decides the format."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.example import Row
from heedful.data.file_form import FileFacts, FileForm
from heedful.data.files.arrow_folder import is_arrow_folder, read_arrow_folder
from heedful.data.files.csv_tsv import read_csv, read_tsv, read_txt
from heedful.data.files.json_array import read_json
from heedful.data.files.jsonl import read_jsonl
from heedful.data.files.lines import open_bytes
from heedful.data.files.parquet import read_parquet
from heedful.data.files.paths import ending_of, files_of
from heedful.data.files.xlsx import read_xlsx
from heedful.data.table import Source, Table
from heedful.errors import DataError

Reader = Callable[[str | Path, BadRows, FileFacts], Iterator[Row]]

READERS: dict[str, Reader] = {
    ".csv": read_csv,
    ".tsv": read_tsv,
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".json": read_json,
    ".parquet": lambda path, *_: read_parquet(path),
    ".xlsx": read_xlsx,
    ".txt": read_txt,
}

# File types that cannot be read, and how to convert them.
_SPREADSHEET = " Save the sheet as .xlsx or .csv"
OTHERS = {
    ".xls": _SPREADSHEET,
    ".xlsb": _SPREADSHEET,
    ".ods": _SPREADSHEET,
    ".zip": " Unzip it first",
    ".tab": " Rename it to .tsv, or set sep to tab (--sep tab)",
}
_MAGIC = {b"PAR1": ".parquet", b"PK\x03\x04": ".xlsx"}


def read_rows(path: Source, *, faults: BadRows = STRICT, is_table: bool = False) -> Iterator[Row]:
    """Yield the rows of a table, a file, the files of a pattern or folder, or of standard input (`-`).

    Standard input has a text on each line, or is a file of any format if it must be a table.
    """
    if isinstance(path, Table):
        return path.rows()
    if str(path) == "-":
        return _from_stdin(faults) if is_table else read_txt(path, faults)
    if Path(path).is_dir() and is_arrow_folder(Path(path)):
        return _rows(path, [(str(path), read_arrow_folder)], faults)
    files = files_of(path, READERS)
    return _rows(path, [(file, reader_of(file, faults.form)) for file in files], faults)


def reader_of(path: str | Path, form: FileForm) -> Reader:
    """Return the reader of a file: by its extension, or a table if a separator is given."""
    ending = ending_of(path)
    if ending in READERS:
        return READERS[ending]
    if form.sep is not None and ending not in OTHERS:
        return read_tsv if form.sep == "\t" else read_csv
    problem = f"unknown file extension. Known extensions: {', '.join(READERS)}, each also with .gz"
    raise DataError(path, f"{problem}.{OTHERS.get(ending, ' If it is a table, set its separator (--sep)')}")


def _rows(path: str | Path, files: list[tuple[str, Reader]], faults: BadRows) -> Iterator[Row]:
    total: FileFacts | None = None
    for file, reader in files:
        facts = FileFacts()
        for row in reader(file, faults, facts):
            facts.rows += 1
            facts.columns = facts.columns or list(row.values)
            yield row if len(files) == 1 else Row(row.values, row.line, file)
        if total is None:
            total = facts
        else:
            total.add(facts)
    if total is not None:
        faults.summarise(str(path), total)


def _from_stdin(faults: BadRows) -> Iterator[Row]:
    """Yield the rows of a table on standard input: it is copied to a file, as its form is detected by reading twice."""
    with tempfile.TemporaryDirectory() as folder, open_bytes("-") as source:
        raw = Path(folder) / "stdin"
        with raw.open("wb") as copy:
            shutil.copyfileobj(source, copy)
        file = raw.rename(raw.with_name(f"stdin{_ending_by_content(raw)}"))
        facts = FileFacts()
        try:
            for row in reader_of(file, faults.form)(file, faults, facts):
                facts.rows += 1
                facts.columns = facts.columns or list(row.values)
                yield row
        except DataError as error:
            raise DataError("-", error.problem, line=error.line) from None
    faults.summarise("standard input", facts)


def _ending_by_content(path: Path) -> str:
    """Return the extension that suits the first bytes of a file."""
    start = _first_bytes(path)
    is_gzip = start.startswith(b"\x1f\x8b")
    if is_gzip:
        start = _first_bytes(path.rename(path.with_suffix(".gz")))
        path.with_suffix(".gz").rename(path)
    plain = start.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    ending = _MAGIC.get(start[:4]) or {b"[": ".json", b"{": ".jsonl"}.get(plain[:1], ".csv")
    return ending + (".gz" if is_gzip else "")


def _first_bytes(path: Path) -> bytes:
    with open_bytes(path) as file:
        return file.read(64)
