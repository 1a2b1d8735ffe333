"""Words and numbers from someone else's model: checked, with errors that name both sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError

AS_GIVEN = "Weights as given: heedful has not tested whether they show what a model's answer depends on."


def numbers(values: Any, name: str) -> NDArray[np.float64]:
    """Return a list, an array or a tensor as an array of finite numbers."""
    if hasattr(values, "detach"):  # a tensor, which may be on a GPU, part of a graph, or of a kind NumPy does not have
        values = values.detach().cpu().double()
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise HeedfulError(f"{name} cannot be read as an array of numbers: {error}") from None
    if not np.isfinite(array).all():
        place = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise HeedfulError(f"{name}{list(place)} is {array[place]}: every number must be finite")
    return array


def texts(words: Sequence[str], name: str) -> list[str]:
    """Return words as they are shown: spaces can be seen."""
    if isinstance(words, str):
        raise HeedfulError(f"{name} is one text: give a list of words, for example text.split()")
    for i, word in enumerate(words):
        if not isinstance(word, str):
            raise HeedfulError(f"{name}[{i}] is of type {type(word).__name__}: every word must be a str")
    return [word.strip() or "␣" for word in words]


def check_length(n: int, unit: str, words: Sequence[str], *, weights: str = "weights", name: str = "words") -> None:
    """Say both numbers where they differ."""
    if n != len(words):
        raise HeedfulError(f"{weights} has {n} {unit}, {name} has {len(words)}")
