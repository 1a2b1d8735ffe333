"""Names that are imported when they are needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def imported(name: str) -> Any:
    """Return the object that `"module:name"` names; of `"module"` alone, the module."""
    path, _, attribute = name.partition(":")
    module = import_module(path)
    return getattr(module, attribute) if attribute else module
