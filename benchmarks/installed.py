"""How many bytes `pip install PACKAGE` brings, read from what is installed here."""

from __future__ import annotations

from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]


def installed_bytes(packages: tuple[str, ...]) -> int:
    """Return the size of the packages and all that they need."""
    return sum(_size(name) for name in closure(packages))


def closure(packages: tuple[str, ...]) -> set[str]:
    """Return the packages and what they require here without extras, those that are not installed left out."""
    seen: set[tuple[str, str]] = set()
    waiting: list[tuple[str, str]] = [(canonicalize_name(name), "") for name in packages]
    names: set[str] = set()
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        try:
            required = distribution(name).requires or []
        except PackageNotFoundError:
            continue
        names.add(name)
        for need in map(Requirement, required):
            if need.marker is None or need.marker.evaluate({"extra": extra}):
                waiting += [(canonicalize_name(need.name), e) for e in ("", *need.extras)]
    return names


def path_bytes(path: Path) -> int:
    """Return the size of a file, or of all files below a folder."""
    files = [path] if path.is_file() else [f for f in path.rglob("*") if f.is_file()]
    return sum(f.stat().st_size for f in files)


def _size(name: str) -> int:
    if name == "heedful":  # installed in place: its distribution lists no code
        return path_bytes(ROOT / "src" / "heedful")
    return sum(path.stat().st_size for path in _files(distribution(name)) if path.is_file())


def _files(found: Distribution) -> list[Path]:
    return [Path(str(file.locate())) for file in found.files or []]
