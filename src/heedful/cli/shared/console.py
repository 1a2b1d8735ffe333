"""Printing: results to stdout, everything else to stderr."""

from __future__ import annotations

import sys
from typing import Any

from rich.console import Console

from heedful.files.json_text import json_text
from heedful.show.kit.text.sanitise import visible


class PipeConsole(Console):
    """A console that leaves a closed pipe to `cli/main.py`; rich would exit with 1."""

    def on_broken_pipe(self) -> None:
        """Raise the error again."""
        raise BrokenPipeError


out = PipeConsole(highlight=False)
err = PipeConsole(stderr=True, highlight=False)


def has_live_bars() -> bool:
    """Return whether stderr is a terminal. FORCE_COLOR is for colours only: a log gets no live bars."""
    return bool(getattr(err.file, "isatty", lambda: False)()) and err.is_terminal


def print_json(value: Any) -> None:
    """Print a JSON value on one line; escape non-ASCII characters if the encoding of stdout is not UTF-8."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "").replace("_", "")
    sys.stdout.write(json_text(value, ascii_only=not encoding.startswith("utf")) + "\n")


def note(message: str) -> None:
    """Print a message to stderr."""
    err.print(visible(message), markup=False, soft_wrap=True)
