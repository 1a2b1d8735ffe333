"""The bundled models."""

from __future__ import annotations

from pathlib import Path

from heedful.errors import NoSuchModel, did_you_mean

HOME = Path(__file__).parent.parent / "shipped"


def shipped_models() -> tuple[str, ...]:
    """Return the names of the bundled models."""
    return tuple(sorted(path.name for path in HOME.glob("*") if path.is_dir() and path.name != "__pycache__"))


def model_path(name: str | Path) -> Path:
    """Return the folder of a model: an existing path, or else the bundled model of that name."""
    path = Path(name)
    if path.exists() or path.name != str(name):
        return path
    if str(name) in shipped_models():
        return HOME / str(name)
    known = ", ".join(shipped_models())
    raise NoSuchModel(
        f"{name} is not a folder and not a bundled model ({known}).{did_you_mean(str(name), shipped_models())}"
    )
