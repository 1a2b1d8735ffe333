"""A flip as plain text."""

from __future__ import annotations

from heedful.explain.attention.flip import Flip
from heedful.show.flips.view import view
from heedful.show.kit.text.sanitise import visible


def plain_flip(flip: Flip) -> str:
    """Return the answer, and which words would change it."""
    drawn = view(flip)
    return visible(f"{drawn.answer}  {drawn.sentence}")
