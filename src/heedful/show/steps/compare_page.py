"""One word in two texts, as one HTML page: no script, nothing from another host, every text escaped."""

from __future__ import annotations

import numpy as np

from heedful.explain.steps.two_contexts import TwoContexts
from heedful.show.kit.html.document import escape
from heedful.show.kit.text.numbers import number
from heedful.show.steps.compare_view import TITLE, beginning, head_top, reason, unknown_words, verdict, word_of
from heedful.show.steps.page import WIDE, everywhere_grid, shaded_text, wrapped
from heedful.show.steps.tables import largest_of, vectors_table


def compare_page(found: TwoContexts) -> str:
    """Return a whole page."""
    return wrapped(TITLE, "\n".join((_texts(found), _vectors(found), _stages(found), _heads(found), _grids(found))))


def _texts(found: TwoContexts) -> str:
    texts = "".join(
        f"<h3>{name} text</h3>{shaded_text(side, side.looks.mean(axis=(0, 1)))}"
        for name, side in zip(("First", "Second"), found.sides, strict=True)
    )
    said = f"{verdict(found)} {beginning(found)} {unknown_words(found)}"
    return (
        f'<p class="lead">{escape(said.strip())}</p><section class="card">{texts}'
        f'<p class="soft">Framed: {escape(word_of(found))}. Shaded: where it looks, the mean over all layers and heads '
        f"of {escape(found.sides[0].model)}. "
        'less <span class="legend" aria-hidden="true"></span> more</p></section>'
    )


def _vectors(found: TwoContexts) -> str:
    both = np.stack(found.vectors)
    names = ["in the first text", "in the second text"]
    table = vectors_table(names, both, columns=WIDE, size=largest_of([both]))
    return (
        f'<section class="card"><h2>The two vectors of {escape(word_of(found))}</h2>{table}'
        f'<p class="soft">The first {WIDE} of {both.shape[1]} numbers, after all layers. Cosine of the two: '
        f"{number(found.cosine, digits=3)}; 1 is the same direction, 0 nothing in common.</p></section>"
    )


def _stages(found: TwoContexts) -> str:
    rows = "".join(
        f'<tr><th scope="row">{escape(stage.name)}</th><td class="n">{number(stage.cosine, digits=3)}</td>'
        f'<td class="bar"><i style="--w:{max(0.0, min(1.0, stage.cosine)):.3f}"></i></td></tr>'
        for stage in found.stages
    )
    head = '<thead><tr><td></td><th scope="col" class="n">cosine</th><td></td></tr></thead>'
    return (
        '<section class="card"><h2>Where they part</h2><p>How alike the two vectors are on their way through the '
        "model. Only attention brings in other words; the connected part works on each word by itself.</p>"
        f'<table class="steps-list cosines">{head}<tbody>{rows}</tbody></table></section>'
    )


def _heads(found: TwoContexts) -> str:
    n_layers, n_heads = found.apart.shape
    rows = "".join(
        f'<tr><th scope="row">layer {i + 1}, head {j + 1}</th>{_looked(found, 0, i, j)}{_looked(found, 1, i, j)}'
        f'<td class="n">{number(float(found.apart[i, j]), digits=2)}</td></tr>'
        for i in range(n_layers)
        for j in range(n_heads)
    )
    heads = "".join(f'<th scope="col">{name}</th>' for name in ("in the first text, most at", "in the second"))
    return (
        f'<section class="card"><h2>Why: what each head looked at</h2><p>{escape(reason(found))}</p>'
        '<div class="scroll" tabindex="0" role="region" aria-label="what each head looked at">'
        f'<table class="steps-list"><thead><tr><td></td>{heads}<th scope="col" class="n">apart</th></tr></thead>'
        f'<tbody>{rows}</tbody></table></div><p class="soft">Apart: the length of the difference between what the head '
        "adds to the word in the one text and in the other.</p></section>"
    )


def _looked(found: TwoContexts, side: int, layer: int, head: int) -> str:
    shown = ", ".join(f"{name} {share:.2f}" for name, share in head_top(found, side, layer, head))
    return f'<td dir="auto">{escape(shown)}</td>'


def _grids(found: TwoContexts) -> str:
    grids = "".join(
        f"<div><h3>In the {name} text</h3>{everywhere_grid(side, is_marked=False)}</div>"
        for name, side in zip(("first", "second"), found.sides, strict=True)
    )
    title = f"Where {escape(word_of(found))} looks, in every head"
    return f'<section class="card"><h2>{title}</h2><div class="pair">{grids}</div></section>'
