"""The exceptions heedful raises for faults that a user can mend. Each is also the built-in exception that fits.

HeedfulError
├── DataError          (ValueError)         a file or a table: says which one, which line, what was expected
│   └── NoSuchFile     (FileNotFoundError)
├── InputError         (TypeError)          an input of the wrong type, such as a number for a text
├── ConfigError        (ValueError)         settings: lists every fault at once
├── ModelFolderError   (ValueError)         a folder that is not a model, is broken, or is from a newer heedful
│   └── NoSuchModel    (FileNotFoundError)
├── MissingExtraError  (ImportError)        a feature whose packages are not installed
├── NotForThisModel    (AttributeError)     a method that only models of another task have
└── TrainingError      (RuntimeError)       training cannot go on (the loss is not a number; other settings on resume)

Anything else that escapes is a fault of ours and keeps its traceback.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any


class HeedfulError(Exception):
    """A fault that the user can mend; the message says how. Each subclass is also the built-in exception that fits.

    Example:
        >>> import heedful
        >>> try:
        ...     heedful.load("no-such-model")
        ... except heedful.HeedfulError as error:
        ...     print(type(error).__name__, isinstance(error, FileNotFoundError))
        NoSuchModel True
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Support process pools, which pickle errors: some subclasses take other arguments than the message."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[HeedfulError], args: tuple[Any, ...], attributes: dict[str, Any]) -> HeedfulError:
    base: Any = kind.__base__  # the one with the memory layout, such as OSError
    error: HeedfulError = base.__new__(kind)
    error.args = args
    error.__dict__.update(attributes)
    return error


class DataError(HeedfulError, ValueError):
    """A file of texts that cannot be read as asked."""

    def __init__(self, path: object, problem: str, *, line: int | None = None) -> None:
        count = getattr(path, "line_name", "line")  # tables in memory have rows
        place = f"{path}, {count} {line}" if line is not None else f"{path}"
        super().__init__(f"{place}: {problem}")
        self.path, self.line, self.problem = str(path), line, problem


class NoSuchFile(DataError, FileNotFoundError):  # noqa: N818
    """A file that does not exist."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(path, "no such file")


class InputError(HeedfulError, TypeError):
    """An input of the wrong type."""


class ConfigError(HeedfulError, ValueError):
    """Settings that do not fit; `faults` has one sentence each."""

    def __init__(self, faults: Sequence[str], *, source: str = "settings") -> None:
        self.faults = tuple(faults)
        lines = [f"{source}: {fault}" for fault in self.faults]
        super().__init__("\n".join(lines))


class ModelFolderError(HeedfulError, ValueError):
    """A folder that cannot be loaded as a model."""


class NoSuchModel(ModelFolderError, FileNotFoundError):  # noqa: N818
    """A model folder that does not exist."""


class MissingExtraError(HeedfulError, ImportError):
    """A feature whose packages are not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs packages that are not installed. Run: {install_command(extra)}")


def install_command(extra: str) -> str:
    """Return what installs an extra."""
    return f'pip install "heedful[{extra}]" (in a clone: pip install ".[{extra}]")'


class NotForThisModel(HeedfulError, AttributeError):  # noqa: N818
    """A method that only models of another task have."""


class TrainingError(HeedfulError, RuntimeError):
    """Training that cannot go on."""


def reason(error: BaseException) -> str:
    """Return why a file could not be read or written, in one line."""
    said = getattr(error, "strerror", None) or str(error).strip() or type(error).__name__
    return str(said).splitlines()[0][:300]


MOST_NAMES, LONGEST_NAME = 10, 40
MOST_COMPARED = 2_000  # names, of a table that may have a hundred thousand columns


def listed(names: Iterable[object], *, most: int = MOST_NAMES) -> str:
    """Return names for a message: a, b, c and 57 more. Long names are cut, and `nothing` stands for none."""
    known = list(names)
    shown = ", ".join(map(_cut, known[:most]))
    return f"{shown} and {len(known) - most:,} more" if len(known) > most else shown or "nothing"


def _cut(name: object) -> str:
    text = str(name) or "''"
    return f"{text[: LONGEST_NAME - 1]}…" if len(text) > LONGEST_NAME else text


def check_installed(module: str, *, feature: str, extra: str) -> None:
    """Say which extra brings `module` where it is not there. It is not imported."""
    if find_spec(module) is None:
        raise MissingExtraError(feature, extra)


def need(module: str, *, feature: str, extra: str) -> ModuleType:
    """Import `module`, or say which extra brings it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name and not module.startswith(error.name):
            raise
        raise MissingExtraError(feature, extra) from error


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ` Did you mean X?` for the nearest known name, or nothing."""
    some = [one for one in known if len(one) <= LONGEST_NAME * 2][:MOST_COMPARED]
    near = difflib.get_close_matches(name[: LONGEST_NAME * 2], some, n=1, cutoff=0.6)
    return f" Did you mean {near[0]}?" if near else ""
