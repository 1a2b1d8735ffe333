"""Lines of a file as records: the cells by column, or the error in the line."""

from __future__ import annotations

import codecs
import csv
import json
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any, NamedTuple

from heedful.data.files.csv_tsv import MAX_FIELD
from heedful.data.files.lines import MAX_LINE
from heedful.engines.plan import Part
from heedful.errors import listed
from heedful.files.unicode import whole_value


class Bad(NamedTuple):
    """A rejected row."""

    row: int
    reason: str


class UnreadableError(ValueError):
    """A line that cannot be parsed; the message says why."""


Numbered = Iterator[tuple[int, bytes]]
Records = Iterator[tuple[int, Any, int]]  # line number, cells by column or Bad, bytes


def numbered(file: IO[bytes], part: Part) -> Numbered:
    """Yield the lines of a part with their numbers; the rest of an overlong line is skipped."""
    left, number = (None if part.cut.stop is None else part.cut.stop - part.cut.start), part.cut.row
    while (left is None or left > 0) and (raw := file.readline(MAX_LINE + 1)):
        if left is not None:
            left -= len(raw)
        whole = raw
        while len(raw) > MAX_LINE and not raw.endswith(b"\n"):
            raw = file.readline(MAX_LINE + 1)
            left = None if left is None else left - len(raw)
        yield number, whole.removeprefix(codecs.BOM_UTF8) if number == 1 else whole
        number += 1


def _per_line(part: Part, lines: Numbered, read: Callable[[Part, str], dict[str, Any] | None]) -> Records:
    """Yield a record for each line except the header."""
    for number, raw in lines:
        if number == 1 and part.file.columns:
            continue
        try:
            record = read(part, _decoded(raw))
        except UnreadableError as error:
            yield number, Bad(number, str(error)), len(raw)
        else:
            if record is not None:
                yield number, record, len(raw)


def _decoded(raw: bytes) -> str:
    if len(raw) > MAX_LINE:
        raise UnreadableError(f"the line is longer than {MAX_LINE // 2**20} MiB")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableError(f"byte {error.start + 1} (0x{raw[error.start]:02x}) is not UTF-8") from None


def _txt(_: Part, text: str) -> dict[str, Any]:
    return {"text": text.rstrip("\r\n")}


def _tsv(part: Part, text: str) -> dict[str, Any] | None:
    cells = text.rstrip("\r\n").split("\t")
    return None if cells == [""] else _named(part, cells)


def _json(_: Part, text: str) -> dict[str, Any] | None:
    if not text.strip():
        return None
    try:
        value = json.loads(text)
    except ValueError as error:
        raise UnreadableError(f"not JSON: {error}") from None
    except RecursionError:
        raise UnreadableError("the JSON is nested too deeply") from None
    if not isinstance(value, dict):
        raise UnreadableError(f'found {type(value).__name__}, expected an object such as {{"text": …}}')
    return whole_value(value) if "\\ud" in text.lower() else value


def _named(part: Part, cells: Sequence[str]) -> dict[str, Any]:
    names = part.file.columns
    if len(cells) != len(names):
        raise UnreadableError(f"found {len(cells)} columns, expected {len(names)} ({listed(names)})")
    return dict(zip(names, cells, strict=True))


def _csv(part: Part, lines: Numbered) -> Records:
    """Yield records, which may span several lines. Rows with invalid UTF-8 are rejected."""
    csv.field_size_limit(MAX_FIELD)
    fed, next_line = 0, part.cut.row

    def decoded() -> Iterator[str]:
        nonlocal fed, next_line
        for number, raw in lines:
            fed, next_line = fed + len(raw), number + 1
            yield raw.decode("utf-8", "surrogateescape")

    number = part.cut.row
    for cells in csv.reader(decoded(), strict=True):
        if number > 1 and (cells or len(part.file.columns) == 1):
            try:
                record = _named(part, cells or [""])
                "".join(cells).encode()
            except UnicodeEncodeError:
                yield number, Bad(number, "not UTF-8"), fed
            except UnreadableError as error:
                yield number, Bad(number, str(error)), fed
            else:
                yield number, record, fed
        number, fed = next_line, 0


RECORDS: dict[str, Callable[[Part, Numbered], Records]] = {
    ".txt": lambda part, lines: _per_line(part, lines, _txt),
    ".tsv": lambda part, lines: _per_line(part, lines, _tsv),
    ".jsonl": lambda part, lines: _per_line(part, lines, _json),
    ".ndjson": lambda part, lines: _per_line(part, lines, _json),
    ".csv": _csv,
}
