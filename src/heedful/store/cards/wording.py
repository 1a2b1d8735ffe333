"""Words that go into a model card, made harmless first."""

from __future__ import annotations

from pathlib import Path

from heedful.config import Config


def plain(text: str) -> str:
    """Return text that Markdown will not read as markup."""
    return "".join(c for c in text if c not in "`<>[]|\n\r")


def data_name(config: Config) -> str:
    """Return the name of the training file: where it stood on somebody's disk is nobody else's business."""
    return plain(Path(config.data.train).name) if config.data.train else "given in memory"
