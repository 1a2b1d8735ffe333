"""Explanations as things to look at: terminal, page and picture, all from the same plain values.

`heatmap` and `matrix` draw the weights of any model. They are loaded on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heedful.show.heatmaps.api import heatmap as heatmap
    from heedful.show.matrices.api import matrix as matrix

# A module of the same name as its function would take the function's place in this package once it is imported.
_HOMES = {"heatmap": "heedful.show.heatmaps.api", "matrix": "heedful.show.matrices.api"}

__all__ = ["heatmap", "matrix"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'heedful.show' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
