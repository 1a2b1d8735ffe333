"""What follows the transformer in a sentence-transformers folder: pooling, a linear map, scaling to length 1."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import ModelFolderError
from heedful.jobs.encoders.transformers.hub_folder import HubFolder, read_json
from heedful.store.contained_files import read_file
from heedful.store.safetensors_read import tensors_from

POOLERS = {"mean": "mean", "cls": "first", "max": "max"}  # of sentence-transformers → ours
_OLD_KEYS = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls", "pooling_mode_max_tokens": "max"}
IDENTITY = "torch.nn.modules.linear.Identity"


@dataclass(frozen=True)
class Ending:
    """How states become a vector."""

    pooler: str = "mean"
    is_unit: bool = False  # whether vectors are scaled to length 1
    map: NDArray[np.float32] | None = None  # (vector, width); None: the pooled state is the vector


def read_ending(folder: HubFolder, *, pooling: str | None = None) -> Ending:
    """Return the parts after the transformer; a folder without modules has mean pooling unless another is given."""
    ending = Ending()
    for module in folder.modules[1:]:
        ending = _with(ending, folder, str(module.get("type", "")), str(module.get("path", "")))
    return replace(ending, pooler=POOLERS[pooling]) if pooling else ending


def _with(ending: Ending, folder: HubFolder, kind: str, name: str) -> Ending:
    home = folder.path / name
    if Path(name).name != name:
        raise ModelFolderError(f"{folder.path} names a module outside of its folder")
    last = kind.rpartition(".")[2]
    if not kind.startswith("sentence_transformers."):
        raise ModelFolderError(f"{folder.path} has the module {kind[:80]!r}, code of its own, which heedful never runs")
    if last == "Pooling":
        return replace(ending, pooler=_pooler(home))
    if last == "Normalize":
        return replace(ending, is_unit=True)
    if last == "Dense":
        return replace(ending, map=_linear(home))
    if last == "Dropout":
        return ending
    raise ModelFolderError(f"{folder.path} has the module {last[:60]}; heedful knows Pooling, Normalize and Dense")


def _pooler(home: Path) -> str:
    config: dict[str, Any] = read_json(home, "config.json", needed=True)
    chosen = [key for key, value in config.items() if key.startswith("pooling_mode_") and value is True]
    mode = _OLD_KEYS.get(chosen[0], chosen[0]) if chosen else config.get("pooling_mode", "mean")
    if len(chosen) > 1 or mode not in POOLERS:
        raise ModelFolderError(f"{home}: heedful knows one of the poolings {', '.join(POOLERS)}")
    if config.get("include_prompt", True) is not True:
        raise ModelFolderError(f"{home}: pooling without the prompt is not supported")
    return POOLERS[mode]


def _linear(home: Path) -> NDArray[np.float32]:
    config = read_json(home, "config.json", needed=True)
    if config.get("activation_function") != IDENTITY or config.get("bias", True):
        raise ModelFolderError(
            f"{home}: a vector would not be a sum over words; heedful takes Dense without bias and activation"
        )
    weight = tensors_from(read_file(home, "model.safetensors"), home).get("linear.weight")
    if weight is None or weight.ndim != 2:
        raise ModelFolderError(f"{home} has no linear.weight")
    return weight.astype(np.float32)
