"""Where things are printed: answers to stdout, the rest to stderr."""

from __future__ import annotations

import sys
from typing import Any

from rich.console import Console

from heedful.files.json_text import json_text
from heedful.show.kit.text.sanitise import visible


class PipeConsole(Console):
    """A console that leaves a closed pipe to `cli/main.py`, where rich would exit with 1."""

    def on_broken_pipe(self) -> None:
        """Raise the error again."""
        raise BrokenPipeError


out = PipeConsole(highlight=False)
err = PipeConsole(stderr=True, highlight=False)


def has_live_bars() -> bool:
    """Return whether stderr is a terminal. FORCE_COLOR asks for colours only: a log gets no moving bars."""
    return bool(getattr(err.file, "isatty", lambda: False)()) and err.is_terminal


def print_json(value: Any) -> None:
    """Print one JSON value on one line. Where stdout cannot hold every character, JSON's own escapes stand for them."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "").replace("_", "")
    sys.stdout.write(json_text(value, ascii_only=not encoding.startswith("utf")) + "\n")


def note(message: str) -> None:
    """Say something that is not the answer."""
    err.print(visible(message), markup=False, soft_wrap=True)
