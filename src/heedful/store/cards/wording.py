"""Sanitised text for model cards."""

from __future__ import annotations

from pathlib import Path

from heedful.config import Config


def plain(text: str) -> str:
    """Remove characters that are Markdown markup."""
    return "".join(c for c in text if c not in "`<>[]|\n\r")


def data_name(config: Config) -> str:
    """Return the name of the training file, without its path for privacy."""
    return plain(Path(config.data.train).name) if config.data.train else "given in memory"
