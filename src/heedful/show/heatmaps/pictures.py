"""The picture that fits an input: a text's words, a sound's wave, a molecule's atoms, a graph's nodes."""

from __future__ import annotations

from importlib import import_module

from heedful.explain.attention.explanation import Explanation
from heedful.show.heatmaps.picture import picture

# Each module has `picture_of(explanation) -> str`, an SVG.
HOMES = {
    "audio": "heedful.inputs.audio.picture",
    "molecule": "heedful.inputs.molecule.picture",
    "graph": "heedful.inputs.graph.picture",
    "vectors": "heedful.inputs.vectors.picture",
}


def picture_of(explanation: Explanation, *, width: int = 760) -> str:
    """Return an SVG of one explanation."""
    if explanation.kind not in HOMES:
        return picture(explanation, width=width)
    drawn: str = import_module(HOMES[explanation.kind]).picture_of(explanation, width=width)
    return drawn
