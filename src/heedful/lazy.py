"""Imports by name, when they are needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def imported(name: str) -> Any:
    """Return what "module:name" names."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)
