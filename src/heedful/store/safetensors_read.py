"""The safetensors format by NumPy alone, so that looking into a model needs no more than running it."""

from __future__ import annotations

import json
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import ModelFolderError

KINDS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I8": "i1", "U8": "u1", "BOOL": "?"}
MAX_HEADER = 8 * 2**20  # bytes of JSON


def read_tensors(path: Path) -> dict[str, NDArray[Any]]:
    """Read the arrays of a file: a length, so many bytes of JSON with types, shapes and places, then the numbers."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ModelFolderError(f"{path} cannot be read: {error}") from None
    return tensors_from(content, path)


def tensors_from(content: bytes, path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays in the content of the file at `path`."""
    try:
        start = 8 + int.from_bytes(content[:8], "little")
        if not 8 < start <= len(content):
            raise ValueError("it is cut, or not of this format")
        if start > MAX_HEADER:
            raise ValueError("its header is too large")
        header = json.loads(content[8:start])
        header.pop("__metadata__", None)
        return {name: _tensor(memoryview(content)[start:], about) for name, about in header.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelFolderError(f"{path} cannot be read: {error}") from None


def _tensor(numbers: memoryview, about: dict[str, Any]) -> NDArray[Any]:
    kind, shape, (begin, end) = np.dtype(KINDS[about["dtype"]]), about["shape"], about["data_offsets"]
    if not 0 <= begin <= end <= len(numbers) or any(n < 0 for n in shape) or end - begin != prod(shape) * kind.itemsize:
        raise ValueError(f"a tensor of shape {shape} does not lie at {begin} to {end} of {len(numbers)} bytes")
    return np.frombuffer(numbers[begin:end], dtype=kind).reshape(shape)
