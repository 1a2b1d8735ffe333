"""Labelled texts on a page, in a picture and in a terminal."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from tests.page_reader import Reader

from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import Word
from heedful.show.kit.text.numbers import number
from heedful.tasks.tag.explanation import SUM_NOT_AUDITED, TagExplanation
from heedful.tasks.tag.show.colours import hues, kind_of
from heedful.tasks.tag.show.page import FEW_WORDS, MOST_CELLS, MOST_ROWS, fragment_of, tags_page
from heedful.tasks.tag.show.picture import tags_picture
from heedful.tasks.tag.show.terminal import looked_lines, plain_tags, tagged_text
from heedful.tasks.tag.show.view import pieces, view

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


def summed(explanation: TagExplanation, *, seed: int = 0, crf: bool = False) -> TagExplanation:
    """Return the same with scores that are sums of parts of chance."""
    rng, tagset, n = np.random.default_rng(seed), tuple(sorted(set(explanation.labels))), len(explanation.words)
    bias, own, values = (rng.normal(size=size) for size in (len(tagset), (n, len(tagset)), (n, len(tagset))))
    return replace(
        explanation,
        tagset=tagset,
        scores=bias + own + explanation.weights @ values,
        bias=bias,
        own=own,
        values=values,
        transitions=rng.normal(size=n) if crf else None,
        verdict=SUM_NOT_AUDITED,
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


# --- scores that are sums


@pytest.mark.parametrize("crf", [False, True])
def test_the_page_draws_the_sum_first_and_attention_behind_a_fold(crf):
    explanation = summed(SPANS, crf=crf)
    page = tags_page([explanation])
    read = Reader(page)
    assert set(read.tags) <= OURS | {"details", "summary"}
    assert read.tags.count("tr") == 2 * (1 + 6)
    assert page.index("own state") < page.index("<details") < page.index("Attention has no sign")
    assert ("transitions" in read.text) == crf
    column = explanation.tagset.index("B-per")
    for value in (explanation.scores[1, column], explanation.bias[column]):
        assert number(value, digits=2, plus=True) in read.text
    for value in (explanation.own[1, column], *explanation.contributions[1]):
        assert number(value, digits=2) in read.text
    assert 'class="c for"' in page and 'class="c against"' in page


def test_without_a_sum_the_page_says_so():
    assert "does not give the score of a label as a sum over words" in Reader(tags_page([SPANS])).text
    for explanation in (summed(SPANS), summed(made(""))):
        assert "does not give" not in Reader(tags_page([explanation])).text


def test_the_view_has_parts_that_add_up_and_names_the_strongest():
    drawn = view(summed(made("Kim saw Kim and Oslo saw Kim")))
    for i in range(len(drawn.words)):
        parts = drawn.sum_of(i)
        assert parts.bias + parts.own + parts.contributions.sum() == pytest.approx(parts.score)
        sizes = [abs(value) for _, value in parts.strongest]
        assert sizes == sorted(sizes, reverse=True) and len(sizes) <= 5
        named = dict(parts.strongest)
        assert sum(named.values()) + parts.bias == pytest.approx(parts.score)
        assert named["Kim × 3"] == pytest.approx(parts.contributions[[0, 2, 6]].sum())
        darkest = max(0.25, abs(parts.own), np.abs(parts.contributions).max())  # an own state is on the same scale
        np.testing.assert_allclose(parts.shades, parts.contributions / darkest, atol=1e-6)
        assert parts.own_shade == pytest.approx(parts.own / darkest, abs=1e-6)


def test_nodes_are_named_one_by_one():
    drawn = view(replace(summed(made("a a b")), kind="graph"))
    assert len(drawn.sum_of(0).strongest) == 4
    assert "each node that it looked at" in drawn.account


def test_lines_have_the_score_and_its_parts():
    drawn = summed(SPANS, crf=True)
    *lines, account = looked_lines(drawn)
    assert [line.split()[0] for line in lines] == ["Kim", "Lee", "Oslo"]
    for line in lines:
        score, terms = line.split("score ")[1].split("; transition")[0].split(" = ")
        values = [float(term.rsplit(" ", 1)[1].replace("−", "-")) for term in terms.split(", ")]
        assert sum(values) == pytest.approx(float(score.replace("−", "-")), abs=0.01 * len(values))
        assert "looked at: " in line
    assert account.startswith("The score of a word's label is the bias") and "transitions" in account
    assert "Blue" not in account
    assert plain_tags(summed(made(""))) == ""


def test_a_long_text_names_contributions_in_place_of_cells():
    long = summed(made(" ".join(f"w{i}" for i in range(MOST_ROWS + 20))))
    read = Reader(tags_page([long]))
    assert read.tags.count("tr") == 2 * (1 + MOST_ROWS)
    assert "strongest contributions" in read.text and "Blue" not in read.text
    middle = summed(made(" ".join(f"w{i}" for i in range(FEW_WORDS + 1))))
    assert "cells dense sums" in tags_page([middle]) and "cells sums roomy" in tags_page([summed(TAGS)])


def test_a_picture_has_both_matrices_side_by_side_or_one_below_the_other():
    for n in (3, 16, 17, 40):
        source = tags_picture(summed(made(" ".join(f"w{i}" for i in range(n)))))
        names = [element.text for element in ET.fromstring(source).iter() if element.text]
        assert "Contributions to each label" in names and "Where each word looked" in names
        assert source.count("<rect") >= n * (2 * n + 1)
    assert "own state" not in tags_picture(SPANS)
    assert "Contributions" not in tags_picture(summed(made(" ".join("w" * 41))))


@pytest.mark.parametrize("show", [lambda e: tags_page([e], title=EVIL), fragment_of])
def test_a_hostile_text_stays_text_in_a_sum(show):
    evil = summed(made(f"Kim sings {EVIL}"))
    assert set(Reader(show(evil)).tags) <= OURS | {"details", "summary"}
    assert "\x1b" not in plain_tags(evil)
