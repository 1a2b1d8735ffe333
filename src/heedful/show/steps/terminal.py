"""Self-attention step by step, in a terminal."""

from __future__ import annotations

import numpy as np
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from heedful.explain.steps.numpy_transformer import Array
from heedful.explain.steps.steps import Steps
from heedful.show.kit.terminal import FULL, indented, weight_style
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.sanitise import visible
from heedful.show.steps.sentences import TITLE, top_pieces, vector
from heedful.show.steps.view import StepsView, shades_of, view

MOST = 16  # words in a table
TOP = 5  # words in plain text
BAR = 24  # letters of the longest bar
CELL = 6  # columns of a number with the space after it
WEIGHT = 5  # columns of a weight


def steps_view(steps: Steps, *, width: int = 80) -> Group:
    """Return everything to see, for a terminal of this width."""
    drawn = view(steps)
    blocks: list[RenderableType] = [
        Text.assemble((TITLE, "bold"), f": {visible(drawn.place)}"),
        shaded_text(steps, steps.weights),
        Text(f"Shaded: where {drawn.word} looks in this head, as found in step 4.", style="dim"),
        Text(),
        Text("What comes in", style="bold"),
        Text(drawn.entering),
        indented(Text(f"{drawn.word}  {vector(steps.x[steps.at], _room(width - 14))}")),
        Text(),
        *_step(drawn, 1, _three(drawn, width)),
        *_step(drawn, 2),
        *_step(drawn, 3),
        *_step(drawn, 4, _scores(drawn)),
        *_step(drawn, 5, _products(drawn, width)),
        *_step(drawn, 6, Text(vector(steps.summed, _room(width - 4)))),
        *_matrix(drawn, width),
        *_heads(drawn, width),
        Text(f"Where {drawn.word} looks, in every layer and head", style="bold"),
        looks_table(drawn, width),
        Text(),
        *(Text(sentence) for sentence in drawn.honest),
    ]
    return Group(*blocks)


def plain_steps(steps: Steps) -> str:
    """Return each step in words and where the word looks, without colours."""
    drawn = view(steps)
    lines = [f"{TITLE}: {drawn.place}"]
    for step in drawn.six:
        lines += [f"Step {step.number}  {step.title}", *([f"  {step.worked}"] if step.worked else [])]
    top = ", ".join(f"{name} {number(share, digits=2)}" for name, share in top_pieces(steps.weights, drawn.names, TOP))
    return visible("\n".join([*lines, f"{drawn.word} looks at: {top}", drawn.equality]))


def shaded_text(steps: Steps, weights: Array) -> Text:
    """Return the text, each piece on a ground as strong as its weight, the one followed in brackets."""
    line, at = Text(), 0
    for i, (piece, shade) in enumerate(zip(steps.pieces, shades_of(weights), strict=True)):
        line.append(visible(steps.text[at : piece.start]))
        left, right = ("[", "]") if i == steps.at else ("", "")
        line.append(f"{left}{visible(piece.text)}{right}", style=weight_style(float(shade)))
        at = piece.end
    line.append(visible(steps.text[at:]))
    return line


