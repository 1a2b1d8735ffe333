"""Registry of the served models, by name. A model can be reloaded while requests to it are running."""

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
from heedful.show.words.view import with_view
from heedful.store.contained_files import read_file
from heedful.store.folder import GRAPH
from heedful.store.results.audit_file import AUDIT
from heedful.store.results.hops_file import read_atlas
from heedful.store.results.words_file import read_words
from heedful.store.shipped import model_path
from heedful.tasks.task import BATCH, EMBED, EXPLAIN, PREDICT, SIMILARITY, STEPS

MAX_CARD_BYTES = 1_000_000  # of a card or an audit
BATCH_SIZE = 128
ENGLISH_WORDS = ("the", "and", "to", "it", "was")  # known to a model of English texts
FolderState = frozenset[tuple[str, int, int, int]]  # name, inode, size and modification time of each file
log = logging.getLogger("heedful.serve")


@dataclass(frozen=True, eq=False)
class ServedModel:
    """A loaded model, with the two outputs that are computed in batches."""

    name: str
    model: Model
    since: float = field(default_factory=time.time)

    @cached_property
    def capabilities(self) -> tuple[str, ...]:
        """The kinds of requests that it supports."""
        model = self.model
        supported = {
            "embeddings": EMBED in model.can and model.input.is_text,
            "predict": PREDICT in model.can,
            "explain": EXPLAIN in model.can,
            "similarity": SIMILARITY in model.can and model.config.model.pooler in ("structured", "mean"),
            "steps": STEPS in model.can and bool(model.looks_outputs),
        }
        return tuple(name for name, is_supported in supported.items() if is_supported)

    @property
    def is_plain(self) -> bool:
        """Whether it gives scores for each text, which can be batched; other models are called one by one."""
        return BATCH in self.model.can and self.model.input.is_text

    def vectors(self, features: Sequence[Features]) -> NDArray[Any]:
        """Return a unit vector for each text."""
        return unit(self._rows(features, self.model.vector_output, self.model.width, np.float32))

    def scores(self, features: Sequence[Features]) -> NDArray[Any]:
        """Return scores for each text."""
        return self._rows(
            features, "scores", len(self.model.labels), self.model.answer.dtype if self.model.answer else np.float32
        )

    def _rows(self, features: Sequence[Features], output: str, width: int, dtype: Any) -> NDArray[Any]:
        rows = np.zeros((len(features), width), dtype=dtype)
        for batch, (values,) in self.model.run(features, (output,), batch_size=BATCH_SIZE):
            rows[batch.positions] = values.reshape(len(values), -1)
        return rows

    @cached_property
    def description(self) -> dict[str, Any]:
        """Its entry in the list of models."""
        model, settings = self.model, self.model.config.model
        return {
            "id": self.name,
            "object": "model",
            "created": int(self.since),
            "owned_by": "heedful",
            "task": model.config.task,
            "input": model.config.input,
            "labels": list(model.labels),
            "many": model.facts.is_multilabel,
            "encoder": settings.encoder,
            "is_english": _knows(model, ENGLISH_WORDS),
            "vector_width": model.width if "embeddings" in self.capabilities else 0,
            "n_hops": model.facts.n_hops,
            "n_layers": len(model.looks_outputs),
            "n_heads": settings.n_heads if model.looks_outputs else 0,
            "max_tokens": model.featuriser.max_tokens,
            "does": list(self.capabilities),
            "verdict": {"level": model.verdict.level, "words": model.verdict.words},
        }

    @cached_property
    def card(self) -> dict[str, Any]:
        """Everything that its folder says about it: card, metrics, config, audit, hops, words."""
        model, path = self.model, self.model.path
        return {
            "id": self.name,
            "readme": _text(path, "README.md"),
            "figures": dict(model.facts.metrics),
            "labels": list(model.labels),
            "config": model.config.to_dict(),
            "data": dict(model.facts.data),
            "bytes": _size(path),
            "heedful": model.facts.heedful,
            "verdict": self.description["verdict"],
            "audit": _json(path, AUDIT),
            "hops": _hops(model),
            "words": _words(model),
        }


