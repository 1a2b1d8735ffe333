from __future__ import annotations

import io
import json
import re
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console
from tests.page_reader import Reader

from heedful.explain.check.label_shortcuts import WordShortcut
from heedful.explain.check.learning_curve import CurvePoint, LearningCurve
from heedful.explain.check.results import (
    Check,
    CheckedRow,
    Confusion,
    DuplicateGroup,
    Duplicates,
    FaultyRows,
    LabelCheck,
    LabelFacts,
    Leak,
    Leaks,
    Suspect,
    WordPull,
)
from heedful.show.check.page import check_fragment, check_page
from heedful.show.check.plots import curve_plot
from heedful.show.check.terminal import check_terminal, plain_check
from heedful.show.check.view import MOST_LABELS, view
from heedful.show.check.wording import FAULTS

EVIL = (
    "<script>alert(1)</script>", "\"onfocus='alert(1)", "</style><img src=x>", "&amp;", "\x1b[31m", "a\x00b",
    "\u202eevil", "[bold]x[/bold]", "javascript:alert(1)", "\ud83d", "' onload='x", "--></td></table>",
    "w" * 5000, "𝒜\u0301", "متن", "", "two\nlines\tand a tab",
)  # fmt: skip
OURS = {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "span", "section", "div", "b", "a", "i", "ul",
    "ol", "li", "details", "summary", "strong", "code", "table", "thead", "tbody", "tr", "th", "td", "figure",
    "figcaption", "svg", "desc", "path", "circle", "text",
}  # fmt: skip
CURVE = LearningCurve(
    (CurvePoint(100, 0.6, 0.55, 0.65), CurvePoint(200, 0.7, 0.66, 0.74), CurvePoint(400, 0.77, 0.74, 0.8)),
    (CurvePoint(800, 0.81, 0.76, 0.86),),
)


def suspect(i, text, label, suggested="no"):
    words = tuple(WordPull(match.group(), *match.span(), 1.5 - j) for j, match in enumerate(re.finditer(r"\S+", text)))
    return Suspect(CheckedRow(i, i + 1, text, label), suggested, 0.93, 0.04, words, 0.1, 1.4)


def made_by_hand(texts=("good cake", "bad tea"), labels=("yes", "no"), *, file="in.csv", n_rows=1234):
    """Return a check with a finding of every kind."""
    rows = tuple(CheckedRow(i + 1, i + 2, text, labels[i % len(labels)]) for i, text in enumerate(texts))
    groups = (
        DuplicateGroup(9, rows[:6], True, 1.0, tuple((label, 2) for label in labels)),
        DuplicateGroup(2, rows[:2], False, 0.81, ((labels[0], 2),)),
    )
    test = tuple(replace(row, is_test=True, file="<b>.csv") for row in rows[:2])
    suspects = tuple(suspect(i + 1, text, labels[i % len(labels)], labels[0]) for i, text in enumerate(texts))
    confusion = Confusion(labels[0], labels[-1], 7, 0.12, tuple((text, 1.0) for text in texts), rows[:2])
    return Check(
        file=file,
        n_rows=n_rows,
        text_column=texts[0],
        label_column=labels[0],
        labels=tuple(LabelFacts(label, 900 - i, 800, 40, 0.81, is_rare=i > 0) for i, label in enumerate(labels)),
        label_check=LabelCheck("a model", 1000, True, 0.83, len(suspects), 30.0, suspects, (confusion,)),
        duplicates=Duplicates(3, 1, 1, groups),
        leaks=Leaks(file, 50, 1, 2, (DuplicateGroup(2, (*rows[:1], *test[:1]), True, 1.0, ((labels[0], 2),)),)),
        shortcuts=tuple(WordShortcut(text, labels[0], 12, 11, 20) for text in texts[:3]),
        faulty_rows=tuple(FaultyRows(kind, 4, rows[:3], "a detail") for kind in FAULTS),
        leaking_columns=(Leak(texts[0], 0.99, 0.4, texts[-1]), Leak("", 1.0, 0.3, "")),
        curve=CURVE,
        notes=(texts[0],),
    )


def printed(check, width=80):
    out = io.StringIO()
    Console(file=out, width=width, highlight=False).print(check_terminal(check, width=width))
    return out.getvalue()


