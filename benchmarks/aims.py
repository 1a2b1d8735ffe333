"""What was aimed at, and whether it was met, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def said(targets: Sequence[dict[str, Any]]) -> str:
    """Return which aims are met and which are not, each with what was found."""
    named = {met: [f"{t['target']} ({t['ratio']:.2g})" for t in targets if t["met"] is met] for met in (True, False)}
    pieces = [f"{word}: {'; '.join(named[met])}" for word, met in (("met", True), ("missed", False)) if named[met]]
    return f"Aims {'. Aims '.join(pieces)}."
