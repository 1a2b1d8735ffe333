"""Plain or gzipped UTF-8 files, line by line, with errors that name the line."""

from __future__ import annotations

import codecs
import gzip
import shlex
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

from heedful.errors import DataError

MAX_LINE = 64 * 1024 * 1024  # bytes: bounds memory


def open_bytes(path: str | Path) -> IO[bytes]:
    """Open a file for reading, unzipping `.gz`; `-` is standard input."""
    if str(path) == "-":
        if sys.stdin is None:
            raise DataError(path, "standard input is closed")
        return sys.stdin.buffer
    if Path(path).is_dir():
        raise DataError(path, "this is a folder, expected a file")
    try:
        if str(path).endswith(".gz"):
            return cast("IO[bytes]", gzip.open(path, "rb"))
        return Path(path).open("rb")
    except FileNotFoundError:
        raise DataError(path, "no such file") from None
    except PermissionError:
        raise DataError(path, "permission denied") from None
    except (OSError, ValueError) as error:  # a name too long, or with a null byte in it
        raise DataError(f"{str(path)[:80]}…", f"cannot be opened: {error}") from None


def read_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Yield (line number, line with its line ending). A leading byte-order mark is dropped."""
    number = 0
    with open_bytes(path) as file:
        while True:
            try:
                raw = file.readline(MAX_LINE + 1)
            except (OSError, EOFError, zlib.error) as error:
                raise DataError(path, f"the file is damaged: {error}", line=number + 1) from None
            if not raw:
                return
            number += 1
            if len(raw) > MAX_LINE:
                raise DataError(path, f"the line is longer than {MAX_LINE // 2**20} MiB", line=number)
            yield number, decoded(path, number, raw)


def decoded(path: str | Path, number: int, raw: bytes) -> str:
    """Decode a line; a byte-order mark at the start of the first is dropped."""
    if number == 1:
        raw = raw.removeprefix(codecs.BOM_UTF8)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        if (kind := wide_encoding(raw)) is not None:
            raise DataError(path, f"the file is {kind}. {how_to_convert(path, kind)}") from None
        byte = raw[error.start]
        raise DataError(
            path,
            f"byte {error.start + 1} (0x{byte:02x}) is not UTF-8. If the file comes from Windows or Excel, "
            f"{how_to_convert(path, 'cp1252').replace('Convert', 'convert')}",
            line=number,
        ) from None


def wide_encoding(raw: bytes) -> str | None:
    """Return the encoding named by a UTF-16 or UTF-32 byte-order mark, else None."""
    if raw.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):  # first: one of them starts with the mark of UTF-16
        return "UTF-32"
    return "UTF-16" if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else None


def how_to_convert(path: str | Path, encoding: str) -> str:
    """Return the command that converts a file to UTF-8."""
    return f"Convert it: iconv -f {encoding.lower()} -t utf-8 {shlex.quote(str(path))} > NEW"