@pytest.fixture
def evil():
    return made_by_hand(EVIL, EVIL, file="<i>\u202e.csv")


def test_hostile_data_leave_no_tag_and_no_attribute_of_their_own(evil):
    read = Reader(check_page(evil))
    assert set(read.tags) <= OURS
    styles = [value for name, value in read.attributes if name == "style"]
    assert styles and all(re.fullmatch(r"--w:[\d.]+(;--e:[\d.]+)?", value) for value in styles)
    assert all(re.fullmatch(r"#[a-z]+", value) for name, value in read.attributes if name == "href")
    assert not [name for name, _ in read.attributes if name.startswith("on") or name == "src"]


def test_hostile_data_can_still_be_read(evil):
    shown = Reader(check_page(evil)).text
    assert "<script>alert(1)</script>" in shown and "[bold]x[/bold]" in shown and "متن" in shown


def test_a_page_has_no_control_characters_and_needs_no_other_host(evil):
    source = check_page(evil)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", source)
    source.encode("utf-8")
    assert not re.search(r"https?://|<script|<link|@import|url\(|src=", check_page(made_by_hand()))
    assert "<style>" in check_fragment(made_by_hand())


@pytest.mark.parametrize("width", [40, 80, 140])
def test_a_terminal_shows_hostile_data_within_its_width(evil, width):
    text = printed(evil, width)
    assert "\x1b" not in text and "\x00" not in text and "\u202e" not in text and "[bold]x[/bold]" in text
    assert max(map(cell_len, text.splitlines())) <= width


def test_every_finding_is_on_the_page_in_the_terminal_and_in_plain_text():
    check = made_by_hand()
    every = ("2 of 1,000 rows of a sample may have a wrong label",
             "Of 50 rows of in.csv, 1 are also here, and 2 nearly",
             "3 rows repeat another text exactly, 1 nearly; 1 group of them with different labels",
             "77.0 % after learning from 400 rows", "sorted by label", "Mis-encoded: 4 rows")  # fmt: skip
    for shown in (Reader(check_page(check)).text, printed(check, 200)):
        plain = " ".join(shown.replace("\u00a0", " ").split())
        assert all(expected in plain for expected in every), [each for each in every if each not in plain]
    assert all(
        expected in plain_check(check) for expected in (*every[:4], "row 1 (line 2): yes, looks like yes (good, cake)")
    )


def test_every_link_of_the_summary_has_its_section():
    read = Reader(check_page(made_by_hand()))
    links = {value[1:] for name, value in read.attributes if name == "href"}
    assert links and links <= {value for name, value in read.attributes if name == "id"}


def test_words_are_drawn_by_their_sign_and_text_is_kept():
    (first, *_) = view(made_by_hand()).suspects
    assert [(part.text, part.shade > 0) for part in first.parts if part.number] == [("good", True), ("cake", True)]
    assert "".join(part.text for part in first.parts) == "good cake"


def test_of_many_labels_the_most_frequent_are_shown():
    check = made_by_hand(labels=tuple(f"label {i}" for i in range(MOST_LABELS + 7)))
    assert view(check).n_more_labels == 7 and "7 more labels" in Reader(check_page(check)).text


def test_a_check_without_findings_is_calm():
    check = Check("in.csv", 20, "text", None, (), duplicates=Duplicates(0, 0, 0, ()))
    assert {finding.level for finding in view(check).findings} == {"good"}
    assert "No row repeats another one." in printed(check) and "No row repeats" in Reader(check_page(check)).text


def test_a_stopped_check_says_so():
    check = Check("in.csv", 20, "text", None, (), notes=("Stopped after 20 rows were read.",), is_stopped=True)
    assert "Stopped" in printed(check) and "Stopped" in Reader(check_page(check)).text and "Stopped" in str(check)


def test_the_axis_of_the_curve_has_all_points():
    svg = curve_plot(CURVE)
    marks = [float(value) for value in re.findall(r'class="end"[^>]*>(\d+) %<', svg)]
    assert min(marks) <= 55 and max(marks) >= 86
    assert svg.count("<circle") == 4 and svg.count("hollow") == 1
    assert all(-1 < float(y) < 181 for y in re.findall(r'cy="([\d.-]+)"', svg))


def test_json_has_sentences_of_nothing_that_is_not_plain(evil):
    json.dumps(evil.to_dict())
