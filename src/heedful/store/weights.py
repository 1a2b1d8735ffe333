"""weights.safetensors: the weights of a network, optionally quantised."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import ModelFolderError
from heedful.store.safetensors_read import tensors_from

Weights = Mapping[str, NDArray[np.float32]]
SCALE = ".scale"  # the scales of an int8 tensor `name`, one per row, are in `name.scale`
TABLE = "embed.weight"


def as_int8(table: NDArray[np.float32], *, most: int = 127) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Quantise a table (row, width) to whole numbers from -`most` to `most` with a scale per row (row, 1)."""
    scales = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-12) / np.float32(most)
    return np.rint(table / scales).astype(np.int8), np.asarray(scales, dtype=np.float32)


def rounded(weights: Weights) -> dict[str, NDArray[np.float32]]:
    """Return the weights as read back from a quantised file: the table from int8, the others from float16."""
    return {name: _from_small(value) if name == TABLE else _halved(value) for name, value in weights.items()}


def weights_file(weights: Weights, *, small: bool) -> bytes:
    """Return the content of the file; with `small`, the table is int8 and other weights are float16."""
    from safetensors.numpy import save

    if not small:
        return bytes(save(dict(weights)))
    files: dict[str, NDArray[Any]] = {}
    for name, value in weights.items():
        if name == TABLE:
            files[name], files[name + SCALE] = as_int8(value)
        else:
            files[name] = value.astype(np.float16)
    return bytes(save(files))


def read_weights(path: Path) -> dict[str, NDArray[np.float32]]:
    """Read the output of `weights_file` as float32."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ModelFolderError(f"{path} cannot be read: {error}") from None
    return weights_from(content, path)


def weights_from(content: bytes, path: Path) -> dict[str, NDArray[np.float32]]:
    """Return the weights in the content of a file; `path` is for messages."""
    tensors = tensors_from(content, path)
    weights = {name: value.astype(np.float32) for name, value in tensors.items() if not name.endswith(SCALE)}
    for name, value in tensors.items():
        if name.endswith(SCALE):
            table = weights.get(name.removesuffix(SCALE))
            if table is None or value.shape != (len(table), 1):
                raise ModelFolderError(f"{path} cannot be read: {name} has no matching table")
            table *= value
    return weights


def _from_small(table: NDArray[np.float32]) -> NDArray[np.float32]:
    values, scales = as_int8(table)
    return values.astype(np.float32) * scales


def _halved(value: NDArray[np.float32]) -> NDArray[np.float32]:
    return value.astype(np.float16).astype(np.float32)
