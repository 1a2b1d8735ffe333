"""Self-attention step by step, as one HTML page: no script, nothing from another host, every text escaped."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from heedful.explain.steps.numpy_transformer import Array
from heedful.explain.steps.steps import Steps
from heedful.show.kit.html import document as html
from heedful.show.kit.html.templates import render
from heedful.show.steps.sentences import TITLE, names_of, shown_pieces, top_pieces
from heedful.show.steps.tables import (
    ColumnTable,
    VectorTable,
    WeightGrid,
    column_table,
    largest_of,
    vector_table,
    weight_grid,
)
from heedful.show.steps.view import StepsView, shades_of, view

PACKAGE = "heedful.show.steps"
MOST = 40  # words in a table
WIDE, NARROW = 8, 4  # numbers of a vector: alone, and three beside each other


@dataclass(frozen=True, slots=True)
class ShadedPiece:
    """A piece of a word on a ground, with what stands before it."""

    between: str
    text: str
    is_followed: bool
    shade: str
    number: str


@dataclass(frozen=True)
class ShadedPieces:
    """A text, each piece on a ground as strong as its weight."""

    pieces: list[ShadedPiece]
    rest: str


def steps_page(steps: Steps) -> str:
    """Return a whole page."""
    return html.document(TITLE, _body(steps))


def steps_fragment(steps: Steps) -> str:
    """Return the same for a notebook, with its own style."""
    return html.fragment(_body(steps))


def _body(steps: Steps) -> Markup:
    drawn = view(steps)
    kept = drawn.shown(MOST)
    return render(
        "show/steps/page.html",
        title=TITLE,
        style=html.style(PACKAGE),
        view=drawn,
        text=shaded_pieces(steps, steps.weights, drawn.shades),
        left_out=drawn.left_out(kept),
        n_numbers=min(NARROW, steps.d_k),
        entering=_alone([drawn.names[steps.at]], steps.x[[steps.at]]),
        three=_queries_keys_values(drawn, kept),
        scores=_scores(drawn, kept),
        products=_products(drawn, kept),
        total=vector_table(["sum"], steps.summed[None], columns=WIDE, size=_size_of_sums(steps)),
        matrix=_matrix(drawn, kept),
        both=vector_table(
            ["by six steps", "by matrices"],
            np.stack([steps.summed, steps.product[steps.at]]),
            columns=WIDE,
            size=largest_of([steps.summed]),
        ),
        heads=_heads(drawn),
        joined=_alone(["joined"], steps.joined[None]),
        everywhere=everywhere(steps),
    )


def shaded_pieces(steps: Steps, weights: Array, shades: NDArray[np.float32] | None = None) -> ShadedPieces:
    """Return the text, each piece with its weight, the one that is followed marked."""
    shades, pieces, at = shades_of(weights) if shades is None else shades, [], 0
    for i, (piece, shade) in enumerate(zip(steps.pieces, shades, strict=True)):
        between = steps.text[at : piece.start]
        pieces.append(ShadedPiece(between, piece.text, i == steps.at, f"{shade:.2f}", f"{weights[i]:.2f}"))
        at = piece.end
    return ShadedPieces(pieces, steps.text[at:])


def everywhere(steps: Steps, *, is_marked: bool = True) -> WeightGrid:
    """Return where the word looks: a row for each layer and head, a column for each piece."""
    kept = shown_pieces(steps.looks.mean(axis=(0, 1)), steps.at, MOST)
    rows = [f"layer {i + 1}, head {j + 1}" for i in range(steps.n_layers) for j in range(steps.n_heads)]
    names = names_of(steps)
    return weight_grid(
        rows,
        [names[i] for i in kept],
        steps.looks.reshape(len(rows), -1)[:, kept],
        followed=steps.layer * steps.n_heads + steps.head if is_marked else None,
        label="where the word looks in each head",
    )


def _alone(names: list[str], vectors: Array) -> VectorTable:
    return vector_table(names, vectors, columns=WIDE, size=largest_of([vectors]))


def _queries_keys_values(drawn: StepsView, kept: list[int]) -> list[tuple[str, VectorTable]]:
    steps, names, followed = drawn.steps, [drawn.names[i] for i in kept], kept.index(drawn.steps.at)
    size = largest_of([steps.q, steps.k, steps.v])
    return [
        (title, vector_table(names, part[kept], columns=NARROW, size=size, followed=followed))
        for title, part in (("queries", steps.q), ("keys", steps.k), ("values", steps.v))
    ]


def _scores(drawn: StepsView, kept: list[int]) -> list[tuple[int, ColumnTable]]:
    """Return the tables of steps 2, 3 and 4."""
    steps, names, followed = drawn.steps, [drawn.names[i] for i in kept], kept.index(drawn.steps.at)
    scores, scaled, weights = (each[kept] for each in (steps.scores, steps.scaled, steps.weights))
    bars = shades_of(weights).astype(np.float64)  # the largest is whole, unless all are much alike
    return [
        (2, column_table(["score"], names, [scores], followed=followed)),
        (3, column_table(["score", "divided"], names, [scores, scaled], followed=followed)),
        (4, column_table(["divided", "weight"], names, [scaled, weights], followed=followed, bars=bars)),
    ]


def _products(drawn: StepsView, kept: list[int]) -> VectorTable:
    steps = drawn.steps
    rows = [f"{drawn.names[i]} × {steps.weights[i]:.2f}" for i in kept]
    return vector_table(
        rows, steps.weighted[kept], columns=WIDE, size=_size_of_sums(steps), followed=kept.index(steps.at)
    )


def _size_of_sums(steps: Steps) -> float:
    return largest_of([steps.weighted, steps.summed])


def _matrix(drawn: StepsView, kept: list[int]) -> WeightGrid:
    names = [drawn.names[i] for i in kept]
    weights = drawn.steps.matrix[np.ix_(kept, kept)]
    return weight_grid(
        names, names, weights, followed=kept.index(drawn.steps.at), label="how much each word looks at each"
    )


def _heads(drawn: StepsView) -> VectorTable:
    steps = drawn.steps
    rows = [
        f"head {i + 1}, most at {', '.join(f'{word} {share:.2f}' for word, share in top_pieces(each, drawn.names, 2))}"
        for i, each in enumerate(steps.passed.weights[:, steps.at])
    ]
    seen = steps.passed.seen[:, steps.at]
    return vector_table(rows, seen, columns=NARROW, size=largest_of([seen]), followed=steps.head)
