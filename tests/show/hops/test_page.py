from __future__ import annotations

import io
import re

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console
from tests.page_reader import Reader

from heedful.explain.hops.atlas import Hop, HopAtlas, HopLabel, HopWord, Shares, Sighting
from heedful.show.hops.page import MOST_LABELS, hops_page
from heedful.show.hops.terminal import hops_view
from heedful.show.hops.view import lift_shade, mark_of

EVIL = (
    "<script>alert(1)</script>", "\"onfocus='alert(1)", "</style><img src=x>", "&amp;", "\x1b[31m", "a\x00b",
    "\u202eevil", "[bold]x[/bold]", "javascript:alert(1)", "\ud83d", "' onload='x", "--></td></table>",
    "w" * 5000, "𝒜\u0301", "متن",
)  # fmt: skip
OURS = {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "span", "section", "div", "strong", "table",
    "thead", "tbody", "tr", "th", "td", "b", "a", "nav", "ol", "ul", "li", "details", "summary", "dl", "dt", "dd",
    "small", "mark", "code",
}  # fmt: skip


def place(words, at):
    text = " ".join(words)
    ends = np.cumsum([len(word) + 1 for word in words]) - 1
    spans = tuple((int(end) - len(word), int(end)) for word, end in zip(words, ends, strict=True))
    weights = tuple(0.6 if i == at else 0.4 / len(words) for i in range(len(words)))
    return Sighting(text, spans, weights, at, 2 * len(words), True, False)


def made_by_hand(words=("good", "bad", "cake"), *, n_hops=3, labels=("yes", "no"), states=None, likeness=None, **more):
    """Return an atlas in which every hop reads these words, less and less."""
    n = len(words)
    found = [
        HopWord(word, n + 1.5 - i, 0.25, 10 + i, i != 1, (place(words, i), place(words[::-1], n - 1 - i)))
        for i, word in enumerate(words)
    ]
    by_label = tuple(HopLabel(label, 20 - i, 0.4, tuple(found[:2])) for i, label in enumerate(labels))
    states = states or ["alive"] * n_hops
    shares = Shares(0.8, 0.15, 0.05, 0.2, 0.1)
    hops = tuple(Hop(i + 1, 0.1 * i, states[i], shares, tuple(found), by_label) for i in range(n_hops))
    lifts = np.arange(n_hops * n, dtype=float).reshape(n_hops, n) / 2 + 0.5
    values = {"model": "m", "file": "f.csv", "task": "classify", "n_texts": 1234, "n_words": 56789, **more}
    return HopAtlas(
        labels_are="true", hops=hops, even=shares, likeness=np.eye(n_hops) if likeness is None else likeness,
        map_words=tuple(words), map=lifts, **values,
    )  # fmt: skip


def printed(atlas, width=80):
    out = io.StringIO()
    Console(file=out, width=width, highlight=False).print(hops_view(atlas, width=width))
    return out.getvalue()


@pytest.fixture
def evil():
    return made_by_hand(EVIL, labels=EVIL, model="<b>\x1b", file="<i>\u202e.csv", n_hops=2)


def test_hostile_words_leave_no_tag_and_no_attribute_of_their_own(evil):
    read = Reader(hops_page(evil))
    assert set(read.tags) <= OURS
    assert {name for name, _ in read.attributes} <= {
        "lang", "charset", "http-equiv", "content", "name", "class", "style", "title", "aria-label", "dir", "tabindex",
        "role", "scope", "href", "id",
    }  # fmt: skip
    styles = [value for name, value in read.attributes if name == "style"]
    assert styles and all(re.fullmatch(r"--[wn]:[\d.]+", value) for value in styles)
    assert all(re.fullmatch(r"#hop-\d+", value) for name, value in read.attributes if name == "href")


def test_hostile_words_can_still_be_read(evil):
    shown = "".join(Reader(hops_page(evil)).text)
    assert "<script>alert(1)</script>" in shown and "[bold]x[/bold]" in shown and "متن" in shown
    assert "w" * 100 not in shown


def test_a_page_has_no_control_characters_and_can_be_written(evil):
    source = hops_page(evil)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", source)
    source.encode("utf-8")


def test_a_page_needs_nothing_from_another_host():
    source = hops_page(made_by_hand())
    assert not re.search(r"https?://|<script|<link|@import|url\(|src=", source)
    assert "default-src 'none'" in source


