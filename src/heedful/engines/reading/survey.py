"""Survey of a file before the run: its columns and split points. Runs on a worker."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import itertools
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any, cast

import pyarrow as pa
import pyarrow.parquet as pq

from heedful.data.columns import check_column_names, unique_names
from heedful.data.files.lines import MAX_LINE, how_to_convert, wide_encoding
from heedful.engines.reading.json_cells import infer
from heedful.engines.reading.paths import InputFile, ending, file_system, first_line, is_local
from heedful.engines.reading.split_points import WHOLE, Cut, cut_csv, cut_groups, cut_lines
from heedful.errors import DataError

SAMPLE = 2_000  # rows of JSON lines to infer the column types from
BUFFER = 4 * 2**20
# Errors of files that are truncated or not in the format of their extension.
DAMAGE = (pa.ArrowInvalid, pa.ArrowNotImplementedError, EOFError, zlib.error, gzip.BadGzipFile, csv.Error)


def is_damage(error: BaseException, place: str) -> bool:
    """Return whether the file itself is damaged, rather than a disk or the network failing for a moment."""
    if isinstance(error, DAMAGE):
        return True
    # Arrow also raises OSError for broken pages, without an errno.
    broken = isinstance(error, OSError) and error.errno is None
    return broken and (
        is_local(file_system(place)[0]) or any(word in str(error) for word in ("thrift", "Corrupt", "CRC"))
    )


@dataclass(frozen=True)
class Survey:
    """The columns and split points of a file, or its error."""

    schema: pa.Schema | None = None
    header: bool = False  # whether the first record is a header
    cuts: tuple[Cut, ...] = ()
    fault: str | None = None  # why the file, or the rest of it, is skipped
    wrong: str | None = None  # an error that the user must fix before the run


def survey(file: InputFile, part_rows: int) -> Survey:
    """Survey one file."""
    try:
        return _survey(file, part_rows)
    except DataError as error:
        return Survey(wrong=str(error))
    except (*DAMAGE, OSError) as error:
        if is_damage(error, file.place):
            return Survey(fault=f"cannot be read: {first_line(error)}")
        return Survey(wrong=f"{file.name} cannot be read: {first_line(error)}")


def _survey(file: InputFile, part_rows: int) -> Survey:
    kind, is_gzip = ending(file.name)
    if kind == ".parquet":
        return _parquet(file, part_rows)
    with open_bytes(file.place) as lines:
        schema = _schema(file.name, kind, lines)
    if schema is None:
        return Survey()  # empty
    header = kind in (".csv", ".tsv")
    if is_gzip:
        return Survey(schema, header, (WHOLE,))
    with open_bytes(file.place) as lines:
        cuts, fault = cut_csv(lines, part_rows) if kind == ".csv" else (cut_lines(lines, part_rows), None)
    return Survey(schema, header, tuple(cuts), fault)


def open_bytes(place: str) -> IO[bytes]:
    """Open a file of lines, decompressing `.gz`."""
    system, path = file_system(place)
    if ending(place)[1]:
        return cast("IO[bytes]", gzip.GzipFile(fileobj=system.open_input_stream(path, compression=None)))
    return io.BufferedReader(system.open_input_file(path), BUFFER)


def _parquet(file: InputFile, part_rows: int) -> Survey:
    system, path = file_system(file.place)
    with system.open_input_file(path) as source:
        parquet_file = pq.ParquetFile(source)
        schema = parquet_file.schema_arrow.remove_metadata()
        check_column_names(file.name, schema.names)
        sizes = [parquet_file.metadata.row_group(i).num_rows for i in range(parquet_file.metadata.num_row_groups)]
    return Survey(schema, False, tuple(cut_groups(sizes, part_rows)))


def _schema(name: str, kind: str, lines: IO[bytes]) -> pa.Schema | None:
    """Return the columns of a file of lines, or None if it is empty."""
    head = itertools.chain([lines.readline(MAX_LINE)], _first_lines(lines))
    first = next(head).removeprefix(codecs.BOM_UTF8)
    if (wide := wide_encoding(first)) is not None:
        raise DataError(name, f"the file is {wide}. {how_to_convert(name, wide)}")
    if not first:
        return None
    if kind == ".txt":
        return pa.schema([pa.field("text", pa.string())])
    if kind in (".jsonl", ".ndjson"):
        return infer(list(_objects(itertools.chain([first], head))))
    names = _names(name, kind, itertools.chain([first], head))
    return pa.schema([pa.field(column, pa.string()) for column in names])


def _first_lines(lines: IO[bytes]) -> Iterator[bytes]:
    """Yield lines up to the first damage, which is reported later."""
    try:
        yield from itertools.islice(iter(lambda: lines.readline(MAX_LINE), b""), SAMPLE - 1)
    except DAMAGE:
        return


def _names(name: str, kind: str, lines: Iterator[bytes]) -> list[str]:
    decoded = (raw.decode("utf-8", "replace") for raw in lines)
    try:
        cells = next(csv.reader(decoded, strict=True)) if kind == ".csv" else next(decoded).rstrip("\r\n").split("\t")
    except csv.Error as error:
        raise DataError(name, f"the column names cannot be read: {error}", line=1) from None
    names = [cell.strip() for cell in cells]
    if not any(names):
        raise DataError(name, "the first line is empty, expected column names", line=1)
    return unique_names(names)


def _objects(lines: Iterator[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects among the lines; other lines are rejected later."""
    for raw in lines:
        try:
            value = json.loads(raw)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value
