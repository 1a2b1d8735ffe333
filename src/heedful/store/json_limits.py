"""JSON files from anywhere: small enough to be held, and nothing in them that our writers do not write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from heedful.errors import ModelFolderError

MAX_BYTES = 32 * 2**20
MAX_VALUES, MAX_CONTAINERS = 5_000_000, 1_500_000  # numbers and strings, lists and objects: they decide on the memory


def limited_text(content: bytes, path: Path) -> str:
    """Return the text of a JSON file, or raise where reading it would take too much memory."""
    if len(content) > MAX_BYTES:
        raise ModelFolderError(f"{path} is larger than {MAX_BYTES // 2**20} MiB")
    if content.count(b",") > MAX_VALUES or content.count(b"[") + content.count(b"{") > MAX_CONTAINERS:
        raise ModelFolderError(f"{path} has more values than a model needs")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise ModelFolderError(f"{path} is not UTF-8") from None


def check_written(text: str, written: str, path: Path) -> None:
    """Raise where a file says anything that is not in what we would write for it. Older files may say less."""
    given, ours = json.loads(text), json.loads(written)
    if place := difference(given, ours):
        raise ModelFolderError(f"{path} has a value at {place[:80]} that heedful does not write")


def difference(given: Any, ours: Any, place: str = "the top") -> str | None:
    """Return the place of the first value that differs; keys that are only in `ours` do not count."""
    if isinstance(given, dict) and isinstance(ours, dict):
        for key, value in given.items():
            if key not in ours:
                return str(key)
            if found := difference(value, ours[key], str(key)):
                return found
        return None
    return None if type(given) is type(ours) and given == ours else place
