"""A labelled text as an SVG picture: words with their labels, and below contributions and attention as matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heedful.errors import HeedfulError
from heedful.show.heatmaps.picture import MARGIN, MOST_WIDE, NARROWEST, SAFE
from heedful.show.kit.svg import svg
from heedful.show.kit.svg.shades import FAINT
from heedful.show.kit.text.text_width import BOLD, advance, fitted, wrapped
from heedful.tasks.tag.explanation import TagExplanation
from heedful.tasks.tag.show.colours import code
from heedful.tasks.tag.show.view import OWN_STATE, PICTURE_ACCOUNT, TITLE, Piece, TagView
from heedful.tasks.tag.show.view import view as view_of

SIZE, SMALL, LINE = 17, 11, 50
GAP = 5  # between two words
MOST_LINES = 10
MOST_WORDS = 40  # in a matrix
SIDE_BY_SIDE = 16  # words: with more, attention is below contributions
APART = 28  # between matrices
CELL, LABEL = 22.0, 6.5  # largest side of a cell; em of the longest word beside it


def tags_picture(explanation: TagExplanation, *, width: int = 760) -> str:
    """Return the text with its labels; of few words, also contributions to each label, and attention."""
    if not NARROWEST <= width <= MOST_WIDE:
        raise HeedfulError(f"width is {width}, a picture is from {NARROWEST} to {MOST_WIDE} wide")
    view = view_of(explanation)
    drawn, y = _text(view, width)
    account = ""
    if 0 < len(view.words) <= MOST_WORDS:
        more, y = _matrices(view, width, y + 14)
        drawn, account = drawn + more, view.account or PICTURE_ACCOUNT
    for line in wrapped(account, (width - 2 * MARGIN) / 13 * SAFE):
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


# --- contributions and attention


@dataclass(frozen=True)
class Matrix:
    """Shades of a row for each word."""

    title: str
    columns: tuple[str, ...]
    shades: Sequence[Sequence[float]]  # (word, column)
    is_signed: bool
    ends: tuple[str, str]


def _matrices(view: TagView, width: int, y: float) -> tuple[list[str], float]:
    """Draw contributions, if there is a sum, and attention; return what is drawn, and where it ends."""
    matrices = [*([_sums(view)] if view.has_sum else []), _attention(view)]
    rows = [word.text for word in view.words]
    room, above = width - 2 * MARGIN, max(advance(fitted(name, LABEL)) for m in matrices for name in m.columns)
    if len(matrices) == 1 or len(rows) > SIDE_BY_SIDE:
        drawn: list[str] = []
        for matrix in matrices:
            elements, y = _matrix(matrix, rows, (MARGIN, y), room, above)
            drawn, y = drawn + elements, y + 14
        return drawn, y - 14
    half = (room - APART) / 2
    left, bottom = _matrix(matrices[0], rows, (MARGIN, y), half, above)
    right, other_bottom = _matrix(matrices[1], rows, (MARGIN + half + APART, y), half, above)
    return left + right, max(bottom, other_bottom)


def _sums(view: TagView) -> Matrix:
    names = [word.text for word in view.words]
    sums = [view.sum_of(i) for i in range(len(names))]
    own = [[parts.own_shade] if view.has_own else [] for parts in sums]
    return Matrix(
        "Contributions to each label",
        (*([OWN_STATE] if view.has_own else []), *names),
        [[*first, *map(float, parts.shades)] for first, parts in zip(own, sums, strict=True)],
        is_signed=True,
        ends=("against", "for"),
    )


def _attention(view: TagView) -> Matrix:
    names = tuple(word.text for word in view.words)
    shades = [list(map(float, view.looked(i).shades)) for i in range(len(names))]
    return Matrix("Where each word looked", names, shades, is_signed=False, ends=("less", "more"))


def _matrix(
    matrix: Matrix, words: Sequence[str], at: tuple[float, float], room: float, above: float
) -> tuple[list[str], float]:
    """Draw a matrix under names of the columns of at most `above` em; return what is drawn, and where it ends."""
    (x, y), rows, columns = at, *([fitted(word, LABEL) for word in side] for side in (words, matrix.columns))
    beside = max(map(advance, rows))
    cell = min(CELL, (room - beside * 12 - 8) / len(columns))
    size = min(12.0, cell * 0.9)
    left, top = x + beside * size + 8, y + 46 + above * 12 + 8
    drawn = [
        svg.text(matrix.title, x, y + 10, size=15, more='font-weight="700"'),
        svg.legend(x + room, y + 30, is_signed=matrix.is_signed, ends=matrix.ends),
    ]
    for j, name in enumerate(columns):
        across = left + (j + 0.5) * cell + size * 0.35
        turn = f'transform="rotate(-90 {across:.1f} {top - 5:.1f})"'
        drawn.append(svg.text(name, across, top - 5, size=size, length=advance(name) * size, more=turn))
    for i, name in enumerate(rows):
        down = top + (i + 0.5) * cell + size * 0.35
        drawn.append(svg.text(name, left - 5, down, size=size, length=advance(name) * size, more='text-anchor="end"'))
        drawn += [
            _cell(matrix, shade, left + j * cell, top + i * cell, cell) for j, shade in enumerate(matrix.shades[i])
        ]
    return drawn, top + len(rows) * cell + 8


def _cell(matrix: Matrix, shade: float, x: float, y: float, side: float) -> str:
    is_faint = abs(shade) < FAINT
    colour = "#f4f5f7" if is_faint else svg.shade_colour(shade, is_signed=matrix.is_signed)
    ground = svg.box(x + 0.5, y + 0.5, side - 1, side - 1, colour, round_by=2)
    return (
        ground if is_faint or shade > 0 else ground + svg.box(x + 1, y + side - 2.5, side - 2, 2, svg.EDGE, round_by=0)
    )
