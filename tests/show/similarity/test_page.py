from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from tests.page_reader import Reader

from heedful.explain.attention.explanation import Word
from heedful.explain.similarity import Similarity
from heedful.show.kit.svg.shades import as_given
from heedful.show.kit.text.numbers import number
from heedful.show.similarity.grid import folded
from heedful.show.similarity.page import MOST, ROOMY, similar_fragment, similar_page
from heedful.show.similarity.terminal import plain_similarity
from heedful.show.similarity.view import reading, strongest_pairs, unread_from

EVIL = (
    "<script>alert(1)</script> <img src=x onerror=alert(1)> \"double\" 'single' &amp; javascript:alert(1) "
    "</span></style><style>@import 'http://evil.example/x.css'</style> https://evil.example \x00<scr\x00ipt> \x1b[31m "
    '" onfocus="alert(1)" title=\' <!-- --> ]]> \ud83d'
)
OURS = {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "span", "section", "div", "strong", "table",
    "thead", "tbody", "tfoot", "tr", "th", "td", "i", "b",
}  # fmt: skip


def made_by_hand(first: str, second: str, *, seed: int = 0) -> Similarity:
    """Return a similarity over runs of non-spaces, with random parts of both signs."""
    words = tuple(
        tuple(Word(m.group(), m.start(), m.end(), i % 3 != 1) for i, m in enumerate(re.finditer(r"\S+", text)))
        for text in (first, second)
    )
    shape = (len(words[0]), len(words[1]))
    parts = np.random.default_rng(seed).normal(size=shape) / max(1, np.prod(shape))
    return Similarity(float(parts.sum()), (first, second), (words[0], words[1]), parts)


def cells(source: str) -> list[list[float]]:
    """Return the numbers in the titles of the grid, row by row."""
    body = re.search(r'<table class="grid.*?<tbody>(.*?)</tbody>', source, re.DOTALL).group(1)
    rows = body.split("</tr>")[:-1]
    return [[float(x.replace("−", "-")) for x in re.findall(r': (−?\d\.\d{4})"', row)] for row in rows]


@pytest.fixture
def evil():
    return made_by_hand(EVIL, EVIL[::-1] + EVIL)


def test_a_hostile_text_leaves_no_tag_of_its_own(evil):
    assert "<script>" in evil.texts[0]
    for source in (similar_page(evil, title=EVIL), evil.to_html(), similar_fragment(evil)):
        read = Reader(source)
        assert set(read.tags) <= OURS
        assert "<script" not in source.lower() and "<img" not in source.lower()


def test_a_hostile_text_leaves_no_attribute_and_no_reference(evil):
    read = Reader(similar_page(evil, title=EVIL))
    names = {name for name, _ in read.attributes}
    assert names <= {
        "lang", "charset", "http-equiv", "content", "name", "class", "style", "title", "aria-hidden", "aria-label",
        "dir", "tabindex", "role", "scope",
    }  # fmt: skip
    styles = [value for name, value in read.attributes if name == "style"]
    assert all(re.fullmatch(r"--(w|at|n):[\d.]+%?", value) for value in styles)


def test_a_hostile_text_can_still_be_read(evil):
    shown = "".join(Reader(similar_page(evil)).text)
    assert "<script>alert" in shown and "'single'" in shown


def test_a_page_has_no_control_characters_and_can_be_written(evil):
    source = similar_page(evil)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f]", source)
    source.encode("utf-8")


def test_a_page_needs_nothing_from_another_host():
    source = similar_page(made_by_hand("one two three", "four five"))
    assert not re.search(r"https?://|<script|<link|@import|url\(|src=|href=", source)
    assert "default-src 'none'" in source


def test_every_pair_is_in_the_table_and_the_sums_stand_beside():
    similarity = made_by_hand("one two three", "four five")
    source = similar_page(similarity)
    np.testing.assert_allclose(cells(source), similarity.matrix, atol=0.5e-4)
    sums = [cell.text for cell in Reader(source).all("td", "sum")]
    assert sums == [number(total) for total in (*similarity.by_word[0], *similarity.by_word[1], similarity.score)]
    assert source.count('scope="row"') == 4 and "other words" not in source


@pytest.mark.parametrize(("n", "m"), [(300, 200), (3, 500), (MOST + 2, 1)])
def test_long_texts_are_capped_and_the_sums_still_add_up(n, m):
    similarity = made_by_hand(" ".join(f"a{i}" for i in range(n)), " ".join(f"b{i}" for i in range(m)))
    grid = folded(similarity, most=(MOST, MOST))
    assert grid.parts.sum() == pytest.approx(similarity.score, abs=1e-12)
    assert [len(words) + left for words, left in zip(grid.words, grid.others, strict=True)] == [n, m]
    source = similar_page(similarity)
    found = cells(source)
    assert len(found) <= MOST + 1 and all(len(row) <= MOST + 1 for row in found)
    assert sum(map(sum, found)) == pytest.approx(similarity.score, abs=len(found) * len(found[0]) * 1e-4)
    assert f"{n - MOST} other words" in source or n <= MOST + 1
    Reader(source)


