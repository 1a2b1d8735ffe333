"""Files of an untrusted folder: links that lead out of it are not followed, neither to read nor to write."""

from __future__ import annotations

from pathlib import Path

from heedful.errors import HeedfulError, ModelFolderError, reason
from heedful.files.atomic import write_text


def inside(folder: Path, name: str) -> Path:
    """Return the path of a file in a folder; raise if a link leads out of it."""
    file = folder / name
    if file.resolve().parent != folder.resolve():
        raise ModelFolderError(f"{file} leads out of its folder")
    return file


def read_file(folder: Path, name: str) -> bytes:
    """Return the content of a file."""
    if not (folder / name).is_file():
        raise ModelFolderError(f"{folder} is not a model: it has no {name}")
    try:
        return inside(folder, name).read_bytes()
    except OSError as error:
        raise ModelFolderError(f"{folder / name} cannot be read: {reason(error)}") from None


def read_small(folder: Path, name: str, most_bytes: int) -> str | None:
    """Return the text of an optional file; None if it is missing, larger, not UTF-8 or not in the folder itself."""
    file = folder / name
    try:
        if not file.is_file() or file.resolve().parent != folder.resolve():
            return None
        with file.open("rb") as opened:
            content = opened.read(most_bytes + 1)
        return content.decode("utf-8") if len(content) <= most_bytes else None
    except (OSError, UnicodeDecodeError):
        return None


def write_file(folder: Path, name: str, content: str) -> Path:
    """Write a file atomically."""
    try:
        return write_text(inside(folder, name), content)
    except HeedfulError as error:
        raise error if isinstance(error, ModelFolderError) else ModelFolderError(str(error)) from None
