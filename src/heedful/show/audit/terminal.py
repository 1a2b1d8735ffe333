"""How reliable the heatmaps of a model are, in a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from heedful.explain.audit.audit import RANDOM, Audit
from heedful.explain.audit.checks import Speaks
from heedful.show.audit.view import AuditView, view
from heedful.show.audit.wording import ordered, pair_name
from heedful.show.kit.svg.charts import span
from heedful.show.kit.terminal import indented
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
    drawn = view(audit)
    blocks: list[RenderableType] = [*_verdict(drawn), Text(), _checks(drawn)]
    if audit.methods:
        blocks.append(_methods(audit))
    if audit.agreement:
        blocks.append(_agreement(audit))
    blocks.append(Text(READING, style="dim"))
    if drawn.left_out:
        blocks += [Text(), Text("Left out", style="bold"), *(_reason(*each) for each in drawn.left_out)]
    return Group(*blocks)


def plain_audit(audit: Audit) -> str:
    """Return the verdict and what each check found, without colours."""
    drawn = view(audit)
    lines = [f"{drawn.mark} {drawn.headline}", drawn.verdict, *drawn.advice, drawn.about]
    lines += [f"{check.mark} {check.name} {check.finding} ({check.meaning})" for check in drawn.checks]
    return visible("\n".join(lines))


def _verdict(drawn: AuditView) -> list[RenderableType]:
    return [
        Text(f"{drawn.mark} {drawn.headline}", style="bold yellow" if drawn.is_warning else "bold green"),
        *(Text(visible(line)) for line in (drawn.verdict, *drawn.advice)),
        Text(drawn.about, style="dim"),
    ]


def _checks(drawn: AuditView) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for check in drawn.checks:
        style = STYLES[check.speaks]
        line = Text.assemble((check.name, "bold"), f" {check.finding} ", (f"({check.meaning})", style))
        table.add_row(Text(check.mark, style=style), line)
    return table


def _methods(audit: Audit) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column("by")
    for name in ("needed", "beyond chance", "enough", "beyond chance"):
        table.add_column(name, justify="right")
    for method, f in ordered(audit):
        beyond = ["", ""] if method == RANDOM else [span(f.needed_beyond_chance), span(f.enough_beyond_chance)]
        needed, enough = short(f.comprehensiveness.mean), short(f.sufficiency.mean)
        style = "bold" if method == audit.subject else "dim" if method == RANDOM else ""
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


def _reason(check: str, reason: str) -> RenderableType:
    return indented(Text.assemble((f"{check}: ", "bold"), reason))
