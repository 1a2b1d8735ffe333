from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console

from heedful.explain.audit.audit import Audit, Faithfulness, HopFigures
from heedful.metrics.bootstrap import Interval
from heedful.show.audit.terminal import audit_terminal
from heedful.show.audit.view import view
from heedful.show.audit.wording import HEADLINES
from heedful.store.verdict import LEVELS, NOT_AUDITED, Verdict

EVIL = "great \x1b[31mred\x1b[0m \x07bell \x9b2J\x00 \u202eright [bold]markup[/bold] [/nothing] \ud83d"


def around(mean: float) -> Interval:
    return Interval(mean, mean - 0.03, mean + 0.03)


def faithfulness(needed: float, enough: float) -> Faithfulness:
    beyond = around(needed - 0.12), around(0.38 - enough)
    return Faithfulness(around(needed), around(enough), *beyond, (needed,) * 5, (enough,) * 5)


AUDIT = Audit(
    Verdict("better", "Better than chance, on your data."),
    "reviews",
    "test.tsv",
    500,
    0.862,
    {
        "random": faithfulness(0.12, 0.38),
        "attention": faithfulness(0.41, 0.09),
        "leave-one-out": faithfulness(0.1, 0.4),
        "integrated": faithfulness(0.45, 0.07),
    },
    {"attention, leave-one-out": around(0.34)},
    HopFigures((0.5, 0.25), ((1.0, 0.6), (0.6, 1.0))),
    around(0.18),
)
EMPTY = Audit(NOT_AUDITED, "m", "f", 0, None, {}, {}, HopFigures((), ()), None)


def printed(audit: Audit, *, width: int = 80, colours: bool = False) -> str:
    file = io.StringIO()
    system = "truecolor" if colours else None
    Console(file=file, force_terminal=colours, color_system=system, width=width).print(audit_terminal(audit))
    return file.getvalue()


@pytest.mark.parametrize("level", LEVELS)
def test_the_verdict_comes_first(level):
    first, second = printed(replace(AUDIT, verdict=Verdict(level, "What was found."))).splitlines()[:2]
    assert first == f"{'✓' if level == 'better' else '!'} {HEADLINES[level]}"
    assert second.strip() == "What was found."


def test_every_check_is_told_in_the_words_of_the_page():
    shown = " ".join(printed(AUDIT).split())
    made = view(AUDIT).checks
    assert len(made) == 7
    for check in made:
        assert f"{check.name} {check.finding}" in shown


def test_a_table_has_each_method_with_attention_first_and_random_last():
    lines = [line.split() for line in printed(AUDIT).splitlines()]
    rows = [line for line in lines if line and line[0] in AUDIT.methods]
    assert [row[0] for row in rows[:4]] == ["attention", "leave-one-out", "integrated", "random"]
    assert rows[0] == ["attention", "0.41", "0.29", "[0.26,", "0.32]", "0.09", "0.29", "[0.26,", "0.32]"]
    assert rows[1][2:5] == ["−0.02", "[−0.05,", "0.01]"]
    assert rows[3] == ["random", "0.12", "0.38"]


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("audit", [AUDIT, EMPTY])
def test_no_line_is_wider_than_the_terminal(audit, width):
    assert max(map(cell_len, printed(audit, width=width).splitlines())) <= width


def test_escape_characters_and_markup_do_not_reach_the_terminal():
    audit = replace(
        AUDIT,
        verdict=Verdict("barely", EVIL),
        model=EVIL,
        file=EVIL,
        left_out={EVIL: EVIL},
        agreement={EVIL: around(0)},
        methods=dict(AUDIT.methods) | {EVIL: faithfulness(0.2, 0.2)},
    )
    shown = printed(audit, width=400)
    for c in "\x1b\x07\x9b\x00\u202e\ud83d":
        assert c not in shown
    assert "[bold]markup[/bold] [/nothing]" in shown
    assert "\x1b[31m" not in printed(audit, colours=True)


def test_what_was_left_out_is_told_with_the_reason():
    assert "Left out" in printed(replace(AUDIT, left_out={"gradient": 'Run: pip install "heedful[train]"'}))
    shown = printed(replace(AUDIT, left_out={"gradient": 'Run: pip install "heedful[train]"'}))
    assert '  gradient × input: Run: pip install "heedful[train]"' in shown


def test_what_could_not_be_measured_is_told():
    nothing = Interval(float("nan"), float("nan"), float("nan"))
    shown = printed(replace(AUDIT, agreement={"attention, leave-one-out": nothing}))
    assert "not defined" in shown and "nan" not in shown


def test_an_audit_of_nothing_can_be_shown():
    assert "Not audited" in printed(EMPTY)
