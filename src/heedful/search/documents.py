"""Folders of text and Markdown files as documents."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from heedful.data.bad_rows import BadRows
from heedful.data.example import Row
from heedful.data.files.arrow_folder import is_arrow_folder
from heedful.data.files.encoding import WESTERN, count_bytes, marked_encoding
from heedful.data.files.paths import MODEL, ending_of
from heedful.errors import DataError

ENDINGS = (".md", ".markdown", ".txt")
MARKDOWN = ENDINGS[:2]
TABLES = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet", ".xlsx")  # a folder with one of these is read as a table
MAX_BYTES = 50_000_000  # of a file
MAX_FILES = 1_000_000
PATH, TITLE, TEXT = "path", "title", "text"

_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
_HEAD = 20_000  # characters in which a title is looked for
_LONGEST_TITLE = 200


def is_documents(path: str) -> bool:
    """Return whether a path is a Markdown file, or a folder of text and Markdown files and no tables."""
    place = Path(path)
    if not place.is_dir():
        return place.suffix.lower() in MARKDOWN
    if is_arrow_folder(place) or (place / MODEL).is_file():
        return False
    has_table = any(ending_of(file) in TABLES for file in place.iterdir())
    return not has_table and next(_files_in(place), None) is not None


def read_documents(path: str, *, faults: BadRows) -> Iterator[Row]:
    """Yield a row for each file, with its path in the folder, its title and its text.

    Hidden files, links and other kinds of files are left out.
    """
    place = Path(path)
    files = _files_in(place) if place.is_dir() else iter([place])
    root = place if place.is_dir() else place.parent
    for number, file in enumerate(files, start=1):
        if number > MAX_FILES:
            raise DataError(path, f"more than {MAX_FILES:,} files. Index its subfolders one by one")
        try:
            yield _row(file, root)
        except DataError as error:
            faults.take(error)


def _files_in(folder: Path) -> Iterator[Path]:
    """Yield the text and Markdown files below a folder, by name. Links are not followed."""
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = Path(here) / name
            if not name.startswith(".") and file.suffix.lower() in ENDINGS and file.is_file() and not file.is_symlink():
                yield file


def _row(file: Path, root: Path) -> Row:
    text = _text_of(file)
    return Row({PATH: file.relative_to(root).as_posix(), TITLE: _title(file, text), TEXT: text}, 1, str(file))


def _text_of(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            raw = opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise DataError(file, f"cannot be read: {error.strerror}") from None
    if len(raw) > MAX_BYTES:
        raise DataError(file, f"larger than {MAX_BYTES // 10**6} MB. Split it")
    if b"\0" in raw[:1000] and marked_encoding(raw) is None:
        raise DataError(file, "is not a text: it has zero bytes")
    return _decoded(file, raw).replace("\r\n", "\n")


def _decoded(file: Path, raw: bytes) -> str:
    """Return the text of a file in UTF-8, UTF-16, UTF-32 or, if its bytes fit, in Western European."""
    try:
        return raw.decode(marked_encoding(raw) or "utf-8-sig").removeprefix("\ufeff")
    except UnicodeDecodeError:
        if marked_encoding(raw) is None and count_bytes(enumerate(raw.splitlines(), start=1)).is_western:
            return raw.decode(WESTERN)
        raise DataError(file, "is not UTF-8. Convert it, such as with: iconv -t UTF-8") from None


def _title(file: Path, text: str) -> str:
    """Return the first heading of a Markdown file, else the name of the file."""
    heading = _HEADING.search(text[:_HEAD]) if file.suffix.lower() in MARKDOWN else None
    return heading[1][:_LONGEST_TITLE] if heading else file.stem
