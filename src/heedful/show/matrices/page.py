"""A matrix of weights between words as one HTML page."""

from __future__ import annotations

from heedful.show.heatmaps.view import number
from heedful.show.kit.html.document import document, escape, style
from heedful.show.kit.html.shaded_text import FAINT
from heedful.show.kit.text.truncate import shortened
from heedful.show.matrices.api import Matrix

ROOMY = 14  # columns that have room for numbers; with more, a number shows under the pointer
STRONG = 0.6  # of the strongest: the tab key stops there
LONGEST = 24  # letters of a word


def matrix_page(drawn: Matrix) -> str:
    """Return a whole page."""
    return document(drawn.title or "Weights between words", matrix_body(drawn))


def matrix_fragment(drawn: Matrix) -> str:
    """Return a matrix for a notebook, with its own style."""
    return f'<style>{style()}</style><div class="hf">{matrix_body(drawn)}</div>'


def matrix_body(drawn: Matrix) -> str:
    """Return what stands in a page: the title, how to read it, and the panels."""
    title = f"<h1>{escape(shortened(drawn.title, 200))}</h1>" if drawn.title else ""
    low, high = drawn.ends
    kind = "legend signed" if drawn.is_signed else "legend"
    key = f'{low} <span class="{kind}" aria-hidden="true"></span> {high}'
    panels = "".join(_panel(drawn, i) for i in range(len(drawn.names)))
    return (
        f'{title}<p class="soft">{escape(drawn.account)}{_how(drawn)}</p>'
        f'<section class="card"><p class="soft">{key}</p><div class="panels">{panels}</div></section>'
    )


def _is_tight(drawn: Matrix) -> bool:
    return len(drawn.columns) > ROOMY or len(drawn.names) > 1


def _how(drawn: Matrix) -> str:
    return (
        " A cell shows its number under the pointer; the tab key goes through the strongest."
        if _is_tight(drawn)
        else ""
    )


def _panel(drawn: Matrix, panel: int) -> str:
    name = drawn.names[panel]
    caption = f"<figcaption><b>{escape(name)}</b></figcaption>" if name else ""
    head = "".join(f'<th scope="col" dir="auto"><span>{_word(word)}</span></th>' for word in drawn.columns)
    body = "".join(
        f'<tr><th scope="row" dir="auto">{_word(word)}</th>{_cells(drawn, panel, i)}</tr>'
        for i, word in enumerate(drawn.rows)
    )
    return (
        f'<figure>{caption}<div class="scroll" tabindex="0" role="region" aria-label="weights between words {name}">'
        f'<table class="cells{" dense" if _is_tight(drawn) else ""}"><thead><tr><td></td>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div></figure>"
    )


def _cells(drawn: Matrix, panel: int, i: int) -> str:
    return "".join(
        _cell(float(weight), float(shade), is_signed=drawn.is_signed, is_tight=_is_tight(drawn))
        for weight, shade in zip(drawn.weights[panel, i], drawn.shades[panel, i], strict=True)
    )


def _cell(weight: float, shade: float, *, is_signed: bool, is_tight: bool) -> str:
    kind = "" if not is_signed else " for" if shade > 0 else " against"
    reach = ' tabindex="0"' if is_tight and abs(shade) >= STRONG else ""
    shown = f'<td class="c{kind}" style="--w:{abs(shade):.2f}"' if abs(shade) >= FAINT else '<td class="c"'
    return f"{shown}{reach}><b>{number(weight)}</b></td>"


def _word(word: str) -> str:
    return escape(shortened(word, LONGEST))
