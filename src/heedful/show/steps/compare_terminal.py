"""One word in two texts, in a terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from heedful.explain.steps.two_contexts import TwoContexts
from heedful.show.kit.terminal import FULL, indented
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.sanitise import one_line
from heedful.show.steps.compare_view import TITLE, beginning, head_top, reason, unknown_words, verdict, word_of
from heedful.show.steps.terminal import CELL, shaded_text
from heedful.show.steps.view import vector

BAR = 24


def compare_view(found: TwoContexts, *, width: int = 80) -> Group:
    """Return all there is to see, for a terminal of this width."""
    room = max(2, min(8, (width - 10) // (CELL + 1) - 1))
    shown: list[RenderableType] = [
        Text.assemble((TITLE, "bold"), f": {word_of(found)} in {one_line(found.sides[0].model)}")
    ]
    for name, side, values in zip(("first", "second"), found.sides, found.vectors, strict=True):
        shown += [shaded_text(side, side.looks.mean(axis=(0, 1))), indented(Text(f"{name:<7} {vector(values, room)}"))]
    shown += [
        Text("Shaded: where the word looks, mean over all heads. Numbers: its vector after all layers.", style="dim"),
        Text(),
        Text(verdict(found), style="bold"),
        Text(f"{beginning(found)} {unknown_words(found)}".strip()),
        Text(),
        Text("Where they part: the cosine of the two on their way through the model", style="bold"),
        indented(_stages(found)),
        Text(),
        Text("Why: what each head looked at", style="bold"),
        indented(_heads(found)),
        Text(),
        Text(reason(found)),
    ]
    return Group(*shown)


def _stages(found: TwoContexts) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for stage in found.stages:
        bar = Text(FULL * round(BAR * max(0.0, min(1.0, stage.cosine))), style=Style(color="blue"))
        table.add_row(stage.name, number(stage.cosine, digits=3), bar)
    return table


def _heads(found: TwoContexts) -> Table:
    table = Table("", "first text", "second text", "apart", box=None, pad_edge=False, header_style="dim")
    table.columns[3].justify = "right"
    n_layers, n_heads = found.apart.shape
    for i in range(n_layers):
        for j in range(n_heads):
            looked = [
                Text(", ".join(f"{name} {share:.2f}" for name, share in head_top(found, side, i, j))) for side in (0, 1)
            ]
            table.add_row(f"layer {i + 1}, head {j + 1}", *looked, number(float(found.apart[i, j]), digits=2))
    return table
