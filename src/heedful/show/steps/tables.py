"""Vectors and weights as tables of a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from heedful.explain.steps.numpy_transformer import Array
from heedful.show.kit.html.document import escape
from heedful.show.kit.svg.shades import EVEN
from heedful.show.kit.text.numbers import number

ROOMY = 16  # columns that have room for numbers; with more, a number shows under the pointer
STRONG = 0.6  # the tab key stops at cells as strong as this
FAINT = 0.04


def vectors_table(
    names: Sequence[str], rows: Array, *, columns: int, size: float, marked: int | None = None, total: str = ""
) -> str:
    """Return the first numbers of each vector (row, number), coloured by sign and size; `total` names a row of sums."""
    body = "".join(
        f"<tr{_mark(i == marked)}>{_name(name)}{_numbers(row, columns, size)}</tr>"
        for i, (name, row) in enumerate(zip(names, rows, strict=True))
    )
    foot = f'<tfoot><tr class="total">{_name(total)}{_numbers(rows.sum(axis=0), columns, size)}</tr></tfoot>'
    return _scroll(
        f'<table class="cells">{f"<tbody>{body}</tbody>"}{foot if total else ""}</table>', "numbers of vectors"
    )


def columns_table(
    heads: Sequence[str],
    names: Sequence[str],
    columns: Sequence[Array],
    *,
    marked: int,
    bars: Array | None = None,
    digits: int = 2,
) -> str:
    """Return a row for each word and a column for each array of numbers, the last as a bar where asked."""
    head = "".join(f'<th scope="col" class="n">{escape(each)}</th>' for each in heads)
    body = "".join(
        f"<tr{_mark(i == marked)}>{_name(name)}"
        + "".join(f'<td class="n">{number(float(column[i]), digits=digits)}</td>' for column in columns)
        + (f'<td class="bar"><i style="--w:{bars[i]:.3f}"></i></td>' if bars is not None else "")
        + "</tr>"
        for i, name in enumerate(names)
    )
    end = "<td></td>" if bars is not None else ""
    return f'<table class="steps-list"><thead><tr><td></td>{head}{end}</tr></thead><tbody>{body}</tbody></table>'


def weights_grid(
    rows: Sequence[str], columns: Sequence[str], weights: Array, *, marked: int | None = None, label: str
) -> str:
    """Return weights (row, column) as a grid of shades with their numbers."""
    tight = len(columns) > ROOMY
    darkest = max(float(weights.max(initial=0.0)), min(1.0, EVEN / max(1, len(columns))))
    head = "".join(f'<th scope="col" dir="auto"><span>{escape(name)}</span></th>' for name in columns)
    body = "".join(
        f"<tr{_mark(i == marked)}>{_name(name)}{_weights(row, darkest, tight=tight)}</tr>"
        for i, (name, row) in enumerate(zip(rows, weights, strict=True))
    )
    kind = "cells dense" if tight else "cells upright"
    return _scroll(f'<table class="{kind}"><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>', label)


def largest_of(arrays: Iterable[Array]) -> float:
    """Return the largest size of any number, by which all are coloured."""
    return max((float(np.abs(array).max(initial=0.0)) for array in arrays), default=0.0) or 1.0


def _scroll(table: str, label: str) -> str:
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(label)}">{table}</div>'


def _numbers(row: Array, columns: int, size: float) -> str:
    more = '<td class="more" aria-label="and so on">…</td>' if len(row) > columns else ""
    return "".join(_signed(float(x), size) for x in row[:columns]) + more


def _signed(x: float, size: float) -> str:
    strength = min(1.0, abs(x) / size)
    kind = "c" if strength < FAINT else "c for" if x > 0 else "c against"
    return f'<td class="{kind}" style="--w:{0.75 * strength:.2f}">{number(x, digits=2)}</td>'


def _weights(row: Array, darkest: float, *, tight: bool) -> str:
    return "".join(_weight(float(weight), float(weight) / darkest, tight=tight) for weight in row)


def _weight(weight: float, shade: float, *, tight: bool) -> str:
    reach = ' tabindex="0"' if tight and shade >= STRONG else ""
    return f'<td class="c" style="--w:{shade:.2f}"{reach}><b>{number(weight, digits=2)}</b></td>'


def _name(name: str) -> str:
    return f'<th scope="row" dir="auto">{escape(name)}</th>'


def _mark(is_marked: bool) -> str:
    return ' class="followed"' if is_marked else ""
