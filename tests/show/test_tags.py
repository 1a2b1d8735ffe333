"""Labelled texts on a page, in a picture and in a terminal."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from tests.page_reader import Reader

from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import Word
from heedful.tasks.tag.explanation import TagExplanation
from heedful.tasks.tag.show.colours import hues, kind_of
from heedful.tasks.tag.show.page import MOST_CELLS, MOST_ROWS, fragment_of, tags_page
from heedful.tasks.tag.show.picture import tags_picture
from heedful.tasks.tag.show.terminal import looked_lines, plain_tags, tagged_text
from heedful.tasks.tag.show.view import pieces

EVIL = "<script>alert(1)</script> \"q\" 'p' &amp; </style><img src=x> \x1b[31m \x00 onload=x"
OURS = {
    "html", "head", "meta", "title", "style", "body", "h1", "p", "span", "section", "div", "table", "thead", "tbody",
    "tr", "th", "td", "i", "b", "small",
}  # fmt: skip


def made(text: str, labels: list[str] | None = None, *, seed: int = 0, read_to: int | None = None) -> TagExplanation:
    """Return an explanation over runs of non-spaces, with weights of chance."""
    found = list(re.finditer(r"\S+", text[:read_to]))
    words = tuple(Word(m.group(), m.start(), m.end(), i % 3 != 1) for i, m in enumerate(found))
    rng = np.random.default_rng(seed)
    weights = rng.random((len(words), len(words)))
    return TagExplanation(
        text=text,
        words=words,
        labels=tuple(labels or ["NOUN"] * len(words)),
        probabilities=rng.random(len(words)),
        weights=weights / weights.sum(1, keepdims=True),
        read_to=len(text) if read_to is None else read_to,
    )


SPANS = made("Mr Kim Lee saw Oslo now", ["O", "B-per", "I-per", "O", "B-loc", "O"])
TAGS = made("Kim sings now", ["NOUN", "VERB", "ADV"])


def test_pieces_are_spans_and_single_words_and_nothing_is_lost():
    found = list(pieces(SPANS))
    assert [(p.text, p.kind) for p in found] == [
        ("Mr", ""), ("Kim Lee", "per"), ("saw", ""), ("Oslo", "loc"), ("now", ""),
    ]  # fmt: skip
    assert "".join(p.between + p.text for p in found) == SPANS.text
    assert [p.kind for p in pieces(TAGS)] == ["NOUN", "VERB", "ADV"]


def test_a_kind_has_one_colour_and_outside_has_none():
    assert kind_of("B-per", has_spans=True) == kind_of("I-per", has_spans=True) == "per"
    assert kind_of("O", has_spans=True) == ""
    assert kind_of("O", has_spans=False) == "O"
    found = hues(["per", "loc", "per", ""])
    assert set(found) == {"per", "loc"}
    assert abs(found["per"] - found["loc"]) > 30


def test_the_page_has_the_text_the_labels_and_a_row_for_each_word():
    read = Reader(tags_page([SPANS, TAGS]))
    assert set(read.tags) <= OURS
    assert read.tags.count("tr") == 2 + 6 + 3
    for part in ("Kim Lee", "per", "B-per", "VERB", "Not audited"):
        assert part in read.text
    assert "0.99" not in SPANS.text
    assert f"{SPANS.probabilities[0]:.2f}" in read.text


@pytest.mark.parametrize("show", [lambda e: tags_page([e], title=EVIL), fragment_of])
def test_a_hostile_text_stays_text(show):
    evil = made(EVIL, [EVIL] * len(EVIL.split()))
    assert "<script>" in evil.text
    source = show(evil)
    assert set(Reader(source).tags) <= OURS
    assert "<script" not in source.lower()
    assert "<img" not in source.lower()
    assert "\x00" not in source
    assert "\x1b" not in source


def test_a_hostile_text_stays_text_in_a_picture_and_in_a_terminal():
    evil = made(EVIL, ["B-" + EVIL, *["O"] * (len(EVIL.split()) - 1)])
    names = {element.tag.rpartition("}")[2] for element in ET.fromstring(tags_picture(evil)).iter()}
    assert names <= {"svg", "title", "desc", "rect", "text", "path"}
    assert "\x1b" not in plain_tags(evil)
    assert "\x1b" not in tagged_text(evil).plain


def test_a_long_text_has_the_first_rows_and_names_in_place_of_cells():
    long = made(" ".join(f"w{i}" for i in range(MOST_ROWS + 20)))
    read = Reader(tags_page([long]))
    assert len(long.words) > MOST_CELLS
    assert read.tags.count("tr") == 1 + MOST_ROWS
    assert "and 20 more words" in read.text
    assert ET.fromstring(tags_picture(long)) is not None


def test_an_empty_text_and_what_was_not_read_are_said():
    assert "(empty)" in Reader(tags_page([made("")])).text
    assert plain_tags(made("")) == ""
    assert ET.fromstring(tags_picture(made(""))) is not None
    assert "(not read)" in Reader(tags_page([made("one two three", read_to=7)])).text


def test_lines_are_of_words_in_spans_or_of_all():
    assert [line.split()[0] for line in looked_lines(SPANS)] == ["Kim", "Lee", "Oslo"]
    assert len(looked_lines(TAGS)) == 3
    assert str(SPANS).splitlines()[0] == "Mr [Kim Lee|per] saw [Oslo|loc] now"
    assert tagged_text(SPANS).plain == "Mr Kim Lee per  saw Oslo loc  now"


def test_a_picture_has_a_cell_for_each_pair_and_a_size_that_fits():
    source = tags_picture(TAGS)
    assert source.count("<rect") >= 9
    with pytest.raises(HeedfulError, match="width is 10"):
        tags_picture(TAGS, width=10)
