"""Whether heatmaps may be believed, in a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from heedful.explain.audit.audit import ATTENTION, RANDOM, Audit
from heedful.show.audit.checks import Check, advice, checks, left_out
from heedful.show.audit.wording import HEADLINES, SPOKEN, Speaks, about, ordered, pair_name
from heedful.show.kit.svg.charts import span
from heedful.show.kit.text.numbers import short
from heedful.show.kit.text.sanitise import one_line, visible

STYLES: Mapping[Speaks, str] = {"for": "green", "against": "bold yellow", "open": "yellow", "neither": "dim"}
READING = (
    "Needed (comprehensiveness): how much less probable the answer is without the words a method puts first; more is "
    "better. Enough (sufficiency): how much less with them alone; less is better. Beyond chance: the difference from "
    "random words with its 95 % interval; wholly above 0 is better than chance. Agreement is not correctness."
)


def audit_terminal(audit: Audit) -> Group:
    """Return the verdict, each check with what came out, and the numbers of each method."""
    shown: list[RenderableType] = [*_verdict(audit), Text()]
    shown.append(_checks(checks(audit)))
    if audit.methods:
        shown.append(_methods(audit))
    if audit.agreement:
        shown.append(_agreement(audit))
    shown.append(Text(READING, style="dim"))
    if why := left_out(audit):
        shown += [Text(), Text("Left out", style="bold"), *(_reason(*each) for each in why)]
    return Group(*shown)


def _verdict(audit: Audit) -> list[RenderableType]:
    style = "bold yellow" if audit.verdict.is_warning else "bold green"
    mark = "!" if audit.verdict.is_warning else "✓"
    words = [audit.verdict.words, *advice(audit)]
    return [
        Text(f"{mark} {HEADLINES[audit.verdict.level]}", style=style),
        *(Text(visible(line)) for line in words),
        Text(about(audit), style="dim"),
    ]


def _checks(made: list[Check]) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for check in made:
        mark, meaning = SPOKEN[check.speaks]
        said = Text.assemble((check.name, "bold"), f" {check.found} ", (f"({meaning})", STYLES[check.speaks]))
        table.add_row(Text(mark, style=STYLES[check.speaks]), said)
    return table


def _methods(audit: Audit) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column("by")
    for name in ("needed", "beyond chance", "enough", "beyond chance"):
        table.add_column(name, justify="right")
    for method, f in ordered(audit):
        beyond = ["", ""] if method == RANDOM else [span(f.needed_beyond_chance), span(f.enough_beyond_chance)]
        needed, enough = short(f.comprehensiveness.mean), short(f.sufficiency.mean)
        style = "bold" if method == ATTENTION else "dim" if method == RANDOM else ""
        cells = (one_line(method), needed, beyond[0], enough, beyond[1])
        table.add_row(*map(Text, cells), style=style)
    return table


def _agreement(audit: Audit) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column("agreement of")
    table.add_column("Kendall τ", justify="right")
    for pair, tau in audit.agreement.items():
        table.add_row(Text(pair_name(pair)), Text(span(tau)))
    return table


def _reason(check: str, why: str) -> RenderableType:
    return Padding(Text.assemble((f"{check}: ", "bold"), why), (0, 0, 0, 2))
