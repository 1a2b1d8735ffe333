"""The words of each label, in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from heedful.explain.words.label_words import LabelWords
from heedful.show.kit.terminal import effect_style, within_cells
from heedful.show.kit.text.sanitise import visible
from heedful.show.words.view import NONE, ExamplePart, LabelView, WordRow, view

NAME = 26  # columns of a word or phrase
TOP = 5  # words of a side in plain text
MOST_LABELS = 20
WITH_EXAMPLES = 100  # columns of a terminal from which an example is beside each word


def words_view(words: LabelWords, *, width: int = 80) -> Group:
    """Return a table for each label: the words for it, and those against it; then possible shortcuts."""
    drawn = view(words)
    blocks: list[RenderableType] = [Text(drawn.title, style="bold"), Text(drawn.where), Text()]
    for label in drawn.labels[:MOST_LABELS]:
        blocks += _label(label, width)
    blocks += [Text(note, style="dim") for note in (*_more(drawn.labels), *drawn.notes)]
    blocks += [Text(drawn.account, style="dim")]
    if drawn.shortcuts_account:
        blocks.append(Text(drawn.shortcuts_account, style="dim"))
    return Group(*blocks)


def plain_words(words: LabelWords) -> str:
    """Return the strongest words of each label, without colours."""
    drawn = view(words)
    lines = [drawn.title, drawn.where]
    for label in drawn.labels[:MOST_LABELS]:
        lines += [
            f"  {title}: {', '.join(f'{within_cells(row.form, NAME)} {row.mean}' for row in rows[:TOP]) or NONE}"
            for title, rows in label.sides
        ]
        lines += [f"  {sentence}" for sentence in label.shortcuts]
    return visible("\n".join([*lines, *_more(drawn.labels)]))


def _more(labels: Sequence[LabelView]) -> list[str]:
    return [f"The first {MOST_LABELS} of {len(labels):,} labels are shown."] if len(labels) > MOST_LABELS else []


def _label(label: LabelView, width: int) -> list[RenderableType]:
    heading = Text.assemble((within_cells(label.label, width), "bold"), (f"  {label.heading}", "dim"))
    blocks: list[RenderableType] = [heading]
    for title, rows in label.sides:
        blocks.append(_table(title, rows, width) if rows else Text(f"{title}: {NONE}", style="dim"))
    blocks += [Text(sentence, style="yellow") for sentence in label.shortcuts]
    return [*blocks, Text()]


def _table(title: str, rows: Sequence[WordRow], width: int) -> Table:
    table = Table(within_cells(title, NAME), "mean", "95 % interval", "found", box=None, pad_edge=False)
    table.header_style = Style(dim=True)
    table.columns[0].min_width = NAME + 2
    table.columns[1].justify = table.columns[2].justify = "right"
    has_examples = width >= WITH_EXAMPLES and any(row.examples for row in rows)
    if has_examples:
        table.add_column("example", no_wrap=True, overflow="ellipsis")
    for row in rows:
        form = Text(f" {within_cells(row.form, NAME)} ", style=effect_style(row.shade))
        cells = [form, Text(row.mean), Text(row.interval, style="dim"), Text(row.count, style="dim")]
        example = [_example(row.examples[0]) if row.examples else Text()] if has_examples else []
        table.add_row(*cells, *example)
    return table


def _example(parts: Sequence[ExamplePart]) -> Text:
    """Return an example, starting a few words before the word or phrase."""
    first = next(i for i, part in enumerate(parts) if part.is_form)
    start = max(0, first - 6)
    line = Text("… " if start else "")
    for part in parts[start:]:
        line.append(visible(" ".join(part.text.split("\n"))), style="bold" if part.is_form else "dim")
    return line
