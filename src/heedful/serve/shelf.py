"""The models that are served, by name. Each can be loaded again while requests to it are under way."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.data.items import Features
from heedful.errors import HeedfulError, did_you_mean
from heedful.runtime.model import Model, load
from heedful.runtime.vectors import unit
from heedful.serve.faults import Refused
from heedful.store.audit_file import AUDIT
from heedful.store.folder import GRAPH, read_file
from heedful.store.hops_file import read_atlas
from heedful.store.shipped import model_path

INPUTS = ("text", "molecule")  # others are files, and nobody from outside may name a file of this machine
MOST_CARD = 1_000_000  # bytes of a card or an audit
BATCH = 128
Look = frozenset[tuple[str, int, int, int]]


@dataclass(frozen=True, eq=False)
class Held:
    """A loaded model, and the two things that are asked of it in batches."""

    name: str
    model: Model
    since: float = field(default_factory=time.time)

    @cached_property
    def does(self) -> tuple[str, ...]:
        """What it can be asked for."""
        model, task = self.model, self.model.config.task
        plain = task in ("classify", "regress", "embed")
        found = {
            "embeddings": plain and model.config.input == "text",
            "predict": task != "embed",
            "explain": task != "embed",
            "similarity": task == "embed" and model.config.model.pooler in ("structured", "mean"),
            "steps": plain and bool(model.looks_outputs),
        }
        return tuple(name for name, is_so in found.items() if is_so)

    @property
    def is_plain(self) -> bool:
        """Whether its answers are scores for each input, which are gathered; others answer call by call."""
        return self.model.config.task in ("classify", "regress") and self.model.config.input == "text"

    def vectors(self, features: Sequence[Features]) -> NDArray[Any]:
        """Return a vector of length 1 for each text."""
        output = "vector" if self.model.is_encoder else "rows"
        return unit(self._rows(features, output, self.model.width, np.float32))

    def scores(self, features: Sequence[Features]) -> NDArray[Any]:
        """Return scores for each text."""
        return self._rows(features, "scores", len(self.model.labels), self.model.score_dtype)

    def _rows(self, features: Sequence[Features], output: str, width: int, dtype: Any) -> NDArray[Any]:
        rows = np.zeros((len(features), width), dtype=dtype)
        for batch, (found,) in self.model.run(features, (output,), batch_size=BATCH):
            rows[batch.positions] = found.reshape(len(found), -1)
        return rows

    @cached_property
    def described(self) -> dict[str, Any]:
        """What is said of it in the list of models."""
        model, settings = self.model, self.model.config.model
        return {
            "id": self.name,
            "object": "model",
            "created": int(self.since),
            "owned_by": "heedful",
            "task": model.config.task,
            "input": model.config.input,
            "labels": list(model.labels),
            "many": model.is_many,
            "encoder": settings.encoder,
            "vector_width": model.width if "embeddings" in self.does else 0,
            "n_hops": model.facts.n_hops,
            "n_layers": len(model.looks_outputs),
            "n_heads": settings.n_heads if model.looks_outputs else 0,
            "max_tokens": model.featuriser.max_tokens,
            "does": list(self.does),
            "verdict": {"level": model.verdict.level, "words": model.verdict.words},
        }

    @cached_property
    def card(self) -> dict[str, Any]:
        """All that its folder says of it."""
        model, path = self.model, self.model.path
        return {
            "id": self.name,
            "readme": _text(path, "README.md"),
            "figures": dict(model.facts.figures),
            "labels": list(model.labels),
            "config": model.config.to_dict(),
            "data": dict(model.facts.data),
            "bytes": sum(file.stat().st_size for file in path.iterdir() if file.is_file()),
            "heedful": model.facts.heedful,
            "verdict": self.described["verdict"],
            "audit": _json(path, AUDIT),
            "hops": read_atlas(path, model.fingerprint, read_file(path, GRAPH)),
        }


class Shelf:
    """Models by name, in the order given."""

    def __init__(self, folders: Mapping[str, str], *, threads: int = 1) -> None:
        self._folders, self._threads = dict(folders), threads
        self._seen: dict[str, Look | None] = {}  # each folder as it was when it was last read
        self._held = {name: self._load(name) for name in folders}

    def __iter__(self) -> Iterator[Held]:
        return iter(self._held.values())

    def find(self, name: str | None, *, does: str) -> Held:
        """Return a model that does what is asked, or say which do; without a name, the first that does."""
        fitting = [held for held in self if does in held.does]
        if name is None:
            if not fitting:
                said = f"None of the models served here does {does}. Start the server with one that does as well."
                raise Refused(400, said, param="model")
            return fitting[0]
        held = self.named(name)
        if held not in fitting:
            others = f" These do: {', '.join(each.name for each in fitting)}." if fitting else ""
            said = f"{name} is a model for {held.model.config.task} and does not do {does}.{others}"
            raise Refused(400, said, param="model")
        return held

    def named(self, name: str) -> Held:
        """Return the model of that name."""
        if name not in self._held:
            said = f"There is no model {name[:80]!r} here.{did_you_mean(name, self._held)} There are: "
            raise Refused(404, f"{said}{', '.join(self._held)}.", param="model", code="model_not_found")
        return self._held[name]

    def reload(self, name: str) -> Held:
        """Load a model again. Requests under way keep the one they have; raises where the folder is broken."""
        held = self._load(name)
        self._held = {**self._held, name: held}
        return held

    def changed(self) -> list[str]:
        """Return the models whose folders are others than those that were loaded, or tried."""
        return [name for name, seen in self._seen.items() if _look(self._held[name].model.path) not in (seen, None)]

    def _load(self, name: str) -> Held:
        since = time.time()
        self._seen[name] = _look(model_path(self._folders[name]))
        model = load(self._folders[name], threads=self._threads)
        if model.config.input not in INPUTS:
            raise HeedfulError(
                f"{name} reads {model.config.input}, which comes from files: only texts and molecules are served"
            )
        return Held(name, model, since)


def named_folders(given: Sequence[str]) -> dict[str, str]:
    """Return name → folder of what a user gave: NAME=FOLDER, a folder, or a model that comes with heedful."""
    found: dict[str, str] = {}
    for each in given:
        name, mark, folder = each.partition("=")
        if not mark or "/" in name:
            name, folder = model_path(each).resolve().name, each
        if name in found:
            raise HeedfulError(f"two models are named {name}: say NAME={folder} for one of them")
        found[name] = folder
    return found


def _look(folder: Path) -> Look | None:
    """Return what changes when any file is written or the folder is replaced, even by an older one."""
    try:
        found = [(file.name, file.stat()) for file in folder.iterdir()]
    except OSError:  # it is being replaced
        return None
    return frozenset((name, stat.st_ino, stat.st_size, stat.st_mtime_ns) for name, stat in found)


def _text(path: Path, name: str) -> str:
    try:
        return read_file(path, name)[:MOST_CARD].decode("utf-8", "replace")
    except HeedfulError:
        return ""


def _json(path: Path, name: str) -> Any:
    try:
        return json.loads(_text(path, name) or "null")
    except (ValueError, RecursionError):
        return None
