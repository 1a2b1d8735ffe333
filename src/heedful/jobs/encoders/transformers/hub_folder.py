"""A folder of a transformer, as Hugging Face and sentence-transformers save it. Nothing in it is run as code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heedful.errors import ModelFolderError, NoSuchModel
from heedful.store.contained_files import read_file
from heedful.store.json_limits import limited_text

CONFIG, TOKENIZER, MODULES = "config.json", "tokenizer.json", "modules.json"
WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
PICKLED = ("pytorch_model.bin", "pytorch_model.bin.index.json", "model.bin")


@dataclass(frozen=True)
class HubFolder:
    """The folder, with its settings read."""

    path: Path
    home: Path  # folder of the transformer itself: `path`, or a subfolder of it
    config: Mapping[str, Any]
    modules: tuple[Mapping[str, Any], ...]  # of sentence-transformers, in order; none in a plain folder

    def json(self, name: str, *, needed: bool = False) -> dict[str, Any]:
        """Return a JSON file next to the weights; an empty table if it is missing."""
        return read_json(self.home, name, needed=needed)

    def weights(self) -> dict[str, bytes]:
        """Return the content of each file of weights, by name."""
        if (self.home / WEIGHTS).is_file():
            return {WEIGHTS: read_file(self.home, WEIGHTS)}
        if (self.home / INDEX).is_file():
            names = sorted({str(name) for name in self.json(INDEX).get("weight_map", {}).values()})
            if any(Path(name).name != name or not name.endswith(".safetensors") for name in names):
                raise ModelFolderError(f"{self.home / INDEX} names files outside of its folder")
            return {name: read_file(self.home, name) for name in names}
        pickled = next((name for name in PICKLED if (self.home / name).exists()), None)
        if pickled:
            raise ModelFolderError(
                f"{self.home / pickled} is a pickle, which can run code when it is read. Save the model as "
                "safetensors: model.save_pretrained(folder, safe_serialization=True)"
            )
        raise ModelFolderError(f"{self.home} has no {WEIGHTS}")


def read_hub_folder(path: str | Path) -> HubFolder:
    """Read the settings of a folder, or raise with the reason why it cannot be imported."""
    path = Path(path)
    if not path.is_dir():
        error = ModelFolderError if path.exists() else NoSuchModel
        raise error(f"{path} is not a folder: expected a transformer saved by transformers or sentence-transformers")
    modules: list[Any] = _list(path) if (path / MODULES).is_file() else []
    inner = str(modules[0].get("path", "")) if modules else ""
    if Path(inner).name != inner:
        raise ModelFolderError(f"{path / MODULES} names a folder outside of its own")
    home = path / inner
    if not (home / CONFIG).is_file():
        raise ModelFolderError(f"{path} is not a transformer: it has no {(Path(inner) / CONFIG).as_posix()}")
    config = read_json(home, CONFIG)
    _check_encoder(home, config)
    return HubFolder(path, home, config, tuple(modules))


def read_json(folder: Path, name: str, *, needed: bool = False) -> dict[str, Any]:
    """Return the table in a JSON file of a folder; an empty one if it is missing and not `needed`."""
    if not (folder / name).is_file() and not needed:
        return {}
    tree = _parsed(folder, name)
    if not isinstance(tree, dict):
        raise ModelFolderError(f"{folder / name} is not a table")
    return tree


def _parsed(folder: Path, name: str) -> Any:
    text = limited_text(read_file(folder, name), folder / name)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModelFolderError(f"{folder / name} is not readable: {type(error).__name__}: {error}") from None


def _list(path: Path) -> list[Any]:
    modules = _parsed(path, MODULES)
    if not (isinstance(modules, list) and modules and all(isinstance(module, dict) for module in modules)):
        raise ModelFolderError(f"{path / MODULES} is not a list of modules")
    return modules


def _check_encoder(home: Path, config: Mapping[str, Any]) -> None:
    """Raise if the transformer runs code of its own, or is a decoder."""
    if "auto_map" in config:
        raise ModelFolderError(f"{home} needs Python code of its own (auto_map in {CONFIG}), which heedful never runs")
    if config.get("is_decoder") or config.get("add_cross_attention") or config.get("is_encoder_decoder"):
        raise ModelFolderError(f"{home} is a decoder; heedful imports encoders, such as BERT and MPNet")
