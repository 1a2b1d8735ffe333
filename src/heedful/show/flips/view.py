"""What is drawn of a flip: a sentence, and the text with the words that would be left out."""

from __future__ import annotations

from dataclasses import dataclass

from heedful.explain.attention.flip import Flip

TITLE = "What would change the answer"


@dataclass(frozen=True)
class FlipView:
    """Everything to see of a flip."""

    answer: str
    sentence: str
    parts: tuple[tuple[str, bool], ...]  # text, and whether it would be left out


def view(flip: Flip) -> FlipView:
    """Return what is to see of a flip."""
    parts, at = [], 0
    for word in flip.words:
        parts += [(flip.text[at : word.start], False), (flip.text[word.start : word.end], True)]
        at = word.end
    parts.append((flip.text[at:], False))
    return FlipView(f"{flip.label} ({flip.probability:.2f})", flip.sentence, tuple(parts))
