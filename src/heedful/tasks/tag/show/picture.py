"""A labelled text as an SVG picture: the words with their labels, and below where each looked."""

from __future__ import annotations

from collections.abc import Mapping

from heedful.errors import HeedfulError
from heedful.show.heatmaps.picture import MARGIN, MOST_WIDE, NARROWEST, SAFE
from heedful.show.kit.svg import svg
from heedful.show.kit.svg.shades import FAINT
from heedful.show.kit.text.text_width import BOLD, advance, fitted, wrapped
from heedful.tasks.tag.explain import TagExplanation
from heedful.tasks.tag.show.colours import code
from heedful.tasks.tag.show.view import PICTURE_ACCOUNT, TITLE, Piece, TagView
from heedful.tasks.tag.show.view import view as view_of

SIZE, SMALL, LINE = 17, 11, 50
GAP = 5  # between two words
MOST_LINES = 10
MOST_WORDS = 40  # in the matrix, where each looked
CELL, LABEL = 22.0, 6.5  # largest side of a cell; em of the longest word beside it


def tags_picture(explanation: TagExplanation, *, width: int = 760) -> str:
    """Return the text with its labels, and the weights between its words where these are few enough."""
    if not NARROWEST <= width <= MOST_WIDE:
        raise HeedfulError(f"width is {width}, a picture is from {NARROWEST} to {MOST_WIDE} wide")
    view = view_of(explanation)
    drawn, y = _text(view, width)
    if 0 < len(view.words) <= MOST_WORDS:
        more, y = _matrix(view, width, y + 14)
        drawn += more
    for line in wrapped(PICTURE_ACCOUNT, (width - 2 * MARGIN) / 13 * SAFE):
        y += 19
        drawn.append(svg.text(line, MARGIN, y, size=13, more=f'fill="{svg.SOFT}"'))
    about = ", ".join(f"{p.text}: {p.kind}" for p in view.pieces[:50] if p.kind)
    return svg.drawing(width, round(y + MARGIN), title=TITLE, about=about, body="\n".join(drawn))


# --- the text


def _text(view: TagView, width: int) -> tuple[list[str], float]:
    """Draw the text; return what is drawn, and where it ends."""
    room = width - 2 * MARGIN
    drawn: list[str] = []
    x, y, lines = 0.0, float(MARGIN), 1
    for piece in view.pieces:
        text = fitted(piece.text or piece.between, room / SIZE)
        wide = _wide(piece, text)
        if x and x + wide > room:
            x, y, lines = 0.0, y + LINE, lines + 1
            if lines > MOST_LINES:
                drawn.append(svg.text("…", MARGIN, y, size=SIZE))
                break
        drawn.append(_piece(piece, text, MARGIN + x, y, wide, view.hues))
        x += wide + GAP
    return drawn, y + LINE


def _wide(piece: Piece, text: str) -> float:
    if not piece.kind:
        return advance(text) * SIZE
    return max(advance(text) * SIZE, advance(piece.kind) * SMALL * BOLD) + 10


def _piece(piece: Piece, text: str, x: float, y: float, wide: float, colours: Mapping[str, float]) -> str:
    if not piece.kind:
        return svg.text(text, x, y + 18, size=SIZE, length=advance(text) * SIZE) if text.strip() else ""
    hue = colours[piece.kind]
    ground = svg.box(x, y - 2, wide, 40, code(hue, lightness=0.88), round_by=5)
    ink = code(hue, lightness=0.27, saturation=0.7)
    label = svg.text(
        fitted(piece.kind, (wide - 6) / (SMALL * BOLD)),
        x + 5,
        y + 33,
        size=SMALL,
        more=f'font-weight="700" fill="{ink}"',
    )
    return ground + svg.text(text, x + 5, y + 18, size=SIZE, length=advance(text) * SIZE) + label


# --- where words looked


def _matrix(view: TagView, width: int, y: float) -> tuple[list[str], float]:
    """Draw the weights between words; return what is drawn, and where it ends."""
    names = [fitted(word.text, LABEL) for word in view.words]
    room, n = width - 2 * MARGIN, len(names)
    longest = max(map(advance, names))
    cell = min(CELL, (room - longest * 12 - 8) / n)
    size = min(12.0, cell * 0.9)
    left, top = MARGIN + longest * size + 8, y + 26 + longest * size + 8
    drawn = [
        svg.text("Where each word looked", MARGIN, y + 10, size=15, more='font-weight="700"'),
        svg.legend(width - MARGIN, y + 10, is_signed=False, ends=("less", "more")),
    ]
    for i, name in enumerate(names):
        across, down = left + (i + 0.5) * cell + size * 0.35, top + (i + 0.5) * cell + size * 0.35
        turn = f'transform="rotate(-90 {across:.1f} {top - 5:.1f})"'
        drawn.append(svg.text(name, across, top - 5, size=size, length=advance(name) * size, more=turn))
        drawn.append(svg.text(name, left - 5, down, size=size, length=advance(name) * size, more='text-anchor="end"'))
        drawn += [
            svg.box(left + j * cell + 0.5, top + i * cell + 0.5, cell - 1, cell - 1, _heat(shade), round_by=2)
            for j, shade in enumerate(view.words[i].shades)
        ]
    return drawn, top + n * cell + 8


def _heat(shade: float) -> str:
    return svg.shade_colour(float(shade), is_signed=False) if shade >= FAINT else "#f4f5f7"
