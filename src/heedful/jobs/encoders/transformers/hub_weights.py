"""The weights of a transformer under the names that our network has for them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, deserialize

from heedful.errors import ModelFolderError, reason
from heedful.jobs.encoders.transformers.families import Family
from heedful.jobs.encoders.transformers.hub_folder import HubFolder

Floats = NDArray[np.float32]
WORDS = "embeddings.word_embeddings.weight"
N_BUCKETS, FURTHEST = 32, 128  # of MPNet's relative positions
OLD_NAMES = {"weight": "gamma", "bias": "beta"}  # of normalisations in old files
_KINDS = {"F32": "<f4", "F16": "<f2", "F64": "<f8"}


def read_tensors(folder: HubFolder) -> dict[str, Floats]:
    """Return all tensors of numbers, without the prefix that their model gave them."""
    tensors: dict[str, Floats] = {}
    for name, content in folder.weights().items():
        try:
            entries = deserialize(content)  # type: ignore[no-untyped-call]
        except (SafetensorError, ValueError, TypeError) as error:
            raise ModelFolderError(f"{folder.home / name} cannot be read: {reason(error)}") from None
        tensors |= {key: _array(entry) for key, entry in entries if entry["dtype"] in (*_KINDS, "BF16")}
    marks = [name for name in tensors if name.endswith(WORDS)]
    if len(marks) != 1:
        raise ModelFolderError(f"{folder.home}: the weights have no table of words ({WORDS})")
    prefix = marks[0].removesuffix(WORDS)
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}


def _array(entry: Mapping[str, Any]) -> Floats:
    """Return a tensor as float32. A bfloat16 is the upper half of a float32."""
    if entry["dtype"] == "BF16":
        halves = np.frombuffer(entry["data"], dtype="<u2").astype(np.uint32)
        values = (halves << 16).view(np.float32)
    else:
        values = np.frombuffer(entry["data"], dtype=_KINDS[entry["dtype"]]).astype(np.float32)
    return values.reshape(entry["shape"])


class Renaming:
    """Takes tensors by their names, checks their shapes, and gives them ours."""

    def __init__(self, folder: HubFolder, family: Family, sizes: Mapping[str, Any]) -> None:
        self._home, self._family, self._sizes = folder.home, family, sizes
        self._tensors = read_tensors(folder)

    def weights(self) -> dict[str, Floats]:
        """Return the weights of front and encoder."""
        width, inner = int(self._sizes["units"]), int(self._sizes["inner_units"])
        weights = {
            "embed.weight": self._taken(WORDS, (None, width)),
            "encoder.positions.weight": self._positions(width),
            **self._norm("encoder.norm_enter", "embeddings.LayerNorm", width),
        }
        if self._family.distances:
            weights["encoder.distances.weight"] = self._distances(int(self._sizes["n_heads"]))
        for i in range(int(self._sizes["n_layers"])):
            for ours, theirs in self._family.layers.items():
                name, source = f"encoder.layers.{i}.{ours}", theirs.format(i=i)
                if "norm" in ours:
                    weights |= self._norm(name, source, width)
                    continue
                shape = {"widen": (inner, width), "narrow": (width, inner)}.get(ours, (width, width))
                weights[f"{name}.weight"] = self._taken(f"{source}.weight", shape)
                weights[f"{name}.bias"] = self._taken(f"{source}.bias", shape[:1])
        if wrong := [name for name, value in weights.items() if not np.isfinite(value).all()]:
            raise ModelFolderError(f"{self._home}: {wrong[0]} has numbers that are not finite")
        return weights

    def _positions(self, width: int) -> Floats:
        """Return the positions from the first token on, with the vector of the first segment added."""
        table = self._taken("embeddings.position_embeddings.weight", (None, width))[self._family.first_position :]
        if not len(table):
            raise ModelFolderError(f"{self._home}: the table of positions is empty")
        if not self._family.segments or "embeddings.token_type_embeddings.weight" not in self._tensors:
            return table
        return table + self._taken("embeddings.token_type_embeddings.weight", (None, width))[:1]

    def _distances(self, n_heads: int) -> Floats:
        """Return what each distance from -128 to 128 adds: (distance, head)."""
        buckets = self._taken("encoder.relative_attention_bias.weight", (N_BUCKETS, n_heads))
        return buckets[[bucket_of(apart) for apart in range(-FURTHEST, FURTHEST + 1)]]

    def _norm(self, ours: str, theirs: str, width: int) -> dict[str, Floats]:
        names = {part: f"{theirs}.{part}" for part in OLD_NAMES}
        old = {part: f"{theirs}.{before}" for part, before in OLD_NAMES.items()}
        names = names if names["weight"] in self._tensors else old
        return {f"{ours}.{part}": self._taken(name, (width,)) for part, name in names.items()}

    def _taken(self, name: str, shape: tuple[int | None, ...]) -> Floats:
        if name not in self._tensors:
            raise ModelFolderError(f"{self._home}: the weights lack {name}")
        value = self._tensors[name]
        fits = value.ndim == len(shape) and all(
            want in (None, got) for want, got in zip(shape, value.shape, strict=True)
        )
        if not fits:
            raise ModelFolderError(f"{self._home}: {name} has the shape {value.shape}, which does not fit config.json")
        return value


def bucket_of(apart: int) -> int:
    """Return MPNet's bucket of a distance: key position less query position.

    Half of the buckets are for keys after the query. Near distances have buckets of their own, further ones share.
    """
    half, distance = N_BUCKETS // 2, abs(apart)
    start, exact = (half if apart > 0 else 0), half // 2
    if distance < exact:
        return start + distance
    share = np.log(np.float32(distance) / np.float32(exact)) / np.float32(math.log(FURTHEST / exact))
    return start + min(half - 1, exact + int(share * (half - exact)))
