"""Whether an output is one of the inputs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from heedful.errors import HeedfulError


def check_not_input(target: str | Path | None, inputs: Iterable[str | Path], *, flag: str) -> None:
    """Raise where `target` is one of the files that are read, under this name, another one or through a link."""
    if target is None:
        return
    for given in inputs:
        if _is_same(Path(target), Path(given)):
            raise HeedfulError(f"{flag} is {target}, which is also read ({given}): choose another file")


def _is_same(first: Path, second: Path) -> bool:
    try:
        return first.samefile(second)
    except (OSError, ValueError):  # one of the two is not there, or is a text and no name of a file
        return False
