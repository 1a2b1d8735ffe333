"""Reads safetensors with the library's own reader; every error becomes one line that names the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load

from heedful.errors import ModelFolderError, reason

MAX_HEADER = 8 * 2**20  # bytes of JSON; the library allows 100 MB


def tensors_from(content: bytes, path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays in the content of the file at `path`."""
    if int.from_bytes(content[:8], "little") > min(MAX_HEADER, len(content)):
        raise ModelFolderError(f"{path} cannot be read: its header is too large, or the file is truncated")
    try:
        return dict(load(content))
    except (SafetensorError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelFolderError(f"{path} cannot be read: {reason(error)}") from None