class ModelRegistry:
    """Models by name, in the order given."""

    def __init__(self, folders: Mapping[str, str], *, threads: int = 1) -> None:
        self._folders, self._threads = dict(folders), threads
        self._lock, self._load_numbers = Lock(), Counter[str]()  # by model, the number of its latest load
        self._logged: set[int] = set()  # ids of models without a description, each logged once
        self._loaded_states: dict[str, FolderState | None] = {}  # each folder as it was at its last load
        self._models = {name: self._load(name) for name in folders}

    def __iter__(self) -> Iterator[ServedModel]:
        return iter(self._models.values())

    def find(self, name: str | None, *, capability: str) -> ServedModel:
        """Return the model of that name, or without a name the first with the capability; refuse if it lacks it."""
        capable = [served for served in self if capability in served.capabilities]
        if name is None:
            if not capable:
                message = f"None of the models on this server supports {capability}. Serve a model that does."
                raise Refused(400, message, param="model")
            return capable[0]
        served = self.get(name)
        if served not in capable:
            others = f" These do: {', '.join(other.name for other in capable)}." if capable else ""
            message = f"{name} is a model for {served.model.config.task} and does not support {capability}.{others}"
            raise Refused(400, message, param="model")
        return served

    def get(self, name: str) -> ServedModel:
        """Return the model of that name."""
        if name not in self._models:
            names = ", ".join(self._models)
            message = f"There is no model {name[:80]!r} here.{did_you_mean(name, self._models)} Available: {names}."
            raise Refused(404, message, param="model", code="model_not_found")
        return self._models[name]

    def reload(self, name: str) -> ServedModel:
        """Reload a model; raises if its folder is broken. Running requests keep the model they have."""
        with self._lock:
            self._load_numbers[name] += 1
            number = self._load_numbers[name]
        served = self._load(name)
        with self._lock:
            if self._load_numbers[name] != number:
                raise HeedfulError("it finished too late: it timed out, or a newer load has started")
            self._models = {**self._models, name: served}
        return served

    def discard_load(self, name: str) -> None:
        """Discard the result of a running load of a model."""
        with self._lock:
            self._load_numbers[name] += 1

    def descriptions(self) -> list[dict[str, Any]]:
        """Return the list of models. A model whose description fails is left out and logged once."""
        descriptions = []
        for served in self:
            try:
                descriptions.append(served.description)
            except Exception as error:
                if id(served) not in self._logged:
                    self._logged.add(id(served))
                    log.error("a model cannot be described", extra={"model": served.name}, exc_info=error)
        return descriptions

    def changed(self) -> list[str]:
        """Return the models whose folders have changed since their last load, successful or not."""
        return [name for name, state in self.changed_folders().items() if state is not None]

    def changed_folders(self) -> dict[str, FolderState | None]:
        """Return the state of each folder that has changed since its last load; None if it cannot be read."""
        states = {name: _folder_state(self._models[name].model.path) for name in self._loaded_states}
        return {name: state for name, state in states.items() if state != self._loaded_states[name]}

    def _load(self, name: str) -> ServedModel:
        since = time.time()
        self._loaded_states[name] = _folder_state(model_path(self._folders[name]))
        model = load(self._folders[name], threads=self._threads)
        if model.input.smallest is None:  # a client must not name files of this machine
            raise HeedfulError(
                f"{name} reads {model.config.input}, which comes from files: only texts and molecules are served"
            )
        served = ServedModel(name, model, since)
        _ = served.description  # so that a broken folder fails here, not at a later request
        return served


def named_folders(arguments: Sequence[str]) -> dict[str, str]:
    """Return name → folder for arguments of the form NAME=FOLDER, FOLDER, or the name of a shipped model."""
    folders: dict[str, str] = {}
    for argument in arguments:
        name, equals, folder = argument.partition("=")
        if not equals or "/" in name:
            name, folder = model_path(argument).resolve().name, argument
        if name in folders:
            raise HeedfulError(f"two models are named {name}: say NAME={folder} for one of them")
        folders[name] = folder
    return folders


def _folder_state(folder: Path) -> FolderState | None:
    """Return a value that changes if a file is written or the folder is replaced; None if it cannot be read."""
    try:
        files = list(folder.iterdir())
    except OSError:  # it is being replaced
        return None
    state = []
    for file in files:
        with suppress(OSError):  # a dangling link, as editors create them, or a file deleted meanwhile
            stat = file.stat()
            state.append((file.name, stat.st_ino, stat.st_size, stat.st_mtime_ns))
    return frozenset(state)


def _knows(model: Model, words: Sequence[str]) -> bool:
    """Return whether most of these tokens are in the vocab; True if the model has no vocab of tokens."""
    forms = getattr(model.featuriser, "forms", None)
    return forms is None or 2 * len(set(forms()) & set(words)) > len(words)


def _size(folder: Path) -> int:
    """Return the total size of the files in bytes."""
    return sum(size for _, _, size, _ in _folder_state(folder) or ())


def _hops(model: Model) -> Any:
    """Return the hop atlas; None if the folder has none, or a broken one."""
    try:
        atlas = read_atlas(model.path, model.fingerprint, read_file(model.path, GRAPH))
        return None if atlas is None else with_shades(atlas)
    except (HeedfulError, ValueError, TypeError, KeyError, OSError, RecursionError):
        return None


def _words(model: Model) -> Any:
    """Return the words that drive each label, with their shades; None if the folder has none, or a broken file."""
    words = read_words(model.path, model.fingerprint)
    return None if words is None else with_view(words)


def _text(path: Path, name: str) -> str:
    try:
        return read_file(path, name)[:MAX_CARD_BYTES].decode("utf-8-sig", "replace")
    except HeedfulError:
        return ""


def _json(path: Path, name: str) -> Any:
    try:
        return json.loads(_text(path, name) or "null")
    except (ValueError, RecursionError):
        return None
