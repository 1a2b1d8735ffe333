"""The bundled sample dataset: customer messages with topic and sentiment."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

SPLITS = ("train", "dev", "test")


def messages_path(split: str) -> Path:
    """Return the path of a split: `train`, `dev` or `test`."""
    if split not in SPLITS:
        raise ValueError(f"split is {split!r}, expected one of {', '.join(SPLITS)}")
    return Path(str(files("heedful.data.samples") / "messages" / f"{split}.tsv"))
