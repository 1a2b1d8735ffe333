"""The elements of a picture. Everything from outside goes through `xml`."""

from __future__ import annotations

import re
from html import escape as escape_markup

from heedful.show.kit.text.fonts import SANS, typeface
from heedful.show.kit.text.sanitise import one_line
from heedful.show.kit.text.text_width import advance
from heedful.show.kit.text.truncate import clings

INK, SOFT, LINE, PAPER = "#1b1f24", "#59636e", "#d9dee4", "#ffffff"
HEAT, FOR, AGAINST, EDGE = (168, 124, 220), (86, 160, 214), (240, 150, 74), "#9a4a00"
_NOT_XML = re.compile("[\ufffe\uffff]")  # `visible` has taken out all others that XML forbids


def xml(text: str) -> str:
    """Return text on one line that is only text in XML, without control characters."""
    return _NOT_XML.sub("\ufffd", escape_markup(one_line(text)))


def drawing(width: float, height: float, *, title: str, about: str, body: str) -> str:
    """Return a whole picture that needs nothing else."""
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{SANS}" font-size="16" fill="{INK}">\n'
        f"<title>{xml(title)}</title>\n<desc>{xml(about)}</desc>\n"
        f'<rect width="{width:g}" height="{height:g}" fill="{PAPER}"/>\n{body}\n</svg>\n'
    )


def text(content: str, x: float, y: float, *, size: float = 16, length: float | None = None, more: str = "") -> str:
    """Return a text that begins at a place; `length` makes it exactly so wide, whatever the font.

    Not so with vowel signs and other marks: a drawing program may take them for letters, and stretch the text.
    """
    face = typeface(content)
    font = f' font-family="{face}"' if face else ""
    fit = (
        f' textLength="{length:.1f}" lengthAdjust="spacingAndGlyphs"'
        if length and not any(map(clings, content))
        else ""
    )
    high = f' font-size="{size:g}"' if size != 16 else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{high}{fit}{font}{more and " " + more}>{xml(content)}</text>'


def box(x: float, y: float, width: float, height: float, fill: str, *, round_by: float = 4, more: str = "") -> str:
    """Return a filled box."""
    corners = f' rx="{round_by:g}"' if round_by else ""
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {place}{corners} fill="{fill}"{more and " " + more}/>'


def shade_colour(shade: float, *, is_signed: bool) -> str:
    """Return the colour of a shade from -1 to 1 on paper."""
    far = HEAT if not is_signed else FOR if shade > 0 else AGAINST
    strength = min(1.0, abs(shade))
    return "#" + "".join(f"{round(255 + (c - 255) * strength):02x}" for c in far)


def legend(x: float, y: float, *, is_signed: bool, ends: tuple[str, str]) -> str:
    """Return the scale of colours, ending at x."""
    left, right = ends
    steps = [-1 + (i + 0.5) / 8 if is_signed else (i + 0.5) / 16 for i in range(16)]
    at = x - advance(right) * 12 - 5 - 16 * 5
    bars = "".join(
        box(at + 5 * i, y - 10, 5.2, 11, shade_colour(step, is_signed=is_signed), round_by=0)
        for i, step in enumerate(steps)
    )
    frame = f'<rect x="{at:.1f}" y="{y - 10:.1f}" width="80" height="11" fill="none" stroke="{LINE}"/>'
    words = text(left, at - 5, y, size=12, more=f'text-anchor="end" fill="{SOFT}"')
    return words + bars + frame + text(right, at + 85, y, size=12, more=f'fill="{SOFT}"')
