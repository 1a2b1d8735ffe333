"""Pairs of texts in a terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from heedful.explain.attention.explanation import Explanation
from heedful.show.heatmaps.terminal import heatmap, shaded, strongest_words, top_words
from heedful.show.heatmaps.view import HeatmapView
from heedful.show.kit.terminal import effect_style
from heedful.show.kit.text.sanitise import visible
from heedful.tasks.pair.explanation import PairExplanation
from heedful.tasks.pair.show.view import view


def plain_pair(explanation: PairExplanation, *, top: int = 5) -> str:
    """Return the answer, and of each text the words with the largest weights and effects, without colours."""
    lines = [_answer(explanation)]
    for name, side in zip(explanation.names, explanation.sides, strict=True):
        lines.append(f"  {name}, read: {top_words(side, top=top)}")
        lines += [
            f"  {name}, {method} for {explanation.target}: {strongest_words(side, method, top=top)}"
            for method in side.effects
        ]
    return visible("\n".join(lines))


def pair_view(explanation: PairExplanation, *, colours: bool = True, hops: bool = False) -> RenderableType:
    """Return the answer and both texts, each word on a ground as dark as its weight, then by its effect."""
    parts: list[RenderableType] = [Text(_answer(explanation), style="bold")]
    for side, drawn in zip(explanation.sides, view(explanation).sides, strict=True):
        parts += _side(side, drawn, colours=colours, hops=hops)
    return Group(*parts)


def _side(side: Explanation, drawn: HeatmapView, *, colours: bool, hops: bool) -> list[RenderableType]:
    blocks: list[RenderableType] = [_heading(f"{drawn.title}:"), heatmap(side)]
    if not colours:
        blocks.append(Text(visible(f"  read: {top_words(side)}")))
    for method, row in zip(side.effects, drawn.rows[1:], strict=True):
        blocks.append(_heading(f"  {method}, for {side.target}:"))
        effects = shaded(side, row.shades, effect_style) if colours else Text(f"  {strongest_words(side, method)}")
        blocks.append(effects)
    blocks += [Text(line, style="yellow") for line in (side.warning, *side.notes) if line]
    if hops:
        for i in range(len(side.weights)):
            words = heatmap(side, hop=i) if colours else Text(visible(top_words(side, hop=i)))
            blocks.append(Text.assemble((f"  hop {i + 1}: ", "dim"), words))
    return blocks


def _heading(text: str) -> Text:
    return Text(visible(text), style="dim")


def _answer(explanation: PairExplanation) -> str:
    return visible(f"{explanation.label} ({explanation.probabilities[explanation.label]:.2f})")
