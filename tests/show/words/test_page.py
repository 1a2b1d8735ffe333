from __future__ import annotations

import io
import re

import pytest
from rich.cells import cell_len
from rich.console import Console
from tests.page_reader import Reader

from heedful.explain.words.label_words import LabelWord, LabelWords, Shortcut, WordExample, WordsOfLabel
from heedful.show.words.page import words_page
from heedful.show.words.terminal import MOST_LABELS, plain_words, words_view
from heedful.show.words.view import LEAST, example_parts, view, with_view

EVIL = (
    "<script>alert(1)</script>", "\"onfocus='alert(1)", "</style><img src=x>", "&amp;", "\x1b[31m", "a\x00b",
    "\u202eevil", "[bold]x[/bold]", "javascript:alert(1)", "\ud83d", "' onload='x", "--></td></table>",
    "w" * 5000, "𝒜\u0301", "متن",
)  # fmt: skip
OURS = {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "span", "section", "div", "b", "a", "nav",
    "ol", "li", "details", "summary", "small", "mark",
}  # fmt: skip


def example(words, at):
    text = " ".join(words)
    starts = [sum(len(word) + 1 for word in words[:i]) for i in range(len(words))]
    spans = tuple((start, start + len(word)) for start, word in zip(starts, words, strict=True))
    return WordExample(text, spans, tuple(0.5 - i for i in range(len(words))), at, at + 1, False, True)


def made_by_hand(words=("good", "bad", "cake"), *, labels=("yes", "no"), is_number=False, **more):
    """Return words of each label: these words speak for it, less and less, and against it."""
    for_it = tuple(
        LabelWord(word, 1, 9 + i, 8 + i, 3.0 - i / 9, 2.0, 4.5, (example(words, i),)) for i, word in enumerate(words)
    )
    against = tuple(LabelWord(word, 1, 5, 1, -1.5, -2.5, -0.5) for word in words)
    parts = tuple(WordsOfLabel(label, 20 - i, 0.25, for_it, against) for i, label in enumerate(labels))
    shortcuts = () if is_number else (Shortcut(words[0], labels[0], 9, 8, 6, 20),)
    values = {"model": "m", "file": "f.csv", "task": "classify", "n_texts": 1234, "n_words": 56789, **more}
    return LabelWords(
        is_number=is_number, min_count=3, labels=parts, shortcuts=shortcuts, **{"n_labels": len(labels), **values}
    )


def printed(words, width=80):
    out = io.StringIO()
    Console(file=out, width=width, highlight=False).print(words_view(words, width=width))
    return out.getvalue()


@pytest.fixture
def evil():
    return made_by_hand(EVIL, labels=EVIL, model="<b>\x1b", file="<i>\u202e.csv")


def test_hostile_words_leave_no_tag_and_no_attribute_of_their_own(evil):
    read = Reader(words_page(evil))
    assert set(read.tags) <= OURS
    assert {name for name, _ in read.attributes} <= {
        "lang", "charset", "http-equiv", "content", "name", "class", "style", "title", "aria-label", "dir", "href",
        "id",
    }  # fmt: skip
    styles = [value for name, value in read.attributes if name == "style"]
    assert styles and all(re.fullmatch(r"--w:[\d.]+", value) for value in styles)
    assert all(re.fullmatch(r"#label-\d+", value) for name, value in read.attributes if name == "href")


def test_hostile_words_can_still_be_read(evil):
    shown = "".join(Reader(words_page(evil)).text)
    assert "<script>alert(1)</script>" in shown and "[bold]x[/bold]" in shown and "متن" in shown


def test_a_page_has_no_control_characters_and_needs_no_other_host(evil):
    source = words_page(evil)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", source)
    source.encode("utf-8")
    assert not re.search(r"https?://|<script|<link|@import|url\(|src=", words_page(made_by_hand()))


