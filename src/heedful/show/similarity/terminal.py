"""Why two texts are similar, in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.color import Color
from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from heedful.explain.attention.explanation import Word
from heedful.explain.similarity import Similarity
from heedful.show.kit.html.shaded_text import unread
from heedful.show.kit.terminal import FULL, effect_style, within_cells
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.sanitise import visible
from heedful.show.similarity.grid import Grid
from heedful.show.similarity.view import ACCOUNT, SCALE, Pair, Side, SimilarityView, view

MOST_ROWS = 24  # of the grid
FEWEST_COLUMNS = 3  # a grid of fewer says nothing that the pairs do not
NAME, CELL = 12, 7  # letters of a word before its row, and of a column: −0.123 and a space
OTHERS = "others"
PAIRS = 5
BAR = 16  # letters of the longest bar


def similar_view(similarity: Similarity, *, width: int = 80) -> Group:
    """Return everything to see, for a terminal of this width."""
    drawn = view(similarity)
    heading = Text.assemble((f"Similarity {drawn.score}", "bold"), f": {drawn.reading}")
    blocks: list[RenderableType] = [heading, Text(SCALE, style="dim"), Text()]
    for side in drawn.sides:
        blocks += [Text(f"The {side.name} text", style="bold"), shaded_text(side), Text()]
    if drawn.has_parts:
        blocks += [_legend(), Text(), *_pairs(drawn), *_grid(drawn, width), Text(ACCOUNT, style="dim")]
    if drawn.unknown_note:
        blocks.append(Text(drawn.unknown_note, style="yellow"))
    return Group(*blocks)


def plain_similarity(similarity: Similarity) -> str:
    """Return the score and the pairs of words that add or take away most, without colours."""
    drawn = view(similarity)
    lines = [f"Similarity {drawn.score}: {drawn.reading}"]
    for name, pairs in (("adds", drawn.adding), ("takes away", drawn.taking)):
        named = [f"{within_cells(p.words[0], NAME)} ~ {within_cells(p.words[1], NAME)} {number(p.part)}" for p in pairs]
        lines += [f"  {name}: {', '.join(named[:PAIRS])}"] if named else []
    return "\n".join(lines)


def shaded_text(side: Side) -> Text:
    """Return one of the texts, each word on a ground as strong as what it adds; what takes away is underlined."""
    line = Text() if side.text.strip() else Text("(empty)", style="dim")
    at = 0
    for word, shade in zip(side.words, side.shades, strict=True):
        line.append(visible(side.text[at : word.start]))
        line.append(visible(word.text), style=effect_style(float(shade)))
        at = word.end
    line.append(visible(side.text[at : side.read_to]))
    if rest := side.text[side.read_to :]:
        line.append(f"{visible(unread(rest))} (not read)", style="dim")
    return line


def _legend() -> Text:
    adds, takes = (" adds ", effect_style(0.9)), (" takes away ", effect_style(-0.9))
    return Text.assemble("A word ", adds, " to the similarity or ", takes, " from it (underlined).", style="dim")


def _pairs(drawn: SimilarityView) -> list[RenderableType]:
    adding, taking = drawn.adding[:PAIRS], drawn.taking[:PAIRS]
    largest = max((abs(pair.part) for pair in (*adding, *taking)), default=1.0)
    blocks: list[RenderableType] = []
    for name, pairs in (("Pairs of words that add most", adding), ("Pairs that take away most", taking)):
        if pairs:
            blocks += [Text(name, style="bold"), pair_table(pairs, largest), Text()]
    return blocks


def pair_table(pairs: Sequence[Pair], largest: float) -> Table:
    """Return pairs of words, each with its number and a bar."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for pair in pairs:
        words = [Text(within_cells(word, 2 * NAME)) for word in pair.words]
        bar = Text(FULL if pair.part > 0 else "▒", style=Style(color=_bar_colour(pair.part)))
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


def _grid(drawn: SimilarityView, width: int) -> list[RenderableType]:
    names = (*(word.text for word in drawn.sides[0].words), OTHERS)
    longest = max(cell_len(within_cells(name, NAME)) for name in names)
    room = (width - longest - 1 - CELL) // CELL  # beside the sums
    if room <= FEWEST_COLUMNS:
        return []
    grid = drawn.grid(most=(MOST_ROWS, room - 1))
    blocks: list[RenderableType] = [Text("Every pair", style="bold"), _grid_table(grid), Text()]
    if left := _left_out(grid):
        blocks += [Text(left, style="dim"), Text()]
    return blocks


def _grid_table(grid: Grid) -> Table:
    rows, columns = (_names(words, n) for words, n in zip(grid.words, grid.others, strict=True))
    by_row, by_column = grid.by_word
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(max_width=NAME, no_wrap=True)
    for _ in (*columns, "sum"):
        table.add_column(justify="right", width=CELL - 1, no_wrap=True)
    table.add_row("", *(Text(within_cells(name, CELL - 1), style="bold") for name in columns), Text("sum", style="dim"))
    for i, name in enumerate(rows):
        cells = [_cell(grid, i, j) for j in range(len(columns))]
        table.add_row(Text(within_cells(name, NAME), style="bold"), *cells, Text(number(by_row[i]), style="dim"))
    sums = [Text(number(part), style="dim") for part in by_column[: len(columns)]]
    table.add_row(Text("sum", style="dim"), *sums, Text(number(float(grid.parts.sum())), style="bold"))
    return table


def _names(words: Sequence[Word], others: int) -> list[str]:
    return [word.text for word in words] + ([OTHERS] if others else [])


def _cell(grid: Grid, i: int, j: int) -> Text:
    is_pair = i < len(grid.words[0]) and j < len(grid.words[1])
    return Text(number(grid.parts[i, j]), style=effect_style(float(grid.shades[i, j])) if is_pair else "dim")


def _left_out(grid: Grid) -> str:
    """Return how many words are not shown on their own, and what they add up to."""
    sums = [
        f"{n} of the {name} text, which add up to {number(float(adds[-1]))}"
        for n, name, adds in zip(grid.others, ("first", "second"), grid.by_word, strict=True)
        if n
    ]
    return f"Other words, not shown on their own: {'; '.join(sums)}. A page shows more: --html." if sums else ""
