"""Every public name of heedful with its object, as users reach it."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator
from importlib import import_module

import heedful
import heedful.show
from heedful import estimators
from heedful.runtime.public_names import INDEX, MODELS, RESULTS

FUNCTIONS = {
    f"heedful.{name}": getattr(heedful, name) for name in heedful.__all__ if name.islower() and "_" not in name
}
FUNCTIONS |= {f"heedful.show.{name}": getattr(heedful.show, name) for name in heedful.show.__all__}
MODEL_CLASSES = {name: getattr(heedful, name) for name in MODELS}
RESULT_CLASSES = {name: getattr(import_module(module), name) for name, (module, _) in RESULTS.items()}
ESTIMATORS = {name: getattr(estimators, name) for name in estimators.__all__}
CLASSES = {
    **MODEL_CLASSES,
    **RESULT_CLASSES,
    **ESTIMATORS,
    "Index": heedful.Index,
    "HeedfulError": heedful.HeedfulError,
}


def own_names(kind: type) -> list[str]:
    """Return the public methods of an estimator that are heedful's and not scikit-learn's."""
    names = [name for name in dir(kind) if not name.startswith("_")]
    return [name for name in names if getattr(getattr(kind, name), "__module__", "").startswith("heedful.")]


def members() -> Iterator[tuple[str, object]]:
    """Yield the public methods, properties and attributes of all classes; None for attributes of an instance."""
    tables = {name: (MODEL_CLASSES[name], names) for name, names in MODELS.items()}
    tables |= {name: (RESULT_CLASSES[name], names) for name, (_, names) in RESULTS.items()}
    tables |= {name: (kind, own_names(kind)) for name, kind in ESTIMATORS.items()}
    tables["Index"] = (heedful.Index, INDEX)
    for name, (kind, names) in tables.items():
        for member in names:
            yield f"{name}.{member}", inspect.getattr_static(kind, member, None)


MEMBERS = dict(members())


def is_function(member: object) -> bool:
    return inspect.isfunction(member) or isinstance(member, classmethod | staticmethod)


METHODS = {name: inspect.unwrap(getattr(m, "__func__", m)) for name, m in MEMBERS.items() if is_function(m)}
CALLABLES = {**FUNCTIONS, **METHODS}


def field_names(kind: type) -> list[str]:
    return [field.name for field in dataclasses.fields(kind)]
