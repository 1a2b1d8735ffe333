"""A check of labelled data, in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from heedful.explain.check.results import Check
from heedful.show.check.row_views import GroupView, Part, SuspectView
from heedful.show.check.view import CheckView, Finding, Level, view
from heedful.show.kit.terminal import effect_style, indented, within_cells
from heedful.show.kit.text.sanitise import one_line, visible

TOP, MOST_PAIRS, MOST_GROUPS, ROWS = 10, 5, 5, 3
STYLES: dict[Level, str] = {"bad": "bold red", "look": "yellow", "good": "green", "info": "dim"}


def check_terminal(check: Check, *, width: int = 80, top: int = TOP) -> Group:
    """Return the findings, then the worst rows."""
    drawn = view(check)
    blocks: list[RenderableType] = [Text(drawn.title, style="bold"), Text(drawn.about), Text()]
    blocks += [_finding(finding) for finding in drawn.findings]
    blocks += [Text(note, style="yellow") for note in drawn.notes]
    blocks += _suspects(drawn, width, top)
    if drawn.confusions:
        blocks += [Text(), Text("Labels that are confused, and by which words", style="bold")]
        for pair in drawn.confusions[:MOST_PAIRS]:
            line = Text.assemble((within_cells(pair.given, 30), "bold"), " looks like ")
            line.append(within_cells(pair.suggested, 30), style="bold").append(f": {pair.sentence}  ", style="dim")
            blocks.append(indented(_shaded(pair.words, line, between=" ")))
    blocks += _groups("Test rows that are also here", drawn.leaks, width)
    blocks += _groups("Duplicates", drawn.duplicates, width)
    blocks += _list("Possible shortcuts", drawn.shortcuts)
    blocks += _list("Columns", drawn.columns[1:])
    for fault in drawn.faults:
        blocks += [Text(), Text(fault.sentence, style="bold"), indented(Text(fault.advice, style="dim"))]
        blocks += [indented(_row(row.place, row.label, row.text, width)) for row in fault.rows[:ROWS]]
    return Group(*blocks)


def plain_check(check: Check) -> str:
    """Return the findings without colours."""
    drawn = view(check)
    lines = [drawn.title, drawn.about, *(f"{f.mark} {f.name}: {f.sentence}" for f in drawn.findings), *drawn.notes]
    lines += [
        f"  {row.place}: {row.given}, looks like {row.suggested} ({', '.join(row.why)}): {_plain(row.parts)}"
        for row in drawn.suspects[:TOP]
    ]
    return visible("\n".join(lines))


def _finding(finding: Finding) -> Text:
    line = Text.assemble((f"{finding.mark} ", STYLES[finding.level]), (f"{finding.name}  ", "bold"))
    return line.append(visible(finding.sentence))


def _suspects(drawn: CheckView, width: int, top: int) -> Iterator[RenderableType]:
    shown = drawn.suspects[:top]
    if not shown:
        return
    yield from (Text(), Text("Labels that may be wrong, worst first", style="bold"))
    for row in shown:
        yield _head(row)
        yield indented(_shaded(row.parts, Text(no_wrap=width < 40, overflow="ellipsis")))
    more = len(drawn.suspects) - len(shown) + drawn.n_more_suspects
    if more:
        yield Text(f"{more:,} more: --html for a page, --fixes FILE for a table to correct them in", style="dim")


def _head(row: SuspectView) -> Text:
    line = Text.assemble((row.place, "dim"), "  labelled ", (within_cells(row.given, 30), "bold"), ", looks like ")
    return line.append(within_cells(row.suggested, 30), style="bold").append(f"  {row.chances}", style="dim")


def _shaded(parts: Sequence[Part], line: Text, *, between: str = "") -> Text:
    for part in parts:
        text = visible(part.text)
        line.append(text, style=effect_style(part.shade) if part.number else "").append(between)
    return line


def _plain(parts: Sequence[Part]) -> str:
    return one_line("".join(part.text for part in parts))


def _groups(title: str, groups: Sequence[GroupView], width: int) -> Iterator[RenderableType]:
    if not groups:
        return
    yield from (Text(), Text(title, style="bold"))
    for group in groups[:MOST_GROUPS]:
        yield indented(Text(visible(group.title), style="yellow" if group.has_conflict else ""))
        for row in group.rows[:ROWS]:
            yield indented(indented(_row(row.place, row.label, row.text, width)))


def _row(place: str, label: str, text: str, width: int) -> Text:
    line = Text.assemble((f"{place}  ", "dim"), no_wrap=True, overflow="ellipsis")
    if label:
        line.append(f"{within_cells(label, 24)}  ", style="bold")
    return line.append(within_cells(text, max(20, width)))


def _list(title: str, sentences: Sequence[str]) -> Iterator[RenderableType]:
    if sentences:
        yield from (Text(), Text(title, style="bold"))
        yield from (indented(Text(visible(sentence))) for sentence in sentences)
