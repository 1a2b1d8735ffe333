"""The flag for a translator's beam search."""

from __future__ import annotations

import argparse

from heedful.errors import HeedfulError
from heedful.runtime.model import Model


def add_beam(parser: argparse.ArgumentParser) -> None:
    """Declare the flag."""
    parser.add_argument("--beam", type=int, metavar="N", help="beam width of a translator (default: 5)")


def set_beam(model: Model, beam: int | None) -> None:
    """Set the beam width of a translator; raise if the model has no beam search."""
    if beam is None:
        return
    if not hasattr(model, "beam"):
        raise HeedfulError(f"--beam is for translators; the task of {model.path.name} is {model.config.task}")
    model.beam = beam  # type: ignore[attr-defined]
