"""Labelled texts in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.color import Color
from rich.style import Style
from rich.text import Text

from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.sanitise import visible
from heedful.show.kit.text.truncate import shortened
from heedful.tasks.tag.explanation import TagExplanation
from heedful.tasks.tag.show.colours import rgb
from heedful.tasks.tag.show.view import TagView, view

LONGEST = 24  # characters of a word in a list
MOST_ROWS = 60  # words that have a line of their own
TOP = 4  # words that a word looked at, or parts of a sum
FEW = 2  # words that a word looked at, beside the parts of a sum
LEAST = 0.005  # a smaller number is not named


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
    """Return a line for each word: its label, how sure that is, the parts of its score, and what the word looked at.

    Of a text with spans, only the words in them have one. The last line says how to read a sum.
    """
    drawn = view(explanation)
    places = [i for i, word in enumerate(drawn.words) if word.kind]
    width = max((len(shortened(drawn.words[i].text, LONGEST)) for i in places), default=0)
    label_width = max((len(drawn.words[i].label) for i in places), default=0)
    lines = [_line(drawn, i, width, label_width) for i in places[:MOST_ROWS]]
    more = [f"… and {len(places) - MOST_ROWS:,} more words"] if len(places) > MOST_ROWS else []
    return [*lines, *more, *([drawn.short_account] if drawn.has_sum and places else [])]


def plain_tags(explanation: TagExplanation) -> str:
    """Return the text with its labels, and what words looked at, without colours."""
    text = "".join(
        visible(p.between) + (f"[{visible(p.text)}|{visible(p.kind)}]" if p.kind else visible(p.text))
        for p in view(explanation).pieces
    )
    return "\n".join([text, *looked_lines(explanation)])


def _line(drawn: TagView, i: int, width: int, label_width: int) -> str:
    word = drawn.words[i]
    text, label = shortened(word.text, LONGEST), visible(word.label)
    head = f"{text:<{width}}  {label:<{label_width}}  {word.probability:.2f}  "
    looked = [part for part in drawn.looked(i).top[:TOP] if part[1] >= LEAST]
    if not drawn.has_sum:
        return f"{head}looked at: {_named(looked)}"
    parts = drawn.sum_of(i)
    terms = [("bias", parts.bias), *(part for part in parts.strongest[:TOP] if abs(part[1]) >= LEAST)]
    others = parts.score - sum(value for _, value in terms)
    terms += [("others", others)] if abs(others) >= LEAST else []
    step = "" if parts.transition is None else f"; transition {_signed(parts.transition)}"
    return f"{head}score {_signed(parts.score)} = {_named(terms, plus=True)}{step}; looked at: {_named(looked[:FEW])}"


def _named(parts: Sequence[tuple[str, float]], *, plus: bool = False) -> str:
    return ", ".join(f"{shortened(text, LONGEST)} {number(value, digits=2, plus=plus)}" for text, value in parts)


def _signed(value: float) -> str:
    return number(value, digits=2, plus=True)
