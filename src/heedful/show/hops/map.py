"""Matrices of shaded cells: hops against words, and hops against each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from heedful.explain.hops.atlas import ALIKE, HopAtlas
from heedful.show.hops.view import lift_shade, mark_of
from heedful.show.kit.html.document import escape
from heedful.show.kit.text.truncate import shortened

ROOMY = 14  # columns that have room for numbers; with more, a number shows under the pointer
STRONG = 0.75  # shade of the cells that the tab key stops at
NAME = 18  # letters of a word


def word_map(atlas: HopAtlas) -> str:
    """Return each hop against the words that tell the hops apart."""
    if not atlas.map_words:
        return '<p class="soft">No word stands out in any hop: there is nothing to map.</p>'
    largest = float(atlas.map.max())
    words = [escape(shortened(word, NAME)) for word in atlas.map_words]
    spread = ["–" if hop.entropy is None else f"{hop.entropy:.2f}" for hop in atlas.hops]
    return _matrix(
        atlas,
        heads=[f'<th scope="col" dir="auto"><span>{word}</span></th>' for word in words],
        names=words,
        values=atlas.map,
        shade=lambda lift: lift_shade(lift, largest),
        number=lambda lift: f"×{lift:.1f}",
        last=("entropy", spread),
        about="how strongly each hop reads each word",
    )


def likeness_map(atlas: HopAtlas) -> str:
    """Return the cosine of each hop's weights with each other's."""
    numbers = [str(hop.number) for hop in atlas.hops]
    return _matrix(
        atlas,
        heads=[f'<th scope="col"><span>{number}</span></th>' for number in numbers],
        names=[f"hop {number}" for number in numbers],
        values=atlas.likeness,
        shade=lambda cosine: min(1.0, max(0.0, cosine)) ** 2,  # squared: most are above a half
        number=lambda cosine: f"{cosine:.2f}",
        last=("nearest", _nearest(atlas.likeness)),
        about=f"how alike the hops are; {ALIKE} and more counts as the same",
    )


def odd(mark: str) -> str:
    """Return the attributes of what stands for a hop with such a mark, if it has one."""
    return f' class="odd" title="{escape(mark)}"' if mark else ""


def _nearest(likeness: NDArray[np.float64]) -> list[str]:
    others = likeness - 2 * np.eye(len(likeness))
    return [f"{i + 1} ({row[i]:.2f})" for row, i in zip(others, others.argmax(axis=1), strict=True)]


def _matrix(
    atlas: HopAtlas,
    *,
    heads: Sequence[str],
    names: Sequence[str],
    values: NDArray[np.float64],
    shade: Callable[[float], float],
    number: Callable[[float], str],
    last: tuple[str, Sequence[str]],
    about: str,
) -> str:
    rows = []
    for hop, row, end in zip(atlas.hops, values.tolist(), last[1], strict=True):
        cells = "".join(
            _cell(shade(value), number(value), f"hop {hop.number} · {name}")
            for name, value in zip(names, row, strict=True)
        )
        link = f'<a href="#hop-{hop.number}">hop {hop.number}</a>'
        row_of = f'<th scope="row">{link}</th>{cells}<td class="last">{end}</td>'
        rows.append(f"<tr{odd(mark_of(atlas, hop))}>{row_of}</tr>")
    tight = " tight" if len(names) > ROOMY else ""
    head = f'<td></td>{"".join(heads)}<th scope="col" class="last"><span>{last[0]}</span></th>'
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(about)}">'
        f'<table class="grid{tight}" style="--n:{len(names)}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _cell(shade: float, number: str, name: str) -> str:
    reachable = ' tabindex="0"' if shade >= STRONG else ""
    return f'<td class="cell" style="--w:{shade:.2f}"{reachable} title="{name}: {number}"><b>{number}</b></td>'