def test_every_link_has_its_card():
    source = hops_page(made_by_hand(n_hops=30))
    links, cards = set(re.findall(r'href="#(hop-\d+)"', source)), re.findall(r'id="(hop-\d+)"', source)
    assert len(cards) == 30 == len(set(cards)) and links == set(cards)


def test_the_map_has_every_number_and_the_largest_is_strongest():
    atlas = made_by_hand()
    table = re.search(r'<table class="grid.*?<tbody>(.*?)</tbody>', hops_page(atlas), re.DOTALL).group(1)
    cells = re.findall(r'--w:([\d.]+)".*?<b>×([\d.]+)</b>', table)
    assert [float(number) for _, number in cells] == pytest.approx(atlas.map.ravel().tolist(), abs=0.06)
    shades = [float(shade) for shade, _ in cells]
    assert max(shades) == shades[-1] == 1.0 and shades[:2] == [0.0, 0.0]  # ×0.5 and ×1


def test_shades_are_equal_for_equal_factors_and_weak_lifts_are_never_strong():
    assert lift_shade(4, 16) == pytest.approx(0.5) and lift_shade(0.2, 16) == 0.0 and lift_shade(99, 16) == 1.0
    assert lift_shade(1.2, 1.2) < 0.2


def test_a_card_has_words_figures_places_and_labels():
    source = hops_page(made_by_hand(n_hops=1))
    card = source[source.index('id="hop-1"') :]
    text = "".join(Reader(f"<div {card.split('</section>')[0]}</div>").text)
    for expected in ("good ×4.5", "80 %", "15 %", "10 times", "yes", "0.40", "0.60", "…"):
        assert expected in text, expected
    read = Reader(source)
    mark = read.all("mark")[0]
    assert (mark.text, mark.attributes["style"], mark.attributes["title"]) == ("good", "--w:1.00", "weight 0.600")
    unknown = read.all("li", "chip", "unknown")
    assert unknown and all("unknown to the model" in chip.attributes["title"] for chip in unknown)


def test_what_is_odd_stands_on_page_and_terminal():
    likeness = np.eye(4)
    likeness[0, 2] = likeness[2, 0] = 0.97
    atlas = made_by_hand(n_hops=4, states=["alive", "even", "alive", "last"], likeness=likeness)
    assert [mark_of(atlas, hop) for hop in atlas.hops] == [
        "reads the same as 3", "reads nearly every word alike", "reads the same as 1",
        "reads the last word, whatever the text",
    ]  # fmt: skip
    page, terminal = "".join(Reader(hops_page(atlas)).text), " ".join(printed(atlas, 200).split())
    for shown in (page, terminal):
        assert "Hop 2 reads nearly every word alike." in shown and "Hops 1 and 3 read the same words" in shown
        assert "1 of the 4 hops chooses among words" in shown and "heedful train … --hops 1" in shown
    assert [each.text for each in Reader(hops_page(atlas)).all("code")] == ["heedful train … --hops 1"]


def test_a_model_with_one_hop_has_no_index_and_no_advice():
    atlas = made_by_hand(n_hops=1, states=["even"])
    source = hops_page(atlas)
    assert "What the one hop of m reads" in source and "<nav" not in source and "How alike" not in source
    assert "This model has one hop; it reads nearly every word alike." in source and "--hops" not in source
    assert "This model has one hop; it reads nearly every word alike." in printed(atlas)


def test_many_labels_are_cut_and_it_is_said():
    source = hops_page(made_by_hand(labels=[f"label {i}" for i in range(40)], n_hops=1))
    assert f"the {MOST_LABELS} most frequent of 40" in source
    assert "label 11<" in source and "label 12<" not in source


def test_a_hop_without_words_and_an_empty_map_are_said():
    atlas = made_by_hand((), labels=(), n_hops=2)
    source = hops_page(atlas)
    assert "No word stands out" in source and "nothing to map" in source and "By label" not in source
    assert "no word stands out" in printed(atlas)


@pytest.mark.parametrize("width", [40, 80, 150])
def test_a_hop_takes_one_line_of_the_terminal(width):
    shown = printed(made_by_hand(("good", "bad", "cake", "日本語の") * 3, n_hops=30), width)
    lines = [line for line in shown.splitlines() if re.match(r" {0,2}\d+ ", line)]
    assert len(lines) == 30 and all(cell_len(line) <= width and "good" in line for line in lines)


def test_hostile_words_do_nothing_in_a_terminal(evil):
    shown = printed(evil, 2000)
    assert "\x1b" not in shown and "\u202e" not in shown and "\x00" not in shown
    assert "[bold]x[/bold]" in shown
