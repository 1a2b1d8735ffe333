"""Heatmaps in a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from rich.style import Style
from rich.text import Text

from heedful.explain.attention.explanation import LEAVE_ONE_OUT, Explanation
from heedful.show.heatmaps.view import contribution_rows, effect_row
from heedful.show.kit.svg.shades import relative
from heedful.show.kit.terminal import effect_style, weight_style
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.sanitise import visible
from heedful.show.kit.text.truncate import shortened

if TYPE_CHECKING:
    from heedful.show.heatmaps.api import Heatmap

LEAST = 0.01  # of a probability, or of a number: less is not worth a word
UNREAD = 300  # characters shown of what was cut off
LONGEST = 40  # letters of a word in a list


def plain_heatmap(heatmap: Heatmap, *, top: int = 5) -> str:
    """Return the words with the largest numbers of each row, without colours."""
    drawn = heatmap.view
    lines = [shortened(drawn.title, 100)] if drawn.title else []
    for row in drawn.rows:
        order = np.argsort(-np.abs(row.values), kind="stable")[:top]
        words = [
            f"{shortened(drawn.words[i].text, LONGEST)} {number(row.values[i], plus=row.is_signed)}" for i in order
        ]
        lines.append(f"{row.name}: {', '.join(words)}")
    return "\n".join([*lines, drawn.account])


def heatmap(explanation: Explanation, *, hop: int | None = None) -> Text:
    """Return the text with each word on a ground by its contribution, or by its weight in a hop.

    Without contributions the weights of all hops are shown. What was not read is dim.
    """
    if hop is None and (rows := contribution_rows(explanation)):
        return shaded(explanation, rows[0].shades, effect_style)
    weights = explanation.overall if hop is None else explanation.weights[hop]
    return shaded(explanation, relative(weights), weight_style)


def effect_map(explanation: Explanation, method: str = LEAVE_ONE_OUT) -> Text:
    """Return the text with blue words that speak for the label asked about; those against are rust and underlined."""
    return shaded(explanation, effect_row(explanation, method).shades, effect_style)


def plain(explanation: Explanation, *, top: int = 5, effects: bool = True) -> str:
    """Return the answer and the words that add most to its score and take most away, without colours.

    Without contributions: the words with the largest weights, and those with the largest effects.
    """
    probability = explanation.probabilities[explanation.label]
    if explanation.contributions is not None:
        words = for_and_against(explanation, explanation.contributions_to(), top) or "  no word adds 0.01 or more"
        return visible(f"{explanation.label} ({probability:.2f}){words}")
    where = "" if explanation.hop is None else f" in hop {explanation.hop}"
    read = f"{explanation.label} ({probability:.2f})  read{where}: {top_words(explanation, top=top)}"
    return visible(read + (for_and_against(explanation, explanation.left_out, top) if effects else ""))


def top_words(explanation: Explanation, *, hop: int | None = None, top: int = 5) -> str:
    """Return the words with the largest weights; small ones with as many digits as show that they are not 0."""
    words = explanation.top(top, hop=hop) if hop is not None else explanation.top(top, method=None)
    named = [f"{shortened(word, LONGEST)} {weight:.2f}" for word, weight in words if weight >= 0.005]
    return ", ".join(named or [f"{shortened(word, LONGEST)} {weight:.1g}" for word, weight in words]) or "nothing"


def shaded(explanation: Explanation, shades: NDArray[np.float32], style: Callable[[float], Style]) -> Text:
    """Return the text with each word on a ground by its shade; what was not read is dim."""
    line = Text()
    at = 0
    for word, shade in zip(explanation.words, shades, strict=True):
        line.append(visible(explanation.text[at : word.start]))
        line.append(visible(word.text), style=style(float(shade)))
        at = word.end
    line.append(visible(explanation.text[at : explanation.read_to]))
    rest = explanation.text[explanation.read_to :]
    line.append(visible(rest[:UNREAD]) + ("… (not read)" if len(rest) > UNREAD else ""), style="dim")
    return line


def strongest_words(explanation: Explanation, method: str, *, top: int = 5) -> str:
    """Return the words with the largest effects by a method, with their signs."""
    effects = np.nan_to_num(explanation.effects[method])
    order = [i for i in np.argsort(-np.abs(effects), kind="stable")[:top] if abs(effects[i]) >= LEAST]
    return visible(", ".join(_effect(explanation, effects, i) for i in order)) or f"no word has {LEAST} or more"


def _effect(explanation: Explanation, effects: NDArray[np.float64], i: int) -> str:
    return f"{shortened(explanation.words[i].text, LONGEST)} {number(effects[i], digits=2, plus=True)}"


def for_and_against(explanation: Explanation, effects: NDArray[np.float64] | None, top: int) -> str:
    """Return the words with the largest numbers for and against the target; "" if there are none."""
    if effects is None:
        return ""
    order = np.argsort(-np.nan_to_num(effects), kind="stable")
    sides = (
        ("for", [i for i in order[:top] if effects[i] >= LEAST]),
        ("against", [i for i in order[::-1][:top] if effects[i] <= -LEAST]),
    )
    return "".join(
        f"  {side} {explanation.target}: " + ", ".join(_effect(explanation, effects, i) for i in places)
        for side, places in sides
        if places
    )
