"""Labelled texts in a terminal."""

from __future__ import annotations

from rich.color import Color
from rich.style import Style
from rich.text import Text

from heedful.show.heatmaps.view import number
from heedful.show.kit.text.sanitise import visible
from heedful.show.kit.text.truncate import shortened
from heedful.tasks.tag.explain import TagExplanation
from heedful.tasks.tag.show.colours import hues, kind_of, rgb
from heedful.tasks.tag.show.view import all_kinds, pieces

LONGEST = 24  # letters of a word in a list
MOST_ROWS = 60  # words that have a line of their own
TOP = 4  # words that a word looked at


def tagged_text(explanation: TagExplanation) -> Text:
    """Return the text with every span, or every word, on a ground by its kind, and the kind after it."""
    colours, shown = hues(all_kinds((explanation,))), Text()
    for piece in pieces(explanation):
        shown.append(visible(piece.between))
        if not piece.kind:
            shown.append(visible(piece.text))
            continue
        ground = Color.from_rgb(*rgb(colours[piece.kind], lightness=0.87))
        shown.append(visible(piece.text), style=Style(bgcolor=ground, color="black"))
        shown.append(f" {visible(piece.kind)} ", style=Style(bgcolor=ground, color="black", bold=True, italic=True))
    return shown


def looked_lines(explanation: TagExplanation) -> list[str]:
    """Return a line for each word: its label, how sure that is, and what the word looked at.

    Of a text with spans, only the words in them have one.
    """
    chosen = [
        i for i in range(len(explanation.words)) if kind_of(explanation.labels[i], has_spans=explanation.has_spans)
    ]
    wide = max((len(shortened(explanation.words[i].text, LONGEST)) for i in chosen), default=0)
    label_wide = max((len(explanation.labels[i]) for i in chosen), default=0)
    lines = [_line(explanation, i, wide, label_wide) for i in chosen[:MOST_ROWS]]
    return lines if len(chosen) <= MOST_ROWS else [*lines, f"… and {len(chosen) - MOST_ROWS:,} words more"]


def plain_tags(explanation: TagExplanation) -> str:
    """Return the text with its labels, and what words looked at, without colours."""
    said = "".join(
        visible(p.between) + (f"[{visible(p.text)}|{visible(p.kind)}]" if p.kind else visible(p.text))
        for p in pieces(explanation)
    )
    return "\n".join([said, *looked_lines(explanation)])


def _line(explanation: TagExplanation, i: int, wide: int, label_wide: int) -> str:
    word = shortened(explanation.words[i].text, LONGEST)
    looked = ", ".join(
        f"{shortened(text, LONGEST)} {number(weight, digits=2)}"
        for text, weight in explanation.top(i, TOP)
        if weight >= 0.005
    )
    label = visible(explanation.labels[i])
    return f"{word:<{wide}}  {label:<{label_wide}}  {explanation.probabilities[i]:.2f}  looked at: {looked}"
