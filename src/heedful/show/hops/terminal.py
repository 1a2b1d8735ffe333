"""What each hop reads, in a terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from heedful.explain.hops.atlas import HopAtlas
from heedful.show.hops.view import HopsView, HopView, view
from heedful.show.kit.terminal import effect_style, within_cells

NAME = 24  # columns of a word
BESIDE = 16  # columns of a terminal for the number of a hop and its entropy
TOP = 5  # words of a hop in plain text
ACCOUNT = (
    "Entropy: 1 is even over all words, 0 is one word. ×4 is a word that gets four times its even share, mean over the "
    "times it was seen. Weights say where a hop looks, not what it does to the answer."
)


def hops_view(atlas: HopAtlas, *, width: int = 80) -> Group:
    """Return a line for each hop, the dead and duplicate ones, and how many would do."""
    drawn = view(atlas)
    heading = Text.assemble((drawn.title, "bold"), f" in {atlas.n_texts:,} texts{drawn.where}")
    blocks: list[RenderableType] = [heading, Text(), _table(drawn, width), Text()]
    blocks += [Text(note, style="yellow") for note in drawn.notes]
    blocks += [Text("".join(drawn.suggestion), style="bold"), Text(ACCOUNT, style="dim")]
    return Group(*blocks)


def plain_hops(atlas: HopAtlas) -> str:
    """Return a line for each hop with its strongest words, without colours."""
    drawn = view(atlas)
    lines = [f"{drawn.title} in {atlas.n_texts:,} texts{drawn.where}"]
    for hop in drawn.hops:
        words = ", ".join(f"{within_cells(chip.word, NAME)} {chip.lift}" for chip in hop.chips[:TOP])
        mark = f"{hop.mark}; " if hop.mark else ""
        lines.append(f"  hop {hop.hop.number} (entropy {hop.entropy}): {mark}{words or 'no word stands out'}")
    return "\n".join([*lines, *drawn.notes, "".join(drawn.suggestion)])


def _table(drawn: HopsView, width: int) -> Table:
    table = Table("hop", "entropy", "strongest words", box=None, pad_edge=False, header_style="dim")
    table.columns[0].justify = table.columns[1].justify = "right"
    for hop in drawn.hops:
        style = "dim" if hop.hop.is_dead else ""
        line = _line(hop, width - BESIDE)
        table.add_row(Text(str(hop.hop.number), style=style), Text(hop.entropy, style=style), line)
    return table


def _line(hop: HopView, room: int) -> Text:
    """Return what is odd about a hop, then as many of its words as have room: at least one."""
    line = Text.assemble((f"{hop.mark}  " if hop.mark else "", "yellow"))
    for i, chip in enumerate(hop.chips):
        style = Style() if hop.hop.is_dead else effect_style(chip.shade)
        word = Text.assemble((f" {within_cells(chip.word, NAME)} ", style), (f"{chip.lift} ", "dim"))
        if i and line.cell_len + word.cell_len > room:
            break
        line.append_text(word)
    if not hop.chips:
        line.append("no word stands out", style="dim")
    return line
