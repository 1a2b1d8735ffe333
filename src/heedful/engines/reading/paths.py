"""Files by path or URL, on any file system that Arrow supports: local, s3://, gs://, hdfs://, abfs://, …"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa
from pyarrow import fs

from heedful.errors import DataError, HeedfulError, NoSuchFile, need

MARK = "://"
ENDINGS = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet", ".txt")  # of files that can be read in parts


@dataclass(frozen=True)
class InputFile:
    """An input file, as it was when the plan was made."""

    name: str  # as given by the user
    place: str  # an absolute path or a URL
    size: int
    changed: int | None  # modification time in nanoseconds, if known


def file_system(place: str) -> tuple[Any, str]:
    """Return the file system of a path or URL, and the path in it."""
    if MARK not in place:
        return fs.LocalFileSystem(), str(Path(place).absolute())
    try:
        return _by_address(place)
    except (pa.ArrowException, OSError, ValueError, ImportError) as error:
        raise HeedfulError(f"{place} cannot be reached: {first_line(error)}") from None


def _by_address(place: str) -> tuple[Any, str]:
    try:
        resolved: tuple[Any, str] = fs.FileSystem.from_uri(quote(place, safe=":/?=&@%+,;~$!'()[]"))
        return resolved
    except pa.ArrowInvalid as error:
        if "Unrecognized filesystem" not in str(error):
            raise
        system, path = need("fsspec.core", feature=f"Reading {place}", extra="scale").url_to_fs(place)
        return fs.PyFileSystem(fs.FSSpecHandler(system)), path


def is_local(system: Any) -> bool:
    """Return whether files can be renamed atomically."""
    return isinstance(system, fs.LocalFileSystem)


def ending(name: str) -> tuple[str, bool]:
    """Return the extension of a file name without .gz, and whether it had .gz."""
    path = name.partition("?")[0] if MARK in name else name
    return Path(path.removesuffix(".gz")).suffix.lower(), path.endswith(".gz")


def first_line(error: BaseException) -> str:
    """Return the first line of an error message, truncated."""
    return (str(error).strip() or type(error).__name__).splitlines()[0][:300]


def list_files(inputs: Sequence[str]) -> list[InputFile]:
    """Return the files of paths, folders and patterns without duplicates: in the order given, each sorted."""
    files_by_place: dict[str, InputFile] = {}
    for pattern in inputs:
        try:
            files = list(_files(pattern))
        except OSError as error:
            raise DataError(pattern, f"cannot be read: {first_line(error)}") from None
        if not files:
            raise DataError(pattern, f"no files found. Known extensions: {', '.join(ENDINGS)}, each also with .gz")
        for file in files:
            files_by_place.setdefault(file.place, file)
    return list(files_by_place.values())


def _files(given: str) -> Iterator[InputFile]:
    path, query = _without_query(given)
    stem, glob = (path, "") if _is_there(path) else _split_pattern(path)
    system, root = file_system(stem + query)
    root_info = system.get_file_info(root)
    if root_info.type == fs.FileType.File and not glob:
        _check_ending(given)
        yield InputFile(given, given if query or MARK in given else root, root_info.size, root_info.mtime_ns)
        return
    if root_info.type != fs.FileType.Directory:
        raise NoSuchFile(given)
    wanted = _pattern(glob or "**")
    hidden = re.search(r"(^|/)[_.]", glob) is not None  # hidden files, only if the pattern names them
    for info in sorted(system.get_file_info(fs.FileSelector(root, recursive=True)), key=lambda info: info.path):
        inner = info.path[len(root) :].lstrip("/")
        if info.type == fs.FileType.File and ending(inner)[0] in ENDINGS and wanted.fullmatch(inner):
            if not hidden and re.search(r"(^|/)[_.]", inner):
                continue
            name = f"{stem.rstrip('/')}/{inner}" if stem not in ("", ".") else inner
            yield InputFile(name, name + query if MARK in given else info.path, info.size, info.mtime_ns)


def _without_query(given: str) -> tuple[str, str]:
    """Split a URL into path and query (file-system options)."""
    if MARK not in given:
        return given, ""
    path, mark, query = given.partition("?")
    return path, mark + query


def _is_there(path: str) -> bool:
    return MARK not in path and Path(path).exists()


def _split_pattern(path: str) -> tuple[str, str]:
    """Split a path before its first component with a wildcard; without one, the second part is empty."""
    wildcard = re.search(r"[*\[]" if MARK in path else r"[*?\[]", path)
    if wildcard is None:
        return path, ""
    at = path.rfind("/", 0, wildcard.start())
    return ("." if at < 0 else path[:at] or "/"), path[at + 1 :]


def _pattern(glob: str) -> re.Pattern[str]:
    """Translate a glob to a regular expression: `*` stays within a folder, `**/` is any number of folders."""
    wildcards = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*\*|\*|\?|\[[^\]]+\])", glob)
    return re.compile(
        "".join(wildcards.get(p) or (p.replace("[!", "[^") if p[:1] == "[" else re.escape(p)) for p in parts)
    )


def _check_ending(name: str) -> None:
    kind, is_gzip = ending(name)
    if kind not in ENDINGS:
        endings = ", ".join(ENDINGS)
        raise DataError(name, f"unknown file extension. Known extensions: {endings}, each also with .gz")
    if kind == ".parquet" and is_gzip:
        raise DataError(name, "gzipped parquet is not supported: decompress it first")
