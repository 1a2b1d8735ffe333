"""The picture that fits an input: a text's words, a sound's wave, a molecule's atoms, a graph's nodes."""

from __future__ import annotations

from heedful.explain.attention.explanation import Explanation
from heedful.inputs import INPUTS
from heedful.lazy import imported
from heedful.show.heatmaps.picture import picture


def picture_of(explanation: Explanation, *, width: int = 760) -> str:
    """Return an SVG of one explanation."""
    own = INPUTS[explanation.kind].picture
    svg: str = imported(own)(explanation, width=width) if own else picture(explanation, width=width)
    return svg
