"""facts.json: labels, metrics and provenance of a model."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from heedful.errors import ModelFolderError
from heedful.files.json_text import json_text
from heedful.files.unicode import without_lone_surrogates
from heedful.store.training_rows import is_trained_on
from heedful.store.unit import is_unit

MAX_SIZE = 2**31  # hops, or numbers in a row of M
MAX_STRING = 10_000  # characters of a label
KEYS = {"metrics": "figures", "is_multilabel": "many"}  # fields that have another name in facts.json


@dataclass(frozen=True)
class Facts:
    """The contents of facts.json."""

    labels: tuple[str, ...]
    n_hops: int
    width: int  # of one row of M
    heedful: str  # the version that wrote it
    metrics: Mapping[str, float] = field(default_factory=dict)  # on the validation set, best epoch
    data: Mapping[str, Any] = field(default_factory=dict)  # rows read, tokens known, texts truncated
    parity: float = 0.0  # largest difference between torch and ONNX Runtime
    is_multilabel: bool = False
    files: Mapping[str, str] = field(default_factory=dict)  # digests of the other files; none in folders of format 1
    unit: Mapping[str, float] | None = None  # of a regression model: see unit.py
    trained_on: Mapping[str, Any] | None = None  # hashes of rows: see training_rows.py

    def to_json(self) -> str:
        """Return the facts as JSON."""
        return json_text({KEYS.get(name, name): value for name, value in asdict(self).items()}, indent=2)

    @classmethod
    def from_json(cls, text: str) -> Facts:
        """Read the output of `to_json`."""
        try:
            tree = json.loads(text)
            labels = tuple(str(label) for label in tree["labels"])
            names = {KEYS.get(part.name, part.name): part.name for part in fields(cls)}
            facts = cls(**{names[key]: value for key, value in tree.items()} | {"labels": labels})
            if isinstance(facts.metrics, dict):  # JSON has no NaN: null stands for it
                metrics = {name: math.nan if value is None else value for name, value in facts.metrics.items()}
                facts = replace(facts, metrics=metrics)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise ModelFolderError(f"facts.json is not readable: {type(error).__name__}: {error}") from None
        if wrong := facts._wrong():
            raise ModelFolderError(f"facts.json does not describe a model: {wrong} has an invalid value")
        return facts

    @property
    def figures(self) -> Mapping[str, float]:
        """The metrics. Deprecated: use `metrics`."""
        message = "Facts.figures is deprecated and will be removed: use metrics"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return self.metrics

    @property
    def many(self) -> bool:
        """Whether the task is multilabel. Deprecated: use `is_multilabel`."""
        message = "Facts.many is deprecated and will be removed: use is_multilabel"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return self.is_multilabel

    def _wrong(self) -> str | None:
        """Return the name of the first invalid value: the file is not trusted."""
        known = self.data.get("known_tokens", 0) if isinstance(self.data, dict) else None
        good = {
            "labels": all(is_plain(label) for label in self.labels) and len(set(self.labels)) == len(self.labels),
            "n_hops": type(self.n_hops) is int and 0 <= self.n_hops <= MAX_SIZE,
            "width": type(self.width) is int and 0 <= self.width <= MAX_SIZE,
            "heedful": isinstance(self.heedful, str) and is_plain(self.heedful),
            "figures": is_plain(self.metrics) and _is_table_of(self.metrics, (int, float)),
            "data": isinstance(self.data, dict) and is_plain(self.data) and type(known) is int,
            "parity": isinstance(self.parity, (int, float)) and is_plain(self.parity),
            "many": isinstance(self.is_multilabel, bool),
            "unit": is_unit(self.unit),
            "trained_on": is_trained_on(self.trained_on),
            "files": is_plain(self.files) and _is_table_of(self.files, str),
        }
        return next((name for name, is_good in good.items() if not is_good), None)


def _is_table_of(value: object, kinds: type | tuple[type, ...]) -> bool:
    return isinstance(value, dict) and all(isinstance(item, kinds) for item in value.values())


def is_plain(value: Any, depth: int = 4) -> bool:
    """Return whether a value is portable JSON: short strings, 64-bit numbers, limited depth."""
    if isinstance(value, str):
        return len(value) <= MAX_STRING and without_lone_surrogates(value) == value
    if isinstance(value, list | tuple):
        return depth > 0 and all(is_plain(item, depth - 1) for item in value)
    if isinstance(value, dict):
        return depth > 0 and all(is_plain(item, depth - 1) for pair in value.items() for item in pair)
    return not isinstance(value, int) or -(2**63) <= value < 2**63
