"""The words of a text in a page, each on a ground as strong as its number."""

from __future__ import annotations

from heedful.explain.attention.explanation import Word
from heedful.show.heatmaps.view import Row, Sheet, number
from heedful.show.kit.html.document import escape
from heedful.show.kit.text.bidi import direction
from heedful.show.kit.text.folding import Fold, Stretch, stretches
from heedful.show.kit.text.truncate import shortened

FAINT = 0.08  # of the strongest: nothing to be seen
WHOLE = Fold(short=400, strongest=60, around=7, least=12)
EXCERPT = Fold(short=120, strongest=10, around=4, least=4)
REACHABLE = 300  # words of a text that the tab key goes through; in a longer one it would never get to the end
UNREAD = 300  # characters shown of what was cut off
LONGEST, GAP = 80, 200  # characters of a word, and between two words, in an excerpt


def whole_text(sheet: Sheet, row: Row) -> str:
    """Return the text; a long one is folded around the strongest words of all rows."""
    if not sheet.text.strip():
        return '<div class="text"><span class="soft">(empty)</span></div>'
    parts = stretches(sheet.rows, WHOLE)
    shown = "".join(_run(sheet, row, part) if part.is_shown else _folded(sheet, row, part) for part in parts)
    return f'<div class="text" dir="{_way(sheet, parts)}">{shown}{_unread(sheet)}</div>'


def excerpt(sheet: Sheet, row: Row) -> str:
    """Return the text; of a long one, only the stretches around the strongest words of this row."""
    parts = stretches([row], EXCERPT)
    shown = "".join(
        _run(sheet, row, part, is_brief=True) if part.is_shown else '<span class="soft"> … </span>' for part in parts
    )
    return f'<div class="text" dir="{_way(sheet, parts)}">{shown}</div>'


def is_excerpt(sheet: Sheet) -> bool:
    """Return whether an excerpt leaves words out."""
    return len(sheet.words) > EXCERPT.short


def _way(sheet: Sheet, parts: list[Stretch]) -> str:
    """Return the direction: a browser finds it by the first letter, unless that may be folded away."""
    return "auto" if len(parts) == 1 else direction(sheet.text)


def _run(sheet: Sheet, row: Row, part: Stretch, *, is_brief: bool = False) -> str:
    words = sheet.words
    at = words[part.first].start if part.first else 0
    shown: list[str] = []
    for i in range(part.first, part.end):
        shown.append(_between(sheet.text[at : words[i].start], is_brief=is_brief))
        shown.append(_word(sheet, row, i, is_brief=is_brief or not part.is_shown))
        at = words[i].end
    end = words[part.end].start if part.end < len(words) else sheet.read_to
    return "".join([*shown, _between(sheet.text[at:end], is_brief=is_brief)])


def _between(text: str, *, is_brief: bool) -> str:
    return escape(shortened(text, GAP) if is_brief and len(text) > GAP else text)


def _word(sheet: Sheet, row: Row, i: int, *, is_brief: bool) -> str:
    word, shade = sheet.words[i], float(row.shades[i])
    text = escape(shortened(word.text, LONGEST) if is_brief else word.text)
    if is_brief and abs(shade) < FAINT:  # with many rows and a long text, most spans would show nothing
        return text
    if row.is_signed and abs(shade) < FAINT:
        shade = 0.0
    reach = ' tabindex="0"' if not is_brief and len(sheet.words) <= REACHABLE else ""
    shown = f'style="--w:{abs(shade):.2f}" data-n="{sheet.number(row, i)}"'
    return f'<span class="{_kinds(row, word, shade)}" {shown}{reach}>{text}</span>'


def _kinds(row: Row, word: Word, shade: float) -> str:
    sign = "" if not row.is_signed or not shade else " for" if shade > 0 else " against"
    return f"w{sign}{'' if word.is_known else ' unknown'}"


def _folded(sheet: Sheet, row: Row, part: Stretch) -> str:
    together = number(float(row.values[part.first : part.end].sum()))
    said = "little effect" if row.is_signed else f"little weight, together {together}"
    many = f"… {len(part):,} words, each with {said}"
    return f'<details class="fold"><summary dir="ltr">{many}</summary>{_run(sheet, row, part)}</details>'


def _unread(sheet: Sheet) -> str:
    rest = sheet.text[sheet.read_to :]
    if not rest:
        return ""
    more = "…" if len(rest) > UNREAD else ""
    return f'<span class="unread">{escape(rest[:UNREAD])}{more}</span> <span class="soft" dir="ltr">(not read)</span>'
