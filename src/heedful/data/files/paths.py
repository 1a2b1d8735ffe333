"""The files of a path: a file, a pattern such as parts/*.csv, or a folder of files of one format."""

from __future__ import annotations

import glob
import itertools
from collections.abc import Collection
from pathlib import Path

from heedful.errors import DataError, listed

WILDCARDS = "*?["
MOST_FILES = 100_000
MODEL = "config.toml"  # in a model folder


def ending_of(path: str | Path) -> str:
    """Return the extension of a file in lower case, without .gz."""
    return Path(Path(path).name.removesuffix(".gz")).suffix.lower()


def is_pattern(path: str | Path) -> bool:
    """Return whether a path has a wildcard and is not itself a file."""
    return any(char in str(path) for char in WILDCARDS) and not _exists(path)


def files_of(path: str | Path, endings: Collection[str]) -> list[str]:
    """Return the files of a pattern or a folder in alphabetical order, or the file itself."""
    if is_pattern(path):
        return _matches(path)
    return _in_folder(Path(path), endings) if _exists(path) and Path(path).is_dir() else [str(path)]


def _matches(pattern: str | Path) -> list[str]:
    matches = itertools.islice(glob.iglob(str(pattern), recursive=True), MOST_FILES + 1)  # noqa: PTH207
    names = sorted(name for name in matches if Path(name).is_file())
    if not names:
        raise DataError(pattern, "no file matches this pattern")
    if len(names) > MOST_FILES:
        raise DataError(pattern, f"more than {MOST_FILES:,} files match")
    return names


def _in_folder(folder: Path, endings: Collection[str]) -> list[str]:
    if (folder / MODEL).is_file():
        raise DataError(folder, "this is a model folder, expected a file or a folder of files")
    try:
        names = sorted(file.name for file in folder.iterdir() if file.is_file())
    except OSError as error:
        raise DataError(folder, f"cannot be read: {error.strerror}") from None
    names = [name for name in names if not name.startswith((".", "_")) and ending_of(name) in endings]
    if not names:
        raise DataError(folder, f"this folder has no file with a known extension: {listed(endings, most=20)}")
    if len(kinds := sorted({ending_of(name) for name in names})) > 1:
        raise DataError(
            folder,
            f"this folder has files of several formats ({listed(kinds)}). Name one, such as '{folder}/*{kinds[0]}'",
        )
    return [str(folder / name) for name in names]


def _exists(path: str | Path) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # a name too long, or with a null byte in it
        return False
