"""One word in two texts, in a terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from heedful.explain.steps.two_contexts import TwoContexts
from heedful.show.contexts.view import TITLE, ContextsView, view
from heedful.show.kit.terminal import FULL, indented
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.sanitise import one_line, visible
from heedful.show.steps.sentences import vector
from heedful.show.steps.terminal import CELL, shaded_text

BAR = 24


def compare_view(contexts: TwoContexts, *, width: int = 80) -> Group:
    """Return everything to see, for a terminal of this width."""
    drawn = view(contexts)
    room = max(2, min(8, (width - 10) // (CELL + 1) - 1))
    blocks: list[RenderableType] = [Text.assemble((TITLE, "bold"), f": {drawn.word} in {one_line(drawn.model)}")]
    for name, side, values in zip(("first", "second"), contexts.sides, contexts.vectors, strict=True):
        blocks += [shaded_text(side, side.looks.mean(axis=(0, 1))), indented(Text(f"{name:<7} {vector(values, room)}"))]
    blocks += [
        Text("Shaded: where the word looks, mean over all heads. Numbers: its vector after all layers.", style="dim"),
        Text(),
        Text(drawn.verdict, style="bold"),
        Text(drawn.beginning),
        Text(),
        Text("Where they part: the cosine of the two on their way through the model", style="bold"),
        indented(_stages(drawn)),
        Text(),
        Text("Why: what each head looked at", style="bold"),
        indented(_heads(drawn)),
        Text(),
        Text(drawn.reason),
    ]
    return Group(*blocks)


def plain_contexts(contexts: TwoContexts) -> str:
    """Return how different the two vectors are, and why, without colours."""
    drawn = view(contexts)
    stages = [f"  {name}: {number(cosine)}" for name, cosine in drawn.stages]
    heading = f"{TITLE}: {drawn.word} in {one_line(drawn.model)}"
    return visible("\n".join([heading, drawn.verdict, drawn.beginning, *stages, drawn.reason]))


def _stages(drawn: ContextsView) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for name, cosine in drawn.stages:
        bar = Text(FULL * round(BAR * max(0.0, min(1.0, cosine))), style=Style(color="blue"))
        table.add_row(name, number(cosine), bar)
    return table


def _heads(drawn: ContextsView) -> Table:
    table = Table("", "first text", "second text", "apart", box=None, pad_edge=False, header_style="dim")
    table.columns[3].justify = "right"
    for head in drawn.heads:
        table.add_row(head.name, *map(Text, head.looked), head.apart)
    return table
