"""Untrusted JSON files: limits on size, and a check that they contain only what heedful writes."""

from __future__ import annotations

import json
from pathlib import Path

from heedful.errors import ModelFolderError
from heedful.files.json_difference import first_difference

MAX_BYTES = 32 * 2**20
MAX_VALUES, MAX_CONTAINERS = (
    5_000_000,
    1_500_000,
)  # numbers and strings, lists and objects: they bound the memory use


def limited_text(content: bytes, path: Path) -> str:
    """Return the text of a JSON file, or raise if parsing it would take too much memory."""
    if len(content) > MAX_BYTES:
        raise ModelFolderError(f"{path} is larger than {MAX_BYTES // 2**20} MiB")
    if content.count(b",") > MAX_VALUES or content.count(b"[") + content.count(b"{") > MAX_CONTAINERS:
        raise ModelFolderError(f"{path} has more values than a model needs")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise ModelFolderError(f"{path} is not UTF-8") from None


def check_written(text: str, written: str, path: Path) -> None:
    """Raise if a file contains anything that heedful would not write. Older files may contain less."""
    given, ours = json.loads(text), json.loads(written)
    if (place := first_difference(given, ours)) is not None:
        raise ModelFolderError(f"{path} has a value at {place[:80]} that heedful does not write")
