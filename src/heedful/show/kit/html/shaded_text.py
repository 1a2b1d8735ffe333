"""The words of a text in a page, each on a ground as strong as its number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heedful.explain.attention.explanation import Word
from heedful.show.heatmaps.view import HeatmapView, Row
from heedful.show.kit.svg.shades import FAINT
from heedful.show.kit.text.bidi import direction
from heedful.show.kit.text.folding import Fold, Stretch, stretches
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.truncate import shortened

WHOLE = Fold(short=400, strongest=60, around=7, least=12)
EXCERPT = Fold(short=120, strongest=10, around=4, least=4)
REACHABLE = 300  # words of a text that the tab key goes through; in a longer one it would never get to the end
UNREAD = 300  # characters shown of what was truncated
LONGEST, GAP = 80, 200  # characters of a word, and between two words, in an excerpt


@dataclass(frozen=True, slots=True)
class ShadedWord:
    """A word with its number, on a ground."""

    text: str
    classes: str
    shade: str
    number: str
    is_reachable: bool  # by the tab key


@dataclass(frozen=True, slots=True)
class Run:
    """Words and what stands between them; folded away under a `summary`, or left out of an excerpt."""

    parts: tuple[str | ShadedWord, ...] = ()
    summary: str = ""
    is_left_out: bool = False


@dataclass(frozen=True, slots=True)
class ShadedText:
    """A text as a page shows it."""

    direction: str = "auto"
    runs: tuple[Run, ...] = ()
    unread: str = ""


def whole_text(view: HeatmapView, row: Row) -> ShadedText:
    """Return the text; a long one is folded around the strongest words of all rows. Without words it has no runs."""
    if not view.text.strip():
        return ShadedText()
    parts = stretches(view.rows, WHOLE)
    runs = tuple(Run(tuple(_run(view, row, part)), "" if part.is_shown else _summary(row, part)) for part in parts)
    return ShadedText(_direction(view, parts), runs, unread(view.text[view.read_to :]))


def excerpt(view: HeatmapView, row: Row) -> ShadedText:
    """Return the text; of a long one, only the stretches around the strongest words of this row."""
    parts = stretches([row], EXCERPT)
    runs = tuple(
        Run(tuple(_run(view, row, part, is_brief=True))) if part.is_shown else Run(is_left_out=True) for part in parts
    )
    return ShadedText(_direction(view, parts), runs)


def is_excerpt(view: HeatmapView) -> bool:
    """Return whether an excerpt leaves words out."""
    return len(view.words) > EXCERPT.short


def unread(rest: str) -> str:
    """Return the beginning of what was not read."""
    return rest[:UNREAD] + ("…" if len(rest) > UNREAD else "")


def _direction(view: HeatmapView, parts: list[Stretch]) -> str:
    """Return the direction: a browser finds it by the first letter, unless that may be folded away."""
    return "auto" if len(parts) == 1 else direction(view.text)


def _run(view: HeatmapView, row: Row, part: Stretch, *, is_brief: bool = False) -> Iterator[str | ShadedWord]:
    """Yield the words that have a ground, and all text between two of them as one."""
    words = view.words
    at = words[part.first].start if part.first else 0
    text = ""
    for i in range(part.first, part.end):
        text += _between(view.text[at : words[i].start], is_brief=is_brief)
        word = _word(view, row, i, is_brief=is_brief or not part.is_shown)
        at = words[i].end
        if isinstance(word, str):
            text += word
            continue
        if text:
            yield text
        yield word
        text = ""
    end = words[part.end].start if part.end < len(words) else view.read_to
    yield text + _between(view.text[at:end], is_brief=is_brief)


def _between(text: str, *, is_brief: bool) -> str:
    return shortened(text, GAP) if is_brief and len(text) > GAP else text


def _word(view: HeatmapView, row: Row, i: int, *, is_brief: bool) -> str | ShadedWord:
    word, shade = view.words[i], float(row.shades[i])
    text = shortened(word.text, LONGEST) if is_brief else word.text
    if is_brief and abs(shade) < FAINT:  # with many rows and a long text, most spans would show nothing
        return text
    if row.is_signed and abs(shade) < FAINT:
        shade = 0.0
    is_reachable = not is_brief and len(view.words) <= REACHABLE
    return ShadedWord(text, _classes(row, word, shade), f"{abs(shade):.2f}", view.number(row, i), is_reachable)


def _classes(row: Row, word: Word, shade: float) -> str:
    sign = "" if not row.is_signed or not shade else " for" if shade > 0 else " against"
    return f"w{sign}{'' if word.is_known else ' unknown'}"


def _summary(row: Row, part: Stretch) -> str:
    together = number(float(row.values[part.first : part.end].sum()))
    effect = "little effect" if row.is_signed else f"little weight, together {together}"
    return f"… {len(part):,} words, each with {effect}"
