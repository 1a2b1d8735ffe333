"""ngrams.safetensors: the n-grams of a model with a wide part, by their hashes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from safetensors.numpy import save

from heedful.errors import ModelFolderError
from heedful.store.safetensors_read import tensors_from
from heedful.text.span_hashes import Hashes

NAME = "hashes"


def hashes_file(hashes: Hashes) -> bytes:
    """Return the content of the file."""
    return bytes(save({NAME: np.ascontiguousarray(hashes)}))


def hashes_from(content: bytes, path: Path) -> Hashes:
    """Return the hashes in the content of a file; `path` is for messages."""
    hashes = tensors_from(content, path).get(NAME)
    if hashes is None or hashes.dtype != np.uint64 or hashes.ndim != 1:
        raise ModelFolderError(f"{path} cannot be read: it has no list of hashes")
    if not (hashes[1:] > hashes[:-1]).all():
        raise ModelFolderError(f"{path} cannot be read: its hashes are not in order")
    return hashes
