"""heedful: sequence models whose attention you can look at.

Names are loaded on first use, so that importing heedful is quick and running a model needs no torch.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heedful.errors import HeedfulError as HeedfulError
    from heedful.explain.attention.explanation import Explanation as Explanation
    from heedful.jobs.audit.audit import audit as audit
    from heedful.jobs.train.train import train as train
    from heedful.runtime.model import Model as Model
    from heedful.runtime.model import load as load

__version__ = "0.2.0"  # the only place: pyproject.toml reads it

# ONNX Runtime keeps, when imported, an id of the device and a list of events in the user's folder. Not for our users.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

_HOMES = {
    "Explanation": "heedful.explain.attention.explanation",
    "HeedfulError": "heedful.errors",
    "Model": "heedful.runtime.model",
    "load": "heedful.runtime.model",
    "audit": "heedful.jobs.audit.audit",
    "train": "heedful.jobs.train.train",
}

__all__ = ["Explanation", "HeedfulError", "Model", "__version__", "audit", "load", "train"]


def __getattr__(name: str) -> Any:
    if name in ("estimators", "show"):
        return import_module(f"heedful.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'heedful' has no attribute {name!r}")
    if name == "train":
        from heedful.errors import need

        need("torch", feature="Training", extra="train")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
