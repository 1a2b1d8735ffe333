"""Inputs from users, checked before they are used."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Real
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np

from heedful.data.features import Featurised
from heedful.errors import InputError
from heedful.files.unicode import without_lone_surrogates
from heedful.inputs.audio.read import is_sound


def is_one(texts: Any) -> TypeGuard[str]:
    """Return whether this is a single input and not several: a text, a path, a sound, an array, a graph."""
    is_matrix = (isinstance(texts, np.ndarray) and texts.ndim == 2) or _is_written_matrix(texts)
    return isinstance(texts, (str, Path, Featurised)) or is_matrix or is_sound(texts) or _is_graph(texts)


def _is_written_matrix(texts: Any) -> bool:
    """Return whether these are rows of numbers: a matrix, which is a single input."""
    rows = texts if isinstance(texts, (list, tuple)) else ()
    return bool(rows) and all(isinstance(row, (list, tuple)) and row and isinstance(row[0], Real) for row in rows)


def _is_graph(source: Any) -> bool:
    return hasattr(source, "edges") and not isinstance(source, (list, tuple))


def listed(texts: Iterable[Any]) -> list[Any]:
    """Return texts as a list. Raise if they are not texts."""
    if not isinstance(texts, Iterable):
        raise InputError(f"found {type(texts).__name__}, expected a text or a list of texts")
    return list(texts)


def checked_text(text: object) -> str:
    """Return the text. Raise if it is not a string. Lone surrogates, which UTF-8 cannot encode, become U+FFFD."""
    if not isinstance(text, str):
        raise InputError(f"found {type(text).__name__} {text!r:.60}, expected a text (str)")
    return without_lone_surrogates(text)