@pytest.mark.parametrize("width", [40, 80, 140])
def test_a_terminal_shows_hostile_words_within_its_width(evil, width):
    text = printed(evil, width)
    assert "\x1b" not in text and "\x00" not in text and "\u202e" not in text and "[bold]x[/bold]" in text
    assert max(map(cell_len, text.splitlines())) <= width


def test_every_number_is_on_the_page_and_in_the_terminal():
    words = made_by_hand()
    for shown in ("".join(Reader(words_page(words)).text), printed(words)):
        for expected in ("+3.00", "+2.00 to +4.50", "9 times in 8 texts", "−1.50", "5 times in 1 text", "bias +0.25"):
            assert expected in " ".join(shown.split()), expected
        assert "may be a shortcut to yes: 8 of the 9 texts" in " ".join(shown.split())
        assert "1,234 texts of f.csv" in " ".join(shown.split())


def test_plain_text_has_the_strongest_words_of_each_label():
    lines = plain_words(made_by_hand()).splitlines()
    assert "  for yes: good +3.00, bad +2.89, cake +2.78" in lines
    assert "  against no: good −1.50, bad −1.50, cake −1.50" in lines


def test_a_number_is_raised_and_lowered():
    drawn = view(made_by_hand(labels=("price",), is_number=True))
    assert [title for title, _ in drawn.labels[0].sides] == ["raises price", "lowers price"]
    assert drawn.labels[0].heading == "bias +0.25" and drawn.title == "What drives the number of m"


def test_a_label_without_words_says_so():
    words = LabelWords("m", "", "classify", False, 5, 9, 1, 2, (WordsOfLabel("yes", 5, 0.0, (), ()),))
    assert "No word stands out." in "".join(Reader(words_page(words)).text)
    assert "for yes: No word stands out." in printed(words) and "for yes: No word" in plain_words(words)


def test_of_many_labels_the_first_are_printed():
    words = made_by_hand(labels=tuple(f"label {i}" for i in range(MOST_LABELS + 5)), n_labels=99)
    text = " ".join(printed(words).split())
    assert "label 19" in text and "for label 20" not in text
    assert f"The first {MOST_LABELS} of 25 labels are shown." in text
    assert "Of 99 labels, the 25 most frequent predictions are shown." in text


def test_an_example_has_the_whole_window_and_marks_the_word():
    parts = example_parts(example(("one", "two", "three"), 1))
    assert "".join(part.text for part in parts) == "… one two three"
    assert [part.text for part in parts if part.is_form] == ["two"]
    assert [part.number for part in parts if part.number] == ["+0.50", "−0.50", "−1.50"]


def test_weak_contributions_are_never_drawn_as_strong():
    weak = (LabelWord("x", 1, 3, 3, LEAST / 5, 0.0, 0.1),)
    words = LabelWords("m", "", "classify", False, 5, 9, 1, 2, (WordsOfLabel("yes", 5, 0.0, weak, ()),))
    assert view(words).labels[0].sides[0][1][0].shade == pytest.approx(0.2)


def test_a_served_tree_has_what_the_page_draws():
    words = made_by_hand()
    tree = with_view({**words.to_dict(), "labels": [_without_examples(part) for part in words.to_dict()["labels"]]})
    word = tree["labels"][0]["supporting"][0]
    assert (word["shade"], word["number"], word["interval"]) == (1.0, "+3.00", "+2.00 to +4.50")
    assert tree["labels"][0]["titles"] == {"supporting": "for yes", "opposing": "against yes"}
    assert tree["labels"][1]["opposing"][0]["shade"] == -0.5 and tree["shortcuts_account"]
    assert (tree["title"], tree["where"]) == ("What drives each label", view(words).where)
    assert tree["notes"] == list(view(words).notes) and len(tree["notes"]) >= 1


def _without_examples(part):
    return {**part, **{side: [{**w, "examples": []} for w in part[side]] for side in ("supporting", "opposing")}}
