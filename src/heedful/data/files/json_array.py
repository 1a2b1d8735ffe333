"""JSON arrays of objects or texts, read element by element, so that files may be larger than memory."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.example import Row
from heedful.data.file_form import FileFacts
from heedful.data.files.encoding import marked_encoding
from heedful.data.files.jsonl import read_jsonl
from heedful.data.files.lines import DAMAGE, open_bytes
from heedful.errors import DataError
from heedful.files.unicode import whole_value

BLOCK = 2**18  # bytes
MAX_ELEMENT = 64 * 1024 * 1024  # characters: bounds memory
EXPECTED = 'expected an array such as [{"text": …, "label": …}, …], or one object per line'
LONGEST_TOKEN = 16  # characters of a literal or an escape
SPACE = " \t\r\n"


def read_json(path: str | Path, faults: BadRows = STRICT, facts: FileFacts | None = None) -> Iterator[Row]:
    """Yield the elements of a JSON array, numbered from 1: objects, or texts. Many files are JSON lines in fact."""
    facts = facts if facts is not None else FileFacts()
    with open_bytes(path) as file:
        text = _Text(path, file, faults.form.encoding)
        facts.encoding = text.encoding
        match text.next():
            case "[":
                text.skip(1)
                yield from _elements(path, text)
                return
            case "":
                raise DataError(path, f"the file is empty, {EXPECTED}")
            case start if start != "{":
                raise DataError(path, f"the file starts with {start!r}, {EXPECTED}")
    yield from _as_lines(path, faults, facts)


class _Text:
    """The characters of a file, of which a window is in memory."""

    def __init__(self, path: str | Path, file: IO[bytes], encoding: str | None) -> None:
        self._path, self._file = path, file
        start = self._bytes()
        self.encoding = encoding or marked_encoding(start) or "utf-8"
        self._decoder = codecs.getincrementaldecoder(self.encoding)()
        self.window, self.at, self.has_ended = "", 0, False
        self._take(start)
        self.window = self.window.removeprefix("\ufeff")

    def next(self) -> str:
        """Return the next character that is not white space, without passing it; nothing at the end."""
        while True:
            while self.at < len(self.window) and self.window[self.at] in SPACE:
                self.at += 1
            if self.at < len(self.window):
                return self.window[self.at]
            if not self.more():
                return ""

    def skip(self, n: int) -> None:
        """Pass n characters."""
        self.at += n

    def more(self) -> bool:
        """Read on: as much again as is in the window. Return False at the end of the file."""
        if self.has_ended:
            return False
        self.window, self.at = self.window[self.at :], 0
        if len(self.window) > MAX_ELEMENT:
            raise DataError(self._path, f"an element is longer than {MAX_ELEMENT // 2**20} MiB")
        self._take(self._bytes(max(BLOCK, len(self.window))))
        return True

    def _take(self, raw: bytes) -> None:
        try:
            self.window += self._decoder.decode(raw, not raw)
        except UnicodeDecodeError as error:
            raise DataError(
                self._path, f"a byte (0x{error.object[error.start]:02x}) is not {error.encoding}. Set encoding"
            ) from None
        self.has_ended = not raw

    def _bytes(self, n: int = BLOCK) -> bytes:
        try:
            return self._file.read(n)
        except DAMAGE as error:
            raise DataError(self._path, f"the file is damaged: {error}") from None


def _elements(path: str | Path, text: _Text) -> Iterator[Row]:
    number = 0
    if text.next() == "]":
        return
    while True:
        number += 1
        yield _row(_element(path, text, number), number)
        match text.next():
            case ",":
                text.skip(1)
            case "]":
                text.skip(1)
                if (rest := text.next()) != "":
                    raise DataError(path, f"not JSON: found {rest!r} after the array")
                return
            case "":
                raise DataError(path, "the file ends inside the array", line=number)
            case other:
                raise DataError(path, f"not JSON: found {other!r} after an element, expected a comma", line=number)


def _element(path: str | Path, text: _Text, number: int) -> Any:
    """Return the next element; read on until it is complete."""
    start = text.next()
    if start not in ("{", '"'):
        kind = "the end of the file" if not start else f"an element that starts with {start!r}"
        raise DataError(path, f"found {kind}, expected an object or a text", line=number)
    while True:
        try:
            value, end = json.JSONDecoder().raw_decode(text.window, text.at)
            text.at = end
            return value
        except json.JSONDecodeError as error:
            if not _is_cut_off(error) or not text.more():
                raise DataError(path, f"not JSON: {error.msg}", line=number) from None
        except ValueError as error:  # a number of thousands of digits
            raise DataError(path, f"unreadable JSON: {error}", line=number) from None
        except RecursionError:
            raise DataError(path, "the JSON is nested too deeply", line=number) from None


def _is_cut_off(error: json.JSONDecodeError) -> bool:
    """Return whether the window may end inside the element."""
    return error.msg.startswith("Unterminated string") or error.pos >= len(error.doc) - LONGEST_TOKEN


def _row(value: Any, number: int) -> Row:
    whole = whole_value(value)
    return Row(whole if isinstance(whole, dict) else {"text": whole}, number)


def _as_lines(path: str | Path, faults: BadRows, facts: FileFacts) -> Iterator[Row]:
    rows = read_jsonl(path, faults, facts)
    try:
        first = next(rows, None)
    except DataError as error:
        if error.line == 1:
            raise DataError(path, f"found an object, {EXPECTED}") from None
        raise
    if first is not None:
        facts.notes.append("JSON lines")
        yield first
    yield from rows
