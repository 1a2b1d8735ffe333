"""Why two texts are alike, in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.color import Color
from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from heedful.explain.attention.explanation import Word
from heedful.explain.similarity import Similarity
from heedful.show.heatmaps.terminal import INK, PAPER
from heedful.show.kit.text.sanitise import one_line, visible
from heedful.show.similarity.grid import Grid, folded, signed_shades
from heedful.show.similarity.view import (
    ACCOUNT,
    FAINT,
    SCALE,
    Pair,
    number,
    reading,
    strongest_pairs,
    unknown_note,
    unread_from,
)

RUST = (166, 76, 0)  # takes away: as dark as INK, and told from it by every kind of colour vision
MOST_ROWS = 24  # of the grid
FEWEST_COLUMNS = 3  # a grid of fewer says nothing that the pairs do not
NAME, CELL = 12, 7  # letters of a word before its row, and of a column: −0.123 and a space
OTHERS = "others"
PAIRS = 5
BAR = 16  # letters of the longest bar
UNREAD = 300  # characters shown of what was cut off


def similar_view(similarity: Similarity, *, width: int = 80) -> Group:
    """Return all there is to see, for a terminal of this width."""
    heading = Text.assemble((f"Similarity {number(similarity.score)}", "bold"), f": {reading(similarity)}")
    shown: list[RenderableType] = [heading, Text(SCALE, style="dim"), Text()]
    for side, name in enumerate(("first", "second")):
        shown += [Text(f"The {name} text", style="bold"), shaded_text(similarity, side), Text()]
    if all(similarity.words):
        shown += [_legend(), Text(), *_pairs(similarity), *_grid(similarity, width), Text(ACCOUNT, style="dim")]
    if note := unknown_note(similarity):
        shown.append(Text(note, style="yellow"))
    return Group(*shown)


def shaded_text(similarity: Similarity, side: int) -> Text:
    """Return one of the texts, each word on a ground as strong as what it adds; what takes away is underlined."""
    text = similarity.texts[side]
    shown = Text() if text.strip() else Text("(empty)", style="dim")
    at = 0
    for word, shade in zip(similarity.words[side], signed_shades(similarity.by_word[side]), strict=True):
        shown.append(visible(text[at : word.start]))
        shown.append(visible(word.text), style=signed_style(float(shade)))
        at = word.end
    end = unread_from(similarity, side)
    shown.append(visible(text[at:end]))
    if end < len(text):
        more = "…" if len(text) > end + UNREAD else ""
        shown.append(f"{visible(text[end : end + UNREAD])}{more} (not read)", style="dim")
    return shown


def signed_style(shade: float) -> Style:
    """Return a blue ground for what adds, a rust one with a line under it for what takes away."""
    if abs(shade) < FAINT:
        return Style()
    strength, far = abs(shade), INK if shade > 0 else RUST
    ground = [round(p + (f - p) * strength) for p, f in zip(PAPER, far, strict=True)]
    ink = (255, 255, 255) if strength > 0.6 else (10, 10, 10)
    return Style(bgcolor=Color.from_rgb(*ground), color=Color.from_rgb(*ink), bold=strength > 0.6, underline=shade < 0)


def shortened(word: str, width: int) -> str:
    """Return a word that takes at most so many columns of a terminal."""
    shown = one_line(word)
    return shown if cell_len(shown) <= width else set_cell_size(shown, width - 1).rstrip() + "…"


def _legend() -> Text:
    adds, takes = (" adds ", signed_style(0.9)), (" takes away ", signed_style(-0.9))
    return Text.assemble("A word ", adds, " to the similarity or ", takes, " from it (underlined).", style="dim")


def _pairs(similarity: Similarity) -> list[RenderableType]:
    adding, taking = strongest_pairs(similarity, PAIRS)
    largest = max((abs(pair.part) for pair in (*adding, *taking)), default=1.0)
    shown: list[RenderableType] = []
    for name, pairs in (("Pairs of words that add most", adding), ("Pairs that take away most", taking)):
        if pairs:
            shown += [Text(name, style="bold"), _pair_table(pairs, largest), Text()]
    return shown


def _pair_table(pairs: Sequence[Pair], largest: float) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for pair in pairs:
        words = [Text(shortened(word, 2 * NAME)) for word in pair.words]
        bar = Text("█" if pair.part > 0 else "▒", style=Style(color=_bar_colour(pair.part)))
        length = max(1, round(BAR * abs(pair.part) / largest))
        table.add_row(
            "",
            *words,
            Text(number(pair.part)),
            Text(bar.plain * length, style=bar.style),
            Text(pair.how_often, style="dim"),
        )
    table.columns[3].justify = "right"
    return table


def _bar_colour(part: float) -> Color:
    """Return a colour that stands out on dark and on light."""
    return Color.from_rgb(66, 146, 198) if part > 0 else Color.from_rgb(217, 119, 26)


def _grid(similarity: Similarity, width: int) -> list[RenderableType]:
    longest = max(cell_len(shortened(name, NAME)) for name in (*(word.text for word in similarity.words[0]), OTHERS))
    room = (width - longest - 1 - CELL) // CELL  # beside the sums
    if room <= FEWEST_COLUMNS:
        return []
    grid = folded(similarity, most=(MOST_ROWS, room - 1))
    shown: list[RenderableType] = [Text("Every pair", style="bold"), _grid_table(grid), Text()]
    if left := _left_out(grid):
        shown += [Text(left, style="dim"), Text()]
    return shown


def _grid_table(grid: Grid) -> Table:
    rows, columns = (_names(words, n) for words, n in zip(grid.words, grid.others, strict=True))
    by_row, by_column = grid.by_word
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(max_width=NAME, no_wrap=True)
    for _ in (*columns, "sum"):
        table.add_column(justify="right", width=CELL - 1, no_wrap=True)
    table.add_row("", *(Text(shortened(name, CELL - 1), style="bold") for name in columns), Text("sum", style="dim"))
    for i, name in enumerate(rows):
        cells = [_cell(grid, i, j) for j in range(len(columns))]
        table.add_row(Text(shortened(name, NAME), style="bold"), *cells, Text(number(by_row[i]), style="dim"))
    sums = [Text(number(part), style="dim") for part in by_column[: len(columns)]]
    table.add_row(Text("sum", style="dim"), *sums, Text(number(float(grid.parts.sum())), style="bold"))
    return table


def _names(words: Sequence[Word], others: int) -> list[str]:
    return [word.text for word in words] + ([OTHERS] if others else [])


def _cell(grid: Grid, i: int, j: int) -> Text:
    is_pair = i < len(grid.words[0]) and j < len(grid.words[1])
    return Text(number(grid.parts[i, j]), style=signed_style(float(grid.shades[i, j])) if is_pair else "dim")


def _left_out(grid: Grid) -> str:
    """Return how many words are not shown on their own, and what they add up to."""
    said = [
        f"{n} of the {name} text, which add up to {number(float(adds[-1]))}"
        for n, name, adds in zip(grid.others, ("first", "second"), grid.by_word, strict=True)
        if n
    ]
    return f"Other words, not shown on their own: {'; '.join(said)}. A page shows more: --html." if said else ""
