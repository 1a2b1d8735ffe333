"""Checks that an output file is not one of the inputs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from heedful.errors import HeedfulError


def check_not_input(target: str | Path | None, inputs: Iterable[str | Path], *, flag: str) -> None:
    """Raise if `target` is one of the input files, directly or through a link."""
    if target is None:
        return
    for given in inputs:
        if _is_same(Path(target), Path(given)):
            raise HeedfulError(f"{flag} is {target}, which is also read ({given}): choose another file")


def _is_same(first: Path, second: Path) -> bool:
    try:
        return first.samefile(second)
    except (OSError, ValueError):  # one does not exist, or is not a valid file name
        return False
