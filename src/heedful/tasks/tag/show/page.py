"""Labelled texts as one HTML page: the text with its labels, and a row for each word. No script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import numpy as np

from heedful.show.heatmaps.view import number
from heedful.show.kit.html.document import document, escape, style
from heedful.show.kit.html.shaded_text import FAINT
from heedful.show.kit.svg.shades import relative
from heedful.show.kit.text.truncate import shortened
from heedful.tasks.tag.explain import TagExplanation
from heedful.tasks.tag.show.colours import hues
from heedful.tasks.tag.show.view import Piece, all_kinds, pieces

ACCOUNT = (
    "Each word has its label and how probable that is. A row below is a word that looks, its cells are the words it "
    "looked at: where the model looked has no sign, and does not say why a label is what it is."
)
MOST_ROWS = 150  # words that have a row; of a longer text the first
MOST_CELLS = 60  # words in a row: beyond, only the strongest are named
LONGEST = 24  # letters of a word
UNREAD = 300  # characters shown of what was cut off


def tags_page(explanations: Sequence[TagExplanation], *, title: str = "What each word is") -> str:
    """Return a whole page."""
    return document(title, f"<h1>{escape(title)}</h1>\n{_body(explanations)}")


def tags_fragment(explanation: TagExplanation) -> str:
    """Return one labelled text for a notebook, with its own style."""
    return f'<style>{style()}</style><div class="hf">{_body([explanation])}</div>'


@cache
def _style() -> str:
    return (files("heedful.tasks.tag.show") / "style.css").read_text(encoding="utf-8")


def _body(explanations: Sequence[TagExplanation]) -> str:
    colours = hues(all_kinds(tuple(explanations)))
    cards = "\n".join(_card(explanation, colours) for explanation in explanations)
    return f'<style>{_style()}</style><p class="soft">{escape(ACCOUNT)}</p>\n{cards}'


def _card(explanation: TagExplanation, colours: Mapping[str, float]) -> str:
    if not explanation.words:
        return '<section class="card"><p class="soft">(empty)</p></section>'
    shown = "".join(_piece(explanation, piece, colours) for piece in pieces(explanation))
    rest = explanation.text[explanation.read_to :]
    unread = f'<span class="unread">{escape(rest[:UNREAD])}</span> <span class="soft">(not read)</span>' if rest else ""
    return (
        f'<section class="card"><div class="text tagged" dir="auto">{shown}{unread}</div>\n'
        f"{_verdict(explanation)}{_table(explanation, colours)}</section>"
    )


def _piece(explanation: TagExplanation, piece: Piece, colours: Mapping[str, float]) -> str:
    before, text = escape(piece.between), escape(piece.text)
    if not piece.kind:
        return before + text
    said = escape(piece.kind) if explanation.has_spans else escape(explanation.labels[piece.first])
    return f'{before}<span class="tag" style="--h:{colours[piece.kind]:.0f}">{text}<small>{said}</small></span>'


def _verdict(explanation: TagExplanation) -> str:
    kind = "doubt" if explanation.verdict.is_warning else "calm"
    return f'<p class="verdict {kind}">{escape(explanation.verdict.words)}</p>' if explanation.verdict.words else ""


def _table(explanation: TagExplanation, colours: Mapping[str, float]) -> str:
    n = len(explanation.words)
    is_matrix = n <= MOST_CELLS
    across = "".join(f'<th scope="col" dir="auto"><span>{_word(w.text)}</span></th>' for w in explanation.words)
    head = across if is_matrix else '<th scope="col">looked at</th>'
    rows = "".join(_row(explanation, i, colours, is_matrix=is_matrix) for i in range(min(n, MOST_ROWS)))
    more = f'<p class="soft">… and {n - MOST_ROWS:,} words more.</p>' if n > MOST_ROWS else ""
    kind = "cells dense" if is_matrix else "numbers"
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="a row for each word">'
        f'<table class="{kind}"><thead><tr><td></td><td></td><td></td>{head}</tr></thead><tbody>{rows}</tbody></table>'
        f"</div>{more}"
    )


def _row(explanation: TagExplanation, i: int, colours: Mapping[str, float], *, is_matrix: bool) -> str:
    word, label, sure = explanation.words[i], explanation.labels[i], float(explanation.probabilities[i])
    hue = colours.get(label.partition("-")[2] if explanation.has_spans else label)
    tag = f'<span class="tag" style="--h:{hue:.0f}">{escape(label)}</span>' if hue is not None else escape(label)
    bar = f'<span class="sure" title="{sure:.2f}"><i style="width:{100 * sure:.0f}%"></i></span> {sure:.2f}'
    kind = "" if word.is_known else ' class="unknown"'
    looked = _cells(explanation, i) if is_matrix else f"<td>{_named(explanation, i)}</td>"
    name = f'<th scope="row" dir="auto"><span{kind}>{_word(word.text)}</span></th>'
    return f"<tr>{name}<td>{tag}</td><td>{bar}</td>{looked}</tr>"


def _cells(explanation: TagExplanation, i: int) -> str:
    weights = explanation.weights[i]
    shades = relative(weights.astype(np.float32))
    return "".join(
        f'<td class="c"{_heat(float(shade))}><b>{number(float(w))}</b></td>'
        for w, shade in zip(weights, shades, strict=True)
    )


def _heat(shade: float) -> str:
    return f' style="--w:{shade:.2f}"' if shade >= FAINT else ""


def _named(explanation: TagExplanation, i: int) -> str:
    return ", ".join(f"{_word(text)} {number(weight, digits=2)}" for text, weight in explanation.top(i, 5))


def _word(text: str) -> str:
    return escape(shortened(text, LONGEST))
