"""Plain or gzipped text files, line by line, with errors that name the line."""

from __future__ import annotations

import codecs
import gzip
import io
import itertools
import shlex
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from heedful.data.file_form import FileFacts, FileForm
from heedful.data.files.encoding import OTHERS, PEEK, WESTERN, count_bytes, keeps_line_ends, marked_encoding
from heedful.data.files.stdin_lines import stdin_lines
from heedful.errors import DataError, NoSuchFile

MAX_LINE = 64 * 1024 * 1024  # bytes: bounds memory
UTF8 = FileForm(encoding="utf-8")
DAMAGE = (OSError, EOFError, zlib.error)


def open_bytes(path: str | Path) -> IO[bytes]:
    """Open a file for reading, unzipping `.gz`; `-` is standard input."""
    if str(path) == "-":
        if sys.stdin is None:
            raise DataError(path, "standard input is closed")
        return stdin_lines()
    if Path(path).is_dir():
        raise DataError(path, "this is a folder, expected a file")
    try:
        if str(path).endswith(".gz"):
            return cast("IO[bytes]", gzip.open(path, "rb"))
        return Path(path).open("rb")
    except FileNotFoundError:
        raise NoSuchFile(path) from None
    except PermissionError:
        raise DataError(path, "permission denied") from None
    except (OSError, ValueError) as error:  # a name too long, or with a null byte in it
        raise DataError(f"{str(path)[:80]}…", f"cannot be opened: {error}") from None


def read_lines(path: str | Path, form: FileForm = UTF8, facts: FileFacts | None = None) -> Iterator[tuple[int, str]]:
    """Yield (line number, line with its line ending). A leading byte-order mark is dropped.

    If the form names no encoding, it is detected: UTF-8; UTF-16 by its first bytes; or cp1252, if the bytes of the
    whole file are plausible as such. Lines before the first one that is not UTF-8 are ASCII, which is the same in both.
    """
    facts = facts if facts is not None else FileFacts()
    with open_bytes(path) as file:
        encoding = form.encoding or marked_encoding(_start(path, file))
        facts.encoding = encoding or "utf-8"
        if encoding is not None and not keeps_line_ends(encoding):
            yield from _wide_lines(path, file, encoding)
            return
        has_utf8 = False
        for number, raw in byte_lines(path, file):
            if encoding is None and not raw.isascii() and not _is_utf8(raw):
                encoding = facts.encoding = _guessed(path, number, raw, facts, has_utf8=has_utf8)
            yield number, decoded(path, number, raw, encoding or "utf-8")
            has_utf8 = has_utf8 or not raw.isascii()


def byte_lines(path: str | Path, file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield (line number, line) of an open file."""
    number = 0
    while True:
        try:
            raw = file.readline(MAX_LINE + 1)
        except DAMAGE as error:
            raise DataError(path, f"the file is damaged: {error}", line=number + 1) from None
        if not raw:
            return
        number += 1
        if len(raw) > MAX_LINE:
            raise _too_long(path, number)
        yield number, raw


def decoded(path: str | Path, number: int, raw: bytes, encoding: str = "utf-8") -> str:
    """Decode a line; a byte-order mark at the start of the first is dropped."""
    if number == 1:
        raw = raw.removeprefix(codecs.BOM_UTF8)
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            byte = f"byte {error.start + 1} (0x{raw[error.start]:02x})"
            raise DataError(path, f"{byte} is not {encoding}. Set encoding to that of the file", line=number) from None
        if (kind := wide_encoding(raw)) is not None:
            raise DataError(path, f"the file is {kind}. {how_to_convert(path, kind)}") from None
        raise DataError(
            path,
            f"{_place(raw)} is not UTF-8. If the file comes from Windows or Excel, "
            f"{how_to_convert(path, WESTERN).replace('Convert', 'convert')}",
            line=number,
        ) from None


def wide_encoding(raw: bytes) -> str | None:
    """Return the encoding named by a UTF-16 or UTF-32 byte-order mark, else None."""
    encoding = marked_encoding(raw[:4])
    return encoding.upper() if encoding in ("utf-16", "utf-32") else None


def how_to_convert(path: str | Path, encoding: str) -> str:
    """Return the command that converts a file to UTF-8."""
    return f"Convert it: iconv -f {encoding.lower()} -t utf-8 {shlex.quote(str(path))} > NEW"


def _start(path: str | Path, file: Any) -> bytes:
    """Return the first bytes of a file without passing them; none of standard input, which is read as it comes."""
    if str(path) == "-":
        return b""
    try:
        start: bytes = file.peek(PEEK)
    except DAMAGE as error:
        raise DataError(path, f"the file is damaged: {error}", line=1) from None
    return start[:PEEK]


def _guessed(path: str | Path, number: int, raw: bytes, facts: FileFacts, *, has_utf8: bool) -> str:
    """Return the encoding of a file that has a line which is not UTF-8, by all its lines; or raise."""
    if number == 1 and (kind := wide_encoding(raw)) is not None:
        raise DataError(path, f"the input is {kind}. Set encoding to {kind.lower()}")
    problem = f"{_place(raw)} is not UTF-8"
    if not Path(path).is_file():  # a pipe, which cannot be read twice
        raise DataError(path, f"{problem}. Set encoding to that of the input, such as {WESTERN}", line=number)
    with open_bytes(path) as file:
        counts = count_bytes(byte_lines(path, file))
    if has_utf8 or counts.n_utf8:
        lines = (
            f"{counts.n_utf8:,} other {'line is' if counts.n_utf8 == 1 else 'lines are'}, such as {counts.first_utf8}"
        )
        raise DataError(
            path, f"{problem}, but {lines}. Correct the line, or set encoding to {WESTERN} or latin-1", line=number
        )
    if not counts.is_western:
        raise DataError(
            path, f"{problem}, and the file does not look like {WESTERN}. Set encoding, such as {OTHERS}", line=number
        )
    facts.samples = tuple(counts.samples)
    return WESTERN


def _wide_lines(path: str | Path, file: IO[bytes], encoding: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file in an encoding whose line ends are not single bytes, such as UTF-16."""
    text = io.TextIOWrapper(file, encoding=encoding, newline="\n")
    try:
        for number in itertools.count(1):
            line = _wide_line(path, text, encoding, number)
            if not line:
                return
            yield number, line.removeprefix("\ufeff") if number == 1 else line
    finally:
        text.detach()


def _wide_line(path: str | Path, text: io.TextIOWrapper, encoding: str, number: int) -> str:
    try:
        line = text.readline(MAX_LINE + 1)
    except UnicodeError:
        problem = f"not {encoding}, or damaged. Set encoding to that of the file"
        raise DataError(path, problem, line=number) from None
    except DAMAGE as error:
        raise DataError(path, f"the file is damaged: {error}", line=number) from None
    if len(line) > MAX_LINE:
        raise _too_long(path, number)
    return line


def _place(raw: bytes) -> str:
    try:
        raw.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        return f"byte {error.start + 1} (0x{error.object[error.start]:02x})"
    return "a byte"


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _too_long(path: str | Path, number: int) -> DataError:
    return DataError(path, f"the line is longer than {MAX_LINE // 2**20} MiB", line=number)
