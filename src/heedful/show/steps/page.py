"""Self-attention step by step, as one HTML page: no script, nothing from another host, every text escaped."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import numpy as np

from heedful.explain.steps.numpy_transformer import Array
from heedful.explain.steps.steps import Steps
from heedful.show.kit.html.document import document, escape
from heedful.show.kit.svg.shades import relative
from heedful.show.steps.tables import columns_table, largest_of, vectors_table, weights_grid
from heedful.show.steps.view import (
    TITLE,
    by_matrices,
    entering,
    equality,
    honest,
    joining,
    left_out,
    name_of,
    names_of,
    place,
    quoted,
    sentences,
    shown_pieces,
    top_pieces,
    worked_division,
    worked_product,
    worked_softmax,
)

MOST = 40  # words in a table
WIDE, NARROW = 8, 4  # numbers of a vector: alone, and three beside each other


def steps_page(steps: Steps) -> str:
    """Return a whole page."""
    body = "\n".join((_heading(steps), _first(steps), _scores(steps), _sums(steps), _matrix(steps), _heads(steps)))
    return wrapped(TITLE, f"{body}\n{_everywhere(steps)}")


def wrapped(title: str, body: str) -> str:
    """Return a page around parts of ours."""
    return document(title, f'<div class="steps"><style>\n{_style()}</style>\n<h1>{escape(title)}</h1>\n{body}</div>')


@cache
def _style() -> str:
    return (files("heedful.show.steps") / "style.css").read_text(encoding="utf-8")


def shaded_text(steps: Steps, weights: Array) -> str:
    """Return the text, each piece on a ground as strong as its weight, the one followed with a frame."""
    shades, shown, at = relative(weights.astype(np.float32)), [], 0
    for i, (piece, shade) in enumerate(zip(steps.pieces, shades, strict=True)):
        kind = "look me" if i == steps.at else "look"
        shown.append(escape(steps.text[at : piece.start]))
        shown.append(
            f'<span class="{kind}" style="--w:{float(shade):.2f}" title="{weights[i]:.2f}">{escape(piece.text)}</span>'
        )
        at = piece.end
    return f'<div class="text" dir="auto">{"".join(shown)}{escape(steps.text[at:])}</div>'


def _heading(steps: Steps) -> str:
    return (
        f'<p class="lead">What happens inside one head of a transformer ({escape(place(steps))}), with its own '
        f"numbers. The word {escape(quoted(steps))} is followed through all six steps.</p>"
        f'<section class="card">{shaded_text(steps, steps.weights)}'
        f'<p class="soft">Framed: the word that is followed. Shaded: where it looks in this head, as found in step 4. '
        'less <span class="legend" aria-hidden="true"></span> more</p></section>'
    )


def _first(steps: Steps) -> str:
    shown = shown_pieces(steps.weights, steps.at, MOST)
    names, marked = [names_of(steps)[i] for i in shown], shown.index(steps.at)
    size = largest_of([steps.q, steps.k, steps.v])
    tables = "".join(
        f"<div><h3>{title}</h3>{vectors_table(names, part[shown], columns=NARROW, size=size, marked=marked)}</div>"
        for title, part in (("queries", steps.q), ("keys", steps.k), ("values", steps.v))
    )
    x = vectors_table(
        [names_of(steps)[steps.at]], steps.x[[steps.at]], columns=WIDE, size=largest_of([steps.x[steps.at]])
    )
    return (
        f'<section class="card"><h2>What comes in</h2><p>{escape(entering(steps))}</p>{x}</section>'
        f'<section class="card">{_title(steps, 1)}<div class="three">{tables}</div>'
        f'<p class="soft">The first {min(NARROW, steps.d_k)} of {steps.d_k} numbers of each. Blue is more than 0, '
        f"orange with a line is less. {escape(left_out(len(steps.pieces), shown))}</p></section>"
    )


def _scores(steps: Steps) -> str:
    shown = shown_pieces(steps.weights, steps.at, MOST)
    names, marked = [names_of(steps)[i] for i in shown], shown.index(steps.at)
    scores, scaled, weights = (each[shown] for each in (steps.scores, steps.scaled, steps.weights))
    two = columns_table(["score"], names, [scores], marked=marked)
    three = columns_table(["score", "divided"], names, [scores, scaled], marked=marked)
    four = columns_table(["divided", "weight"], names, [scaled, weights], marked=marked, bars=_shares(weights))
    works = (worked_product(steps), worked_division(steps), worked_softmax(steps))
    product, division, powers = (f'<p class="worked soft">{escape(each)}</p>' for each in works)
    return (
        f'<div class="row"><section class="card">{_title(steps, 2)}{product}{two}</section>'
        f'<section class="card">{_title(steps, 3)}{division}{three}</section>'
        f'<section class="card">{_title(steps, 4)}{powers}{four}</section></div>'
    )


def _shares(weights: Array) -> Array:
    """Return how long the bars are: the largest is whole, unless all are much alike."""
    return relative(weights.astype(np.float32)).astype(np.float64)


def _sums(steps: Steps) -> str:
    shown = shown_pieces(steps.weights, steps.at, MOST)
    names, marked = [names_of(steps)[i] for i in shown], shown.index(steps.at)
    size = largest_of([steps.weighted, steps.summed])
    rows = [f"{name} × {weight:.2f}" for name, weight in zip(names, steps.weights[shown], strict=True)]
    products = vectors_table(rows, steps.weighted[shown], columns=WIDE, size=size, marked=marked)
    left = left_out(len(steps.pieces), shown)
    note = f'<p class="soft">{escape(left)}</p>' if left else ""
    total = vectors_table(["sum"], steps.summed[None], columns=WIDE, size=size)
    return (
        f'<section class="card">{_title(steps, 5)}{products}{note}</section>'
        f'<section class="card">{_title(steps, 6)}{total}</section>'
    )


def _matrix(steps: Steps) -> str:
    shown = shown_pieces(steps.weights, steps.at, MOST)
    names, marked = [names_of(steps)[i] for i in shown], shown.index(steps.at)
    grid = weights_grid(
        names, names, steps.matrix[np.ix_(shown, shown)], marked=marked, label="how much each word looks at each"
    )
    size = largest_of([steps.summed])
    both = np.stack([steps.summed, steps.product[steps.at]])
    table = vectors_table(["by six steps", "by matrices"], both, columns=WIDE, size=size)
    formula = "softmax(<var>Q Kᵀ</var> / √<var>d<sub>k</sub></var>) <var>V</var>"
    return (
        f'<section class="card"><h2>All words at once</h2><p>{escape(by_matrices(steps))}</p>'
        f'<p class="formula">{formula}</p>'
        f"<h3>softmax(Q Kᵀ / √d_k): each row is a word that looks, each column one that is looked at</h3>{grid}"
        f"<h3>Row {escape(quoted(steps))} of the product with V, and the sum of step 6</h3>{table}"
        f"<p><strong>{escape(equality(steps))}</strong></p></section>"
    )


def _heads(steps: Steps) -> str:
    names, weights = names_of(steps), steps.passed.weights[:, steps.at]
    rows = [
        f"head {i + 1}, most at {', '.join(f'{word} {share:.2f}' for word, share in top_pieces(each, names, 2))}"
        for i, each in enumerate(weights)
    ]
    seen, size = steps.passed.seen[:, steps.at], largest_of([steps.passed.seen[:, steps.at]])
    heads = vectors_table(rows, seen, columns=NARROW, size=size, marked=steps.head)
    joined = vectors_table(["joined"], steps.joined[None], columns=WIDE, size=largest_of([steps.joined]))
    return (
        f'<section class="card"><h2>The heads are joined</h2><p>{escape(joining(steps))}</p>{heads}'
        f"<h3>After W_O: what is added to {escape(quoted(steps))}</h3>{joined}</section>"
    )


def _everywhere(steps: Steps) -> str:
    said = "".join(f"<p>{escape(each)}</p>" for each in honest(steps))
    return (
        f'<section class="card"><h2>Where {escape(quoted(steps))} looks, in every layer and head</h2>'
        f"{everywhere_grid(steps)}{said}"
        f'<p class="soft">Another head: <code>heedful steps --layer 2 --head 3</code>. Another word: '
        "<code>--word animal</code>. The same word in two texts: <code>--compare</code>.</p></section>"
    )


def everywhere_grid(steps: Steps, *, is_marked: bool = True) -> str:
    """Return where the word looks: a row for each layer and head, a column for each piece."""
    mean = steps.looks.mean(axis=(0, 1))
    shown = shown_pieces(mean, steps.at, MOST)
    rows, marked = _head_names(steps), steps.layer * steps.n_heads + steps.head if is_marked else None
    weights = steps.looks.reshape(len(rows), -1)[:, shown]
    names = [name_of(steps.pieces[i]) for i in shown]
    return weights_grid(rows, names, weights, marked=marked, label="where the word looks in each head")


def _head_names(steps: Steps) -> Sequence[str]:
    return [f"layer {i + 1}, head {j + 1}" for i in range(steps.n_layers) for j in range(steps.n_heads)]


def _title(steps: Steps, step: int) -> str:
    title, sentence = sentences(steps)[step]
    return f'<h2><span class="n-of">{step}</span>{escape(title)}</h2><p>{escape(sentence)}</p>'
