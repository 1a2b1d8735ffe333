"""Self-attention step by step, in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from heedful.explain.steps.numpy_transformer import Array
from heedful.explain.steps.steps import Steps
from heedful.show.kit.svg.shades import relative
from heedful.show.kit.terminal import FULL, indented, weight_style
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.sanitise import visible
from heedful.show.steps.view import (
    TITLE,
    by_matrices,
    entering,
    equality,
    honest,
    joining,
    left_out,
    names_of,
    place,
    quoted,
    sentences,
    shown_pieces,
    top_pieces,
    vector,
    worked_division,
    worked_product,
    worked_softmax,
)

MOST = 16  # words in a table
BAR = 24  # letters of the longest bar
CELL = 6  # columns of a number with the space after it
WEIGHT = 5  # columns of a weight


def steps_view(steps: Steps, *, width: int = 80) -> Group:
    """Return all there is to see, for a terminal of this width."""
    shown: list[RenderableType] = [
        Text.assemble((TITLE, "bold"), f": {visible(place(steps))}"),
        shaded_text(steps, steps.weights),
        Text(f"Shaded: where {quoted(steps)} looks in this head, as found in step 4.", style="dim"),
        Text(),
        Text("What comes in", style="bold"),
        Text(entering(steps)),
        indented(Text(f"{quoted(steps)}  {vector(steps.x[steps.at], _room(width - 14))}")),
        Text(),
        *_step(steps, 1, _three(steps, width)),
        *_step(steps, 2, Text(worked_product(steps), style="dim")),
        *_step(steps, 3, Text(worked_division(steps), style="dim")),
        *_step(steps, 4, Text(worked_softmax(steps), style="dim"), _scores(steps)),
        *_step(steps, 5, _products(steps, width)),
        *_step(steps, 6, Text(vector(steps.summed, _room(width - 4)))),
        *_matrix(steps, width),
        *_heads(steps, width),
        Text(f"Where {quoted(steps)} looks, in every layer and head", style="bold"),
        looks_table(steps, width),
        Text(),
        *(Text(said) for said in honest(steps)),
    ]
    return Group(*shown)


def shaded_text(steps: Steps, weights: Array) -> Text:
    """Return the text, each piece on a ground as strong as its weight, the one followed in brackets."""
    shown, at = Text(), 0
    for i, (piece, shade) in enumerate(zip(steps.pieces, relative(weights.astype(np.float32)), strict=True)):
        shown.append(visible(steps.text[at : piece.start]))
        left, right = ("[", "]") if i == steps.at else ("", "")
        shown.append(f"{left}{visible(piece.text)}{right}", style=weight_style(float(shade)))
        at = piece.end
    shown.append(visible(steps.text[at:]))
    return shown


def looks_table(steps: Steps, width: int) -> Table:
    """Return what the word looks at most, in each layer and head, as many words as have room."""
    table = Table.grid(padding=(0, 2, 0, 0))
    names = names_of(steps)
    most = max(1, min(4, (width - 24) // 16))
    for i, layer in enumerate(steps.looks):
        for j, weights in enumerate(layer):
            is_this = (i, j) == (steps.layer, steps.head)
            label = Text(f"layer {i + 1}, head {j + 1}", style="bold" if is_this else "")
            tops = top_pieces(weights, names, most)
            table.add_row(label, *(_look(name, share, float(weights.max())) for name, share in tops))
    return table


def _look(name: str, share: float, largest: float) -> Text:
    return Text.assemble((f" {name} ", weight_style(0.9 * share / max(largest, 1e-12))), (f" {share:.2f}", "dim"))


def _step(steps: Steps, step: int, *more: RenderableType) -> list[RenderableType]:
    title, sentence = sentences(steps)[step]
    return [
        Text.assemble((f"Step {step}  ", "bold cyan"), (title, "bold")),
        Text(sentence),
        *map(indented, more),
        Text(),
    ]


def _room(width: int) -> int:
    """Return how many numbers of a vector have room."""
    return max(2, min(8, width // (CELL + 1) - 1))


def _shown(steps: Steps) -> tuple[list[int], list[str]]:
    shown = shown_pieces(steps.weights, steps.at, MOST)
    return shown, [names_of(steps)[i] for i in shown]


def _name(steps: Steps, i: int, name: str) -> Text:
    return Text(name, style="bold" if i == steps.at else "", no_wrap=True)


def _three(steps: Steps, width: int) -> RenderableType:
    shown, names = _shown(steps)
    longest = max(cell_len(name) for name in names)
    room = max(1, min(4, ((width - longest - 4) // 3 - 4) // CELL))
    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_row("", *(Text(name, style="dim") for name in ("query", "key", "value")))
    for i, name in zip(shown, names, strict=True):
        table.add_row(_name(steps, i, name), *(Text(_few(part[i], room)) for part in (steps.q, steps.k, steps.v)))
    note = f"The first {min(room, steps.d_k)} of {steps.d_k} numbers. {left_out(len(steps.pieces), shown)}".strip()
    return Group(table, Text(note, style="dim"))


def _few(values: Array, n: int) -> str:
    return " ".join(f"{number(float(x), digits=2):>5}" for x in values[:n]) + (" …" if len(values) > n else "")


def _scores(steps: Steps) -> Table:
    shown, names = _shown(steps)
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column()
    for _ in range(3):
        table.add_column(justify="right")
    heads = ("", "2 score", "3 divided", "4 weight", "")
    table.add_row(*(Text(head, style="dim") for head in heads))
    largest = float(steps.weights.max())
    for i, name in zip(shown, names, strict=True):
        values = [number(float(each[i]), digits=2) for each in (steps.scores, steps.scaled, steps.weights)]
        bar = Text(FULL * round(BAR * float(steps.weights[i]) / largest), style=Style(color="magenta"))
        table.add_row(_name(steps, i, name), *values, bar)
    return table


def _products(steps: Steps, width: int) -> Table:
    shown, names = _shown(steps)
    longest = max(cell_len(name) for name in names)
    room = max(2, min(8, (width - longest - 14) // CELL))
    table = Table.grid(padding=(0, 2, 0, 0))
    for i, name in zip(shown, names, strict=True):
        weight = Text(f"× {number(float(steps.weights[i]), digits=2)}", style="dim")
        table.add_row(_name(steps, i, name), weight, Text(_few(steps.weighted[i], room)))
    table.add_row(Text("sum", style="bold"), "", Text(_few(steps.summed, room), style="bold"))
    return table


def _matrix(steps: Steps, width: int) -> list[RenderableType]:
    by = [vector(each, _room(width - 16)) for each in (steps.summed, steps.product[steps.at])]
    return [
        Text("All words at once: softmax(Q Kᵀ / √d_k) V", style="bold"),
        Text(by_matrices(steps)),
        indented(_grid(steps, width)),
        indented(Text(f"by six steps  {by[0]}")),
        indented(Text(f"by matrices   {by[1]}")),
        Text(equality(steps), style="green" if steps.difference < 1e-6 else "red"),
        Text(),
    ]


def _grid(steps: Steps, width: int) -> RenderableType:
    """Return all weights; where there are more columns than have room, those with most weight for the word."""
    longest = max(cell_len(name) for name in names_of(steps))
    shown = shown_pieces(steps.weights, steps.at, max(2, min(MOST, (width - longest - 4) // (WEIGHT + 1))))
    names = names_of(steps)
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    for _ in shown:
        table.add_column(width=WEIGHT, justify="right", no_wrap=True)
    table.add_row("", *(Text(_cut(names[i]), style="dim") for i in shown))
    largest = max(float(steps.matrix[np.ix_(shown, shown)].max()), 1e-12)
    for i in shown:
        cells = [_weight(float(steps.matrix[i, j]), largest) for j in shown]
        table.add_row(_name(steps, i, names[i]), *cells)
    return Group(table, Text(left_out(len(names), shown), style="dim")) if len(shown) < len(names) else table


def _cut(name: str) -> str:
    return name if cell_len(name) <= WEIGHT else name[: WEIGHT - 1] + "…"


def _weight(weight: float, largest: float) -> Text:
    return Text(number(weight, digits=2), style=weight_style(weight / largest))


def _heads(steps: Steps, width: int) -> Sequence[RenderableType]:
    table = Table.grid(padding=(0, 2, 0, 0))
    room = max(2, min(8, (width - 14) // CELL))
    for i, seen in enumerate(steps.passed.seen[:, steps.at]):
        table.add_row(Text(f"head {i + 1}", style="bold" if i == steps.head else ""), Text(_few(seen, room)))
    table.add_row(Text("joined"), Text(_few(steps.joined, room)))
    return [Text("The heads are joined", style="bold"), Text(joining(steps)), indented(table), Text()]
