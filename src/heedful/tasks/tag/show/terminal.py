"""Labelled texts in a terminal."""

from __future__ import annotations

from rich.color import Color
from rich.style import Style
from rich.text import Text

from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.sanitise import visible
from heedful.show.kit.text.truncate import shortened
from heedful.tasks.tag.explain import TagExplanation
from heedful.tasks.tag.show.colours import rgb
from heedful.tasks.tag.show.view import TaggedWord, view

LONGEST = 24  # characters of a word in a list
MOST_ROWS = 60  # words that have a line of their own
TOP = 4  # words that a word looked at
LEAST = 0.005  # a smaller weight is not named


def tagged_text(explanation: TagExplanation) -> Text:
    """Return the text with every span, or every word, on a ground by its kind, and the kind after it."""
    drawn, line = view(explanation), Text()
    for piece in drawn.pieces:
        line.append(visible(piece.between))
        if not piece.kind:
            line.append(visible(piece.text))
            continue
        ground = Color.from_rgb(*rgb(drawn.hues[piece.kind], lightness=0.87))
        line.append(visible(piece.text), style=Style(bgcolor=ground, color="black"))
        line.append(f" {visible(piece.kind)} ", style=Style(bgcolor=ground, color="black", bold=True, italic=True))
    return line


def looked_lines(explanation: TagExplanation) -> list[str]:
    """Return a line for each word: its label, how sure that is, and what the word looked at.

    Of a text with spans, only the words in them have one.
    """
    words = [word for word in view(explanation).words if word.kind]
    width = max((len(shortened(word.text, LONGEST)) for word in words), default=0)
    label_width = max((len(word.label) for word in words), default=0)
    lines = [_line(word, width, label_width) for word in words[:MOST_ROWS]]
    return lines if len(words) <= MOST_ROWS else [*lines, f"… and {len(words) - MOST_ROWS:,} more words"]


def plain_tags(explanation: TagExplanation) -> str:
    """Return the text with its labels, and what words looked at, without colours."""
    text = "".join(
        visible(p.between) + (f"[{visible(p.text)}|{visible(p.kind)}]" if p.kind else visible(p.text))
        for p in view(explanation).pieces
    )
    return "\n".join([text, *looked_lines(explanation)])


def _line(word: TaggedWord, width: int, label_width: int) -> str:
    looked = ", ".join(
        f"{shortened(text, LONGEST)} {number(weight, digits=2)}" for text, weight in word.top[:TOP] if weight >= LEAST
    )
    text, label = shortened(word.text, LONGEST), visible(word.label)
    return f"{text:<{width}}  {label:<{label_width}}  {word.probability:.2f}  looked at: {looked}"
