"""What each hop reads, in a terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from heedful.explain.hops.atlas import Hop, HopAtlas
from heedful.show.hops.view import lift_shade, mark_of
from heedful.show.kit.terminal import effect_style, within_cells
from heedful.show.kit.text.sanitise import one_line

NAME = 24  # letters of a word
BESIDE = 16  # columns of a terminal for the number of a hop and its entropy
ACCOUNT = (
    "Entropy: 1 is even over all words, 0 is one word. ×4 is a word that gets four times its even share, mean over the "
    "times it was seen. Weights say where a hop looks, not what it does to the answer."
)


def hops_view(atlas: HopAtlas, *, width: int = 80) -> Group:
    """Return a line for each hop, the dead and duplicate ones, and how many would do."""
    shown: list[RenderableType] = [_heading(atlas), Text(), _table(atlas, width), Text()]
    shown += [Text(f"{note[0].upper()}{note[1:]}.", style="yellow") for note in atlas.notes if len(atlas.hops) > 1]
    shown += [Text(atlas.suggestion, style="bold"), Text(ACCOUNT, style="dim")]
    return Group(*shown)


def _heading(atlas: HopAtlas) -> Text:
    n = len(atlas.hops)
    who, does = ("the one hop", "reads") if n == 1 else (f"the {n} hops", "read")
    where = f" of {one_line(atlas.file)}" if atlas.file else ""
    return Text.assemble(
        (f"What {who} of {one_line(atlas.model)} {does}", "bold"), f" in {atlas.n_texts:,} texts{where}"
    )


def _table(atlas: HopAtlas, width: int) -> Table:
    largest = max((word.lift for hop in atlas.hops for word in hop.words), default=1.0)
    table = Table("hop", "entropy", "strongest words", box=None, pad_edge=False, header_style="dim")
    table.columns[0].justify = table.columns[1].justify = "right"
    for hop in atlas.hops:
        entropy = "–" if hop.entropy is None else f"{hop.entropy:.2f}"
        style = "dim" if hop.is_dead else ""
        line = _line(atlas, hop, largest, width - BESIDE)
        table.add_row(Text(str(hop.number), style=style), Text(entropy, style=style), line)
    return table


def _line(atlas: HopAtlas, hop: Hop, largest: float, room: int) -> Text:
    """Return what is odd about a hop, then as many of its words as have room: at least one."""
    mark = mark_of(atlas, hop)
    line = Text.assemble((f"{mark}  " if mark else "", "yellow"))
    for i, word in enumerate(hop.words):
        style = Style() if hop.is_dead else effect_style(lift_shade(word.lift, largest))
        shown = Text.assemble((f" {within_cells(word.word, NAME)} ", style), (f"×{word.lift:.1f} ", "dim"))
        if i and line.cell_len + shown.cell_len > room:
            break
        line.append_text(shown)
    if not hop.words:
        line.append("no word stands out", style="dim")
    return line
