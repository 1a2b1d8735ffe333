"""Hits as a page; texts, ids, columns, query and filter come from anywhere."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.page_reader import Reader

from heedful.explain.attention.explanation import Word
from heedful.explain.similarity import Similarity
from heedful.search.hit import Hit
from heedful.search.page import CELL, UNREAD, hits_page
from heedful.show.similarity.view import strongest_pairs

EVIL = (
    "<script>alert(1)</script> <img src=x onerror=alert(1)> \"double\" 'single' &amp; javascript:alert(1) "
    "</span></style><style>@import 'http://evil.example/x.css'</style> \x00<scr\x00ipt> \x1b[31m \u202e "
    '" onfocus="alert(1)" title=\' <!-- --> ]]> \ud83d'
)
OURS = {"html", "head", "meta", "title", "style", "body", "h1", "p", "span", "section", "div", "strong"}
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "class", "style", "title", "aria-hidden", "dir"}


def alike(query: str, text: str) -> Similarity:
    """Return a similarity over runs of non-spaces, with random parts of both signs."""
    words = tuple(
        tuple(Word(m.group(), m.start(), m.end(), i % 3 != 1) for i, m in enumerate(re.finditer(r"\S+", side)))
        for side in (query, text)
    )
    parts = np.random.default_rng(0).normal(size=(len(words[0]), len(words[1])))
    return Similarity(float(parts.sum()), (query, text), (words[0], words[1]), parts)


def page(query: str, *texts: str, where: str | None = None, **columns: object) -> str:
    hits = [Hit(f"id{i} {query}", 0.9 - i / 10, text, columns) for i, text in enumerate(texts)]
    return hits_page(query, hits, [alike(query, text) for text in texts], where=where)


@pytest.fixture
def evil():
    return page(EVIL, EVIL, EVIL[::-1] + EVIL, where=EVIL, **{EVIL: EVIL, "b": 3})


def test_a_hostile_text_leaves_no_tag_attribute_or_reference_of_its_own(evil):
    assert "<script>" in EVIL
    read = Reader(evil)
    assert set(read.tags) <= OURS and {name for name, _ in read.attributes} <= ATTRIBUTES
    styles = [value for name, value in read.attributes if name == "style"]
    assert styles and all(re.fullmatch(r"--w:[\d.]+", value) for value in styles)
    assert "<script" not in evil.lower() and "<img" not in evil.lower()


def test_a_hostile_text_can_still_be_read_and_written(evil):
    assert "<script>alert(1)</script>" in Reader(evil).text and "'single'" in Reader(evil).text
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", evil)
    evil.encode("utf-8")


def test_a_page_needs_nothing_from_another_host():
    source = page("one two", "three four", stars=3)
    assert not re.search(r"https?://|<script|<link|@import|url\(|src=|href=", source)
    assert "default-src 'none'" in source


def test_hits_stand_in_their_order_with_score_id_columns_and_words():
    source = page("late food", "the food came late", "a bus", where="stars > 1", stars=3, lang=None)
    read = Reader(source)
    for said in ("late food", "Only rows where stars > 1", "1. 0.900", "2. 0.800", "id0 late food", "stars=3"):
        assert said in read.text
    assert "lang" not in read.text
    assert read.text.index("the food came late") < read.text.index("a bus")
    (best, *_), _ = strongest_pairs(alike("late food", "the food came late"), 3)
    assert f"{best.words[0]} ~ {best.words[1]}" in read.text


def test_each_word_says_what_it_adds_by_more_than_colour():
    words = ((Word("x", 0, 1, True),), (Word("up", 0, 2, True), Word("down", 3, 7, False)))
    why = Similarity(0.2, ("x", "up down"), words, np.array([[0.7, -0.5]]))
    source = hits_page("x", [Hit("1", 0.2, "up down", {})], [why], by="meaning")
    (up,), (down,) = (Reader(source).all("span", "part", kind) for kind in ("more", "less"))
    assert (up.text, up.attributes["style"], up.attributes["title"]) == ("up", "--w:0.58", "0.700")
    assert (down.text, down.attributes["style"], down.attributes["title"]) == ("down", "--w:0.42", "−0.500")
    assert "unknown" in down.classes and "unknown" not in up.classes
    assert '.less::before { content: "−"' in source
    assert "A dotted line marks" in source and "A dotted line marks" not in page("x", "known")


def test_what_is_long_is_cut():
    words = ((Word("x", 0, 1, True),), (Word("read", 0, 4, True),))
    why = Similarity(0.1, ("x", "read" + " unread" * 10_000), words, np.array([[0.1]]))
    source = hits_page("x", [Hit("1", 0.1, why.texts[1], {"note": "n" * 5_000})], [why])
    (rest,) = Reader(source).all("span", "unread")
    assert rest.attributes["title"] == "not read" and len(rest.text) == UNREAD + 1
    assert source.count(" unread") <= UNREAD // 7 + 5 and "n" * (CELL + 1) not in source


def test_nothing_found_and_an_empty_text_are_said():
    assert "No results." in Reader(page("x", where="stars > 9")).text
    assert "(empty)" in Reader(page("x", " ")).text
