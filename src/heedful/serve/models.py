"""The models that are served, by name. Each can be loaded again while requests to it are under way."""

from __future__ import annotations

import json
import logging
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.data.features import Features
from heedful.errors import HeedfulError, did_you_mean
from heedful.runtime.model import Model, load
from heedful.runtime.vector_form import unit
from heedful.serve.http.errors import Refused
from heedful.serve.routes.views import with_shades
from heedful.store.audit_file import AUDIT
from heedful.store.contained_files import read_file
from heedful.store.folder import GRAPH
from heedful.store.hops_file import read_atlas
from heedful.store.shipped import model_path

INPUTS = ("text", "molecule")  # others are files, and nobody from outside may name a file of this machine
MOST_CARD = 1_000_000  # bytes of a card or an audit
BATCH = 128
Look = frozenset[tuple[str, int, int, int]]
log = logging.getLogger("heedful.serve")


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
            "bytes": _size(path),
            "heedful": model.facts.heedful,
            "verdict": self.described["verdict"],
            "audit": _json(path, AUDIT),
            "hops": _hops(model),
        }


class Shelf:
    """Models by name, in the order given."""

    def __init__(self, folders: Mapping[str, str], *, threads: int = 1) -> None:
        self._folders, self._threads = dict(folders), threads
        self._lock, self._newest = Lock(), Counter[str]()  # of each model, how often its loading was begun
        self._undescribed: set[int] = set()  # models that cannot be described, which was said
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
        with self._lock:
            self._newest[name] += 1
            mine = self._newest[name]
        held = self._load(name)
        with self._lock:
            if self._newest[name] != mine:
                raise HeedfulError("it was loaded too late: another load of it has begun since, or its time was over")
            self._held = {**self._held, name: held}
        return held

    def forget(self, name: str) -> None:
        """Let a load of a model that is under way come to nothing."""
        with self._lock:
            self._newest[name] += 1

    def described(self) -> list[dict[str, Any]]:
        """Return what is said of each model. One that cannot be described is left out, and the log says so once."""
        found = []
        for held in self:
            try:
                found.append(held.described)
            except Exception as error:
                if id(held) not in self._undescribed:
                    self._undescribed.add(id(held))
                    log.error("a model cannot be described", extra={"model": held.name}, exc_info=error)
        return found

    def changed(self) -> list[str]:
        """Return the models whose folders are others than those that were loaded, or tried."""
        return [name for name, look in self.new_looks().items() if look is not None]

    def new_looks(self) -> dict[str, Look | None]:
        """Return how the folders are that are others than those that were loaded, or tried; None: it cannot be seen."""
        looks = {name: _look(self._held[name].model.path) for name in self._seen}
        return {name: look for name, look in looks.items() if look != self._seen[name]}

    def _load(self, name: str) -> Held:
        since = time.time()
        self._seen[name] = _look(model_path(self._folders[name]))
        model = load(self._folders[name], threads=self._threads)
        if model.config.input not in INPUTS:
            raise HeedfulError(
                f"{name} reads {model.config.input}, which comes from files: only texts and molecules are served"
            )
        held = Held(name, model, since)
        _ = held.described  # what cannot be described is a fault of the folder, and not of a later request
        return held


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
        files = list(folder.iterdir())
    except OSError:  # it is being replaced
        return None
    found = []
    for file in files:
        with suppress(OSError):  # a link to nowhere, as editors make them, or a file that is gone again
            stat = file.stat()
            found.append((file.name, stat.st_ino, stat.st_size, stat.st_mtime_ns))
    return frozenset(found)


def _size(folder: Path) -> int:
    """Return the bytes of all files that can be seen."""
    look = _look(folder)
    return sum(size for _, _, size, _ in look or ())


def _hops(model: Model) -> Any:
    """Return what the hops read; None where the folder holds something else than it should."""
    try:
        atlas = read_atlas(model.path, model.fingerprint, read_file(model.path, GRAPH))
        return None if atlas is None else with_shades(atlas)
    except (HeedfulError, ValueError, TypeError, KeyError, OSError, RecursionError):
        return None


def _text(path: Path, name: str) -> str:
    try:
        return read_file(path, name)[:MOST_CARD].decode("utf-8-sig", "replace")
    except HeedfulError:
        return ""


def _json(path: Path, name: str) -> Any:
    try:
        return json.loads(_text(path, name) or "null")
    except (ValueError, RecursionError):
        return None
