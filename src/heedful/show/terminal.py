"""Heatmaps in a terminal."""

from __future__ import annotations

from rich.color import Color
from rich.style import Style
from rich.text import Text

from heedful.explain.explanation import Explanation
from heedful.show.shade import relative
from heedful.show.visible import visible

# From paper to deep blue: one hue, even steps of lightness, so it reads the same to every kind of colour vision.
PAPER, INK = (247, 251, 255), (8, 69, 148)


def heatmap(explanation: Explanation, *, hop: int | None = None) -> Text:
    """Return the text with each word on a ground as dark as its weight; what was not read is dim."""
    weights = explanation.overall if hop is None else explanation.weights[hop]
    shade = relative(weights)
    shown = Text()
    at = 0
    for word, share in zip(explanation.words, shade, strict=True):
        shown.append(visible(explanation.text[at : word.start]))
        shown.append(visible(word.text), style=_style(float(share)))
        at = word.end
    shown.append(visible(explanation.text[at : explanation.read_to]))
    shown.append(visible(explanation.text[explanation.read_to :]), style="dim")
    return shown


def plain(explanation: Explanation, *, top: int = 5) -> str:
    """Return the answer and the words with the largest weights, without colours."""
    probability = explanation.probabilities[explanation.label]
    words = ", ".join(f"{word} {weight:.2f}" for word, weight in explanation.top(top))
    return visible(f"{explanation.label} ({probability:.2f})  read: {words or 'nothing'}")


def _style(share: float) -> Style:
    if share < 0.08:
        return Style()
    ground = [round(p + (i - p) * share) for p, i in zip(PAPER, INK, strict=True)]
    ink = (255, 255, 255) if share > 0.5 else (10, 10, 10)
    return Style(bgcolor=Color.from_rgb(*ground), color=Color.from_rgb(*ink), bold=share > 0.5)