def test_the_words_kept_are_the_strongest_in_reading_order():
    similarity = made_by_hand("a b c d e f", "x y")
    kept = folded(similarity, most=(3, 3)).words[0]
    strength = np.abs(similarity.matrix).sum(1)
    assert {word.start // 2 for word in kept} == set(np.argsort(-strength)[:3])
    assert [word.start for word in kept] == sorted(word.start for word in kept)


def test_one_word_more_than_the_cap_is_shown_and_not_called_others():
    assert folded(made_by_hand("a b c d", "x"), most=(3, 3)).others == (0, 0)
    assert folded(made_by_hand("a b c d e", "x"), most=(3, 3)).others == (2, 0)


def test_numbers_are_seen_where_there_is_room():
    few, many = (made_by_hand("one two", " ".join(f"b{i}" for i in range(n))) for n in (ROOMY, ROOMY + 1))
    assert [len(Reader(similar_page(each)).all("table", "grid", "tight")) for each in (few, many)] == [0, 1]


def test_a_very_long_word_does_not_make_a_very_long_page():
    source = similar_page(made_by_hand("w" * 50_000, " ".join(["x"] * 60)))
    assert source.count("w" * 1000) <= 50 and len(source) < 200_000


def test_what_adds_and_what_takes_away_differ_by_more_than_colour():
    words = ((Word("up", 0, 2, True), Word("down", 3, 7, True)), (Word("x", 0, 1, True),))
    source = similar_page(Similarity(0.2, ("up down", "x"), words, np.array([[0.7], [-0.5]])))
    up, down = (Reader(source).all("span", "part", kind)[0] for kind in ("more", "less"))
    assert (up.text, up.attributes["style"], up.attributes["title"]) == ("up", "--w:0.58", "0.700")  # (0.7 / 1.2) of 1
    assert (down.text, down.attributes["style"], down.attributes["title"]) == ("down", "--w:0.42", "−0.500")
    assert '.less::before { content: "−"' in source


def test_the_page_says_what_it_is_an_account_of():
    shown = "".join(Reader(similar_page(made_by_hand("a", "b"))).text)
    assert "add up to the whole exactly" in shown and "the model's own arithmetic, not of meaning" in shown


@pytest.mark.parametrize(("first", "second"), [("", ""), ("", "a b"), ("a", " \n")])
def test_a_text_without_words_gives_a_page_without_a_table(first, second):
    source = similar_page(made_by_hand(first, second))
    assert "<table" not in source and "(empty)" in source and "a text has no words" in source
    Reader(source)


def test_what_was_cut_off_is_marked():
    full = made_by_hand("read this not that", "x")
    cut = Similarity(0.0, full.texts, (full.words[0][:2], full.words[1]), np.zeros((2, 1)))
    assert unread_from(full, 0) == 18 and unread_from(cut, 0) == 9
    assert [each.text for each in Reader(similar_page(cut)).all("span", "unread")] == [" not that"]
    ended = Similarity(0.0, ("read ...", "x"), (full.words[0][:1], full.words[1]), np.zeros((1, 1)))
    assert unread_from(ended, 0) == 8


def test_unknown_words_are_underlined_and_named():
    source = similar_page(made_by_hand("one two three", "four"))
    assert [each.text for each in Reader(source).all("span", "part", "unknown")] == ["two"]
    assert "The model does not know two:" in source


def test_the_same_two_words_are_one_pair():
    words = tuple(Word(text, 0, 0, True) for text in ("The", "cat", "the"))
    parts = np.array([[0.3, -0.2], [0.05, 0.0], [0.1, -0.3]])
    adding, taking = strongest_pairs(Similarity(-0.05, ("", ""), (words, words[:2]), parts), 5)
    assert [(p.words, round(p.part, 9), p.times) for p in adding] == [
        (("The", "The"), 0.4, 2),
        (("cat", "The"), 0.05, 1),
    ]
    assert [(p.words, round(p.part, 9), p.times) for p in taking] == [(("The", "cat"), -0.5, 2)]


def test_parts_that_are_all_alike_are_not_shown_as_strong():
    np.testing.assert_allclose(as_given(np.full((2, 5), -0.1)), np.full((2, 5), -1 / 3), rtol=1e-5)
    np.testing.assert_array_equal(as_given(np.zeros((2, 2))), np.zeros((2, 2)))
    assert as_given(np.zeros((0, 3))).shape == (0, 3)


def test_numbers_have_a_true_minus_and_zero_has_none():
    assert [number(x) for x in (0.1234, -0.1236, -0.0004, 0.0)] == ["0.123", "−0.124", "0.000", "0.000"]


def test_a_score_is_read_in_plain_words():
    similarity = made_by_hand("a", "b")
    readings = [reading(Similarity(x, ("a", "b"), similarity.words, np.array([[x]]))) for x in (1, 0.6, 0.3, 0, -0.5)]
    assert readings == ["very much alike", "much alike", "a little alike", "hardly alike", "opposed"]


def test_pairs_that_round_to_zero_are_left_out_of_both_lists():
    similarity = replace(
        made_by_hand("a b c", "d e"), matrix=np.array([[0.4, 0.0006], [0.0004, -0.0004], [-0.0006, -0.3]])
    )
    adding, taking = strongest_pairs(similarity, 8)
    assert [pair.part for pair in adding] == [0.4, 0.0006]
    assert [pair.part for pair in taking] == [-0.3, -0.0006]
    lists = Reader(similar_page(similarity)).text.split("Every pair")[0]
    assert "0.000" not in lists and "0.001" in lists
    nothing = replace(similarity, matrix=np.full((3, 2), -0.0001))
    assert strongest_pairs(nothing, 8) == ([], [])
    assert "take away most" not in Reader(similar_page(nothing)).text
    assert "takes away" not in plain_similarity(nothing)
