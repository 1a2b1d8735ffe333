"""Pairs of texts in a terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from heedful.explain.attention.explanation import Explanation
from heedful.show.heatmaps.terminal import for_and_against, heatmap, shaded, strongest_words, top_words
from heedful.show.heatmaps.view import HeatmapView
from heedful.show.kit.terminal import effect_style
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.sanitise import visible
from heedful.show.kit.text.truncate import shortened
from heedful.show.similarity.terminal import pair_table
from heedful.tasks.pair.explanation import PairExplanation
from heedful.tasks.pair.show.sum_view import SumView, sum_view
from heedful.tasks.pair.show.view import NOT_A_SUM, view

PAIRS, TOP = 5, 5  # in each list of pairs, and words in a list
LONGEST = 24  # characters of a word


def plain_pair(explanation: PairExplanation, *, top: int = 5) -> str:
    """Return the answer, and of each text the words with the largest weights and effects, without colours."""
    lines = [_answer(explanation)]
    whole = sum_view(explanation)
    lines += [f"  {whole.total}"] if whole else []
    for name, side in zip(explanation.names, explanation.sides, strict=True):
        lines.append(f"  {name}{_strongest(side, top)}")
        lines += [
            f"  {name}, {method} for {explanation.target}: {strongest_words(side, method, top=top)}"
            for method in side.effects
        ]
    return visible("\n".join([*lines, *(_plain_pairs(whole) if whole else [])]))


def pair_view(explanation: PairExplanation, *, colours: bool = True, hops: bool = False) -> RenderableType:
    """Return the answer and both texts, each word on a ground as dark as its weight, then by its effect."""
    whole = view(explanation)
    parts: list[RenderableType] = [Text(_answer(explanation), style="bold")]
    parts += [_heading(f"  {whole.sum.total}")] if whole.sum else []
    for side, drawn in zip(explanation.sides, whole.sides, strict=True):
        parts += _side(side, drawn, colours=colours, hops=hops)
    if whole.sum and whole.sum.lists:
        parts += [_heading(whole.sum.about_pairs), *_pairs(whole.sum)]
    elif not whole.sum:
        parts.append(_heading(NOT_A_SUM.strip()))
    return Group(*parts)


def _pairs(whole: SumView) -> list[RenderableType]:
    blocks: list[RenderableType] = []
    for name, pairs in whole.lists:
        blocks += [_heading(f"{name}:"), pair_table(pairs[:PAIRS], whole.largest)]
    return blocks


def _plain_pairs(whole: SumView) -> list[str]:
    return [
        f"  {name}: {', '.join(f'{_word(p.words[0])} ~ {_word(p.words[1])} {number(p.part)}' for p in pairs)}"
        for name, pairs in (("pairs that add", whole.adding[:PAIRS]), ("pairs that take away", whole.taking[:PAIRS]))
        if pairs
    ]


def _word(word: str) -> str:
    return shortened(word, LONGEST)


def _strongest(side: Explanation, top: int) -> str:
    """Return the words with the largest contributions, or with the largest weights if there are none."""
    if side.contributions is None:
        return f", read: {top_words(side, top=top)}"
    return f": {for_and_against(side, side.contributions_to(), top).strip() or 'no word adds 0.01 or more'}"


def _side(side: Explanation, drawn: HeatmapView, *, colours: bool, hops: bool) -> list[RenderableType]:
    blocks: list[RenderableType] = [_heading(f"{drawn.title}:"), heatmap(side)]
    if not colours:
        blocks.append(Text(visible(f"  {_strongest(side, TOP).lstrip(':, ')}")))
    effect_rows = drawn.rows[len(drawn.rows) - len(side.effects) :]
    for method, row in zip(side.effects, effect_rows, strict=True):
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
