"""Training state on disk: one safetensors file, replaced atomically."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from heedful.errors import TrainingError
from heedful.files.atomic import naming, write_bytes
from heedful.training.loop.optim import Optimisers

FILE = "checkpoint.safetensors"


@dataclass(frozen=True)
class Checkpoint:
    """The complete state of training."""

    tensors: Mapping[str, Tensor]
    facts: Mapping[str, Any]  # JSON values

    def group(self, prefix: str) -> dict[str, Tensor]:
        """Return the tensors under a prefix, without it."""
        return {k.removeprefix(prefix + "/"): v for k, v in self.tensors.items() if k.startswith(prefix + "/")}


def save_checkpoint(folder: Path, checkpoint: Checkpoint) -> None:
    """Write to a second file, flush it to disk, then replace the first."""
    tensors = {name: tensor.detach().contiguous().clone() for name, tensor in checkpoint.tensors.items()}
    # Not save_file: it writes to a file with a name of its own, which a kill would leave behind.
    content = save(tensors, metadata={"facts": json.dumps(checkpoint.facts)})
    with naming(folder / FILE):
        folder.mkdir(parents=True, exist_ok=True)
    try:
        write_bytes(folder / FILE, content)
    finally:
        with suppress(OSError):  # it is empty where the disk was full
            folder.rmdir()


def load_checkpoint(folder: Path) -> Checkpoint | None:
    """Return the last checkpoint in a folder, or None."""
    return read_checkpoint(checkpoint_bytes(folder), folder)


def checkpoint_bytes(folder: Path) -> bytes | None:
    """Return the content of the last checkpoint file, or None."""
    path = folder / FILE
    return path.read_bytes() if path.exists() else None


def read_checkpoint(content: bytes | None, folder: Path | None) -> Checkpoint | None:
    """Return the checkpoint that a file of `folder` holds."""
    if content is None:
        return None
    try:
        size = int.from_bytes(content[:8], "little")  # the header of a safetensors file, which `load` does not give
        facts = json.loads(json.loads(content[8 : 8 + size])["__metadata__"]["facts"])
        return Checkpoint(load(content), facts)
    except (SafetensorError, ValueError, KeyError, TypeError) as error:
        where = folder / FILE if folder is not None else "the checkpoint"
        raise TrainingError(
            f"{where} cannot be read ({error}). Delete its folder to start from the beginning"
        ) from None


def optimiser_tensors(optimisers: Optimisers) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Return the optimisers' state as tensors and plain numbers, named optimiser/parameter/what."""
    tensors: dict[str, Tensor] = {}
    numbers: dict[str, Any] = {}
    for i, optimiser in enumerate(optimisers):
        for j, values in optimiser.state_dict()["state"].items():
            for name, value in values.items():
                (tensors if isinstance(value, Tensor) else numbers)[f"{i}/{j}/{name}"] = value
    return tensors, numbers


def restore_optimisers(optimisers: Optimisers, tensors: Mapping[str, Tensor], numbers: Mapping[str, Any]) -> None:
    """Restore the state of optimisers that `optimiser_tensors` returned."""
    for i, optimiser in enumerate(optimisers):
        tree = optimiser.state_dict()
        state: dict[int, dict[str, Any]] = {}
        for key, value in {**tensors, **numbers}.items():
            which, parameter, name = key.split("/")
            if int(which) == i:
                state.setdefault(int(parameter), {})[name] = value
        optimiser.load_state_dict({**tree, "state": state})


def weights_of(network: torch.nn.Module) -> dict[str, Tensor]:
    """Return a copy of all weights, on the CPU."""
    return {name: tensor.detach().cpu().clone() for name, tensor in network.state_dict().items()}


def check_identity(then: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Raise if the checkpoint is of another training: other settings or data."""
    keys = sorted(then.keys() | now.keys())
    changed = [f"{key} was {then.get(key)!r}, now {now.get(key)!r}" for key in keys if then.get(key) != now.get(key)]
    if changed:
        raise TrainingError(
            f"cannot resume with other settings or data: {'; '.join(changed)}. Use the same again, or restart with "
            "overwrite"
        )
