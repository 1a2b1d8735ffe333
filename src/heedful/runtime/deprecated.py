"""Old names of properties, methods and keywords: they work for one more version, with a warning."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

if TYPE_CHECKING:
    from heedful.runtime.model import Model

P = ParamSpec("P")
R = TypeVar("R")


class OldNames:
    """A mix-in for Model."""

    @property
    def is_encoder(self) -> bool:
        """Whether it gives vectors. Deprecated: use `"similarity" in model.can`."""
        return old_name(self, "is_encoder", '"similarity" in model.can').task.answer == "vector"

    @property
    def is_regressor(self) -> bool:
        """Whether its answer is a number. Deprecated: use `model.answer.is_number`."""
        model = old_name(self, "is_regressor", "model.answer.is_number")
        return model.answer is not None and model.answer.is_number

    @property
    def is_many(self) -> bool:
        """Whether it gives any number of labels. Deprecated: use `model.task.name == "multilabel"`."""
        return old_name(self, "is_many", 'model.task.name == "multilabel"').task.answer == "labels"


def old_name(model: Any, name: str, new: str) -> Model:
    """Warn that a name of a model is deprecated, and return the model."""
    warnings.warn(f"Model.{name} is deprecated and will be removed: use {new}", DeprecationWarning, stacklevel=3)
    return cast("Model", model)


def old_spelling(normalise: bool | None, normalize: bool) -> bool:
    """Return the value of the keyword `normalize`, which had another spelling before."""
    if normalise is None:
        return normalize
    warnings.warn("normalise is deprecated and will be removed: use normalize", DeprecationWarning, stacklevel=3)
    return normalise


def renamed_keywords(**names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a function whose keywords were renamed: old name → new name."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            for old, new in names.items():
                if old in kwargs:
                    if new in kwargs:
                        raise TypeError(f"{function.__name__}() got both {new} and {old}, its deprecated name")
                    warnings.warn(
                        f"{old} is deprecated and will be removed: use {new}", DeprecationWarning, stacklevel=2
                    )
                    kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return call

    return decorate
