"""Files by path or address, on this machine or any file system that Arrow knows: s3://, gs://, hdfs://, abfs://, …"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa
from pyarrow import fs

from heedful.data.read import READERS
from heedful.errors import DataError, HeedfulError, need

MARK = "://"


@dataclass(frozen=True)
class InputFile:
    """A file of rows as it was when the plan was made."""

    name: str  # as the user calls it
    place: str  # from any folder and any machine: an absolute path, or an address
    size: int
    changed: int | None  # nanoseconds, where the file system tells it


def file_system(place: str) -> tuple[Any, str]:
    """Return the file system of a path or address, and the path in it."""
    if MARK not in place:
        return fs.LocalFileSystem(), str(Path(place).absolute())
    try:
        return _by_address(place)
    except (pa.ArrowException, OSError, ValueError, ImportError) as error:
        raise HeedfulError(f"{place} cannot be reached: {first_line(error)}") from None


def _by_address(place: str) -> tuple[Any, str]:
    try:
        found: tuple[Any, str] = fs.FileSystem.from_uri(quote(place, safe=":/?=&@%+,;~$!'()[]"))
        return found
    except pa.ArrowInvalid as error:
        if "Unrecognized filesystem" not in str(error):
            raise
        system, path = need("fsspec.core", feature=f"Reading {place}", extra="scale").url_to_fs(place)
        return fs.PyFileSystem(fs.FSSpecHandler(system)), path


def is_local(system: Any) -> bool:
    """Return whether files can be moved into place in one step."""
    return isinstance(system, fs.LocalFileSystem)


def ending(name: str) -> tuple[str, bool]:
    """Return the ending of a file's name without .gz, and whether there was one."""
    path = name.partition("?")[0] if MARK in name else name
    return Path(path.removesuffix(".gz")).suffix.lower(), path.endswith(".gz")


def first_line(error: BaseException) -> str:
    """Return what an error says, in one line that is not too long."""
    return (str(error).strip() or type(error).__name__).splitlines()[0][:300]


def list_files(inputs: Sequence[str]) -> list[InputFile]:
    """Return the files that paths, folders and patterns name, each once: in the order given, sorted within each."""
    found: dict[str, InputFile] = {}
    for given in inputs:
        try:
            files = list(_files(given))
        except OSError as error:
            raise DataError(given, f"cannot be read: {first_line(error)}") from None
        if not files:
            raise DataError(given, f"no files here. Known endings: {', '.join(READERS)}, each also with .gz")
        for file in files:
            found.setdefault(file.place, file)
    return list(found.values())


def _files(given: str) -> Iterator[InputFile]:
    path, query = _without_query(given)
    stem, glob = (path, "") if _is_there(path) else _split_pattern(path)
    system, root = file_system(stem + query)
    info = system.get_file_info(root)
    if info.type == fs.FileType.File and not glob:
        _check_ending(given)
        yield InputFile(given, given if query or MARK in given else root, info.size, info.mtime_ns)
        return
    if info.type != fs.FileType.Directory:
        raise DataError(given, "no such file")
    wanted = _pattern(glob or "**")
    hidden = re.search(r"(^|/)[_.]", glob) is not None  # what folders keep for themselves, only if it is asked for
    for one in sorted(system.get_file_info(fs.FileSelector(root, recursive=True)), key=lambda one: one.path):
        inner = one.path[len(root) :].lstrip("/")
        if one.type == fs.FileType.File and ending(inner)[0] in READERS and wanted.fullmatch(inner):
            if not hidden and re.search(r"(^|/)[_.]", inner):
                continue
            name = f"{stem.rstrip('/')}/{inner}" if stem not in ("", ".") else inner
            yield InputFile(name, name + query if MARK in given else one.path, one.size, one.mtime_ns)


def _without_query(given: str) -> tuple[str, str]:
    """Return a path, and what an address says after `?` about how it is reached."""
    if MARK not in given:
        return given, ""
    path, mark, query = given.partition("?")
    return path, mark + query


def _is_there(path: str) -> bool:
    return MARK not in path and Path(path).exists()


def _split_pattern(path: str) -> tuple[str, str]:
    """Return the folder before the first part that has a wildcard in it, and the rest; without one, all and nothing."""
    wildcard = re.search(r"[*\[]" if MARK in path else r"[*?\[]", path)
    if wildcard is None:
        return path, ""
    at = path.rfind("/", 0, wildcard.start())
    return ("." if at < 0 else path[:at] or "/"), path[at + 1 :]


def _pattern(glob: str) -> re.Pattern[str]:
    """Return a glob as an expression: `*` stays in one folder, `**/` is any folders or none."""
    words = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    pieces = re.split(r"(\*\*/|\*\*|\*|\?|\[[^\]]+\])", glob)
    return re.compile(
        "".join(words.get(p) or (p.replace("[!", "[^") if p[:1] == "[" else re.escape(p)) for p in pieces)
    )


def _check_ending(name: str) -> None:
    kind, zipped = ending(name)
    if kind not in READERS:
        endings = ", ".join(READERS)
        raise DataError(name, f"cannot tell its format by its ending. Known endings: {endings}, each also with .gz")
    if kind == ".parquet" and zipped:
        raise DataError(name, "parquet is packed by itself: unzip it first")
