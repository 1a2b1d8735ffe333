"""How widely a translator searches, as a flag."""

from __future__ import annotations

import argparse

from heedful.errors import HeedfulError
from heedful.runtime.model import Model


def add_beam(parser: argparse.ArgumentParser) -> None:
    """Declare the flag."""
    parser.add_argument(
        "--beam", type=int, metavar="N", help="ways to go on that a translator keeps at each word (default: 5)"
    )


def set_beam(model: Model, beam: int | None) -> None:
    """Let a translator search with this beam; raise where the model does not search."""
    if beam is None:
        return
    if not hasattr(model, "beam"):
        raise HeedfulError(f"--beam is for translators; the task of {model.path.name} is {model.config.task}")
    model.beam = beam  # type: ignore[attr-defined]