def looks_table(drawn: StepsView, width: int) -> Table:
    """Return what the word looks at most, in each layer and head, as many words as have room."""
    table = Table.grid(padding=(0, 2, 0, 0))
    steps = drawn.steps
    most = max(1, min(4, (width - 24) // 16))
    for i, layer in enumerate(steps.looks):
        for j, weights in enumerate(layer):
            is_this = (i, j) == (steps.layer, steps.head)
            label = Text(f"layer {i + 1}, head {j + 1}", style="bold" if is_this else "")
            tops = top_pieces(weights, drawn.names, most)
            table.add_row(label, *(_look(name, share, float(weights.max())) for name, share in tops))
    return table


def _look(name: str, share: float, largest: float) -> Text:
    return Text.assemble((f" {name} ", weight_style(0.9 * share / max(largest, 1e-12))), (f" {share:.2f}", "dim"))


def _step(drawn: StepsView, number: int, *more: RenderableType) -> list[RenderableType]:
    step = drawn.six[number - 1]
    worked = [Text(step.worked, style="dim")] if step.worked else []
    return [
        Text.assemble((f"Step {step.number}  ", "bold cyan"), (step.title, "bold")),
        Text(step.sentence),
        *map(indented, (*worked, *more)),
        Text(),
    ]


def _room(width: int) -> int:
    """Return how many numbers of a vector have room."""
    return max(2, min(8, width // (CELL + 1) - 1))


def _kept(drawn: StepsView) -> tuple[list[int], list[str]]:
    kept = drawn.shown(MOST)
    return kept, [drawn.names[i] for i in kept]


def _name(drawn: StepsView, i: int) -> Text:
    return Text(drawn.names[i], style="bold" if i == drawn.steps.at else "", no_wrap=True)


def _three(drawn: StepsView, width: int) -> RenderableType:
    steps, (kept, names) = drawn.steps, _kept(drawn)
    longest = max(cell_len(name) for name in names)
    room = max(1, min(4, ((width - longest - 4) // 3 - 4) // CELL))
    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_row("", *(Text(name, style="dim") for name in ("query", "key", "value")))
    for i in kept:
        table.add_row(_name(drawn, i), *(Text(_few(part[i], room)) for part in (steps.q, steps.k, steps.v)))
    note = f"The first {min(room, steps.d_k)} of {steps.d_k} numbers. {drawn.left_out(kept)}".strip()
    return Group(table, Text(note, style="dim"))


def _few(values: Array, n: int) -> str:
    return " ".join(f"{number(float(x), digits=2):>5}" for x in values[:n]) + (" …" if len(values) > n else "")


def _scores(drawn: StepsView) -> Table:
    steps = drawn.steps
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column()
    for _ in range(3):
        table.add_column(justify="right")
    heads = ("", "2 score", "3 divided", "4 weight", "")
    table.add_row(*(Text(head, style="dim") for head in heads))
    largest = float(steps.weights.max())
    for i in drawn.shown(MOST):
        values = [number(float(each[i]), digits=2) for each in (steps.scores, steps.scaled, steps.weights)]
        bar = Text(FULL * round(BAR * float(steps.weights[i]) / largest), style=Style(color="magenta"))
        table.add_row(_name(drawn, i), *values, bar)
    return table


def _products(drawn: StepsView, width: int) -> Table:
    steps, (kept, names) = drawn.steps, _kept(drawn)
    longest = max(cell_len(name) for name in names)
    room = max(2, min(8, (width - longest - 14) // CELL))
    table = Table.grid(padding=(0, 2, 0, 0))
    for i in kept:
        weight = Text(f"× {number(float(steps.weights[i]), digits=2)}", style="dim")
        table.add_row(_name(drawn, i), weight, Text(_few(steps.weighted[i], room)))
    table.add_row(Text("sum", style="bold"), "", Text(_few(steps.summed, room), style="bold"))
    return table


def _matrix(drawn: StepsView, width: int) -> list[RenderableType]:
    steps = drawn.steps
    by_steps, by_matrices = (vector(each, _room(width - 16)) for each in (steps.summed, steps.product[steps.at]))
    return [
        Text("All words at once: softmax(Q Kᵀ / √d_k) V", style="bold"),
        Text(drawn.by_matrices),
        indented(_grid(drawn, width)),
        indented(Text(f"by six steps  {by_steps}")),
        indented(Text(f"by matrices   {by_matrices}")),
        Text(drawn.equality, style="green" if drawn.is_equal else "red"),
        Text(),
    ]


def _grid(drawn: StepsView, width: int) -> RenderableType:
    """Return all weights; if there are more columns than have room, those with most weight for the word."""
    names, matrix = drawn.names, drawn.steps.matrix
    longest = max(cell_len(name) for name in names)
    kept = drawn.shown(max(2, min(MOST, (width - longest - 4) // (WEIGHT + 1))))
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    for _ in kept:
        table.add_column(width=WEIGHT, justify="right", no_wrap=True)
    table.add_row("", *(Text(_cut(names[i]), style="dim") for i in kept))
    largest = max(float(matrix[np.ix_(kept, kept)].max()), 1e-12)
    for i in kept:
        table.add_row(_name(drawn, i), *(_weight(float(matrix[i, j]), largest) for j in kept))
    return Group(table, Text(drawn.left_out(kept), style="dim")) if len(kept) < len(names) else table


def _cut(name: str) -> str:
    return name if cell_len(name) <= WEIGHT else name[: WEIGHT - 1] + "…"


def _weight(weight: float, largest: float) -> Text:
    return Text(number(weight, digits=2), style=weight_style(weight / largest))


def _heads(drawn: StepsView, width: int) -> list[RenderableType]:
    steps = drawn.steps
    table = Table.grid(padding=(0, 2, 0, 0))
    room = max(2, min(8, (width - 14) // CELL))
    for i, seen in enumerate(steps.passed.seen[:, steps.at]):
        table.add_row(Text(f"head {i + 1}", style="bold" if i == steps.head else ""), Text(_few(seen, room)))
    table.add_row(Text("joined"), Text(_few(steps.joined, room)))
    return [Text("The heads are joined", style="bold"), Text(drawn.joining), indented(table), Text()]
