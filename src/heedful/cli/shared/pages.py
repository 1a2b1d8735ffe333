"""Writing pages and pictures to files."""

from __future__ import annotations

from pathlib import Path

from heedful.cli.shared.console import note
from heedful.files.atomic import write_text


def write_page(path: str, content: str, *, what: str = "page") -> None:
    """Write a page or a picture atomically, and print its path."""
    write_text(Path(path), content)
    note(f"{what} written to {path}")
