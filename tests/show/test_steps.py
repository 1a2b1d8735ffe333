"""Self-attention step by step, on pages and in a terminal."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console
from tests.page_reader import Reader

import heedful
from heedful.explain.steps.steps import Steps, steps_of
from heedful.explain.steps.two_contexts import compare_word
from heedful.show.contexts.terminal import compare_view
from heedful.show.steps.page import MOST, steps_page
from heedful.show.steps.sentences import (
    ANIMAL,
    equality,
    honest,
    sentences,
    shown_pieces,
    vector,
    worked_division,
    worked_product,
    worked_softmax,
)
from heedful.show.steps.terminal import steps_view

OURS = {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "span", "section", "div", "strong",
    "table", "thead", "tbody", "tfoot", "tr", "th", "td", "i", "b", "code", "var", "sub",
}  # fmt: skip
MINUS = str.maketrans("−", "-")


@pytest.fixture(scope="module")
def tiny():
    return heedful.load("en-tiny", threads=1)


@pytest.fixture(scope="module")
def animal(tiny) -> Steps:
    return steps_of(tiny, ANIMAL, word="it", layer=2, head=3)


@pytest.fixture(scope="module")
def flies(tiny):
    return compare_word(tiny, "time flies like an arrow", "fruit flies like a banana")


def printed(view, width: int) -> str:
    stream = io.StringIO()
    Console(file=stream, width=width, highlight=False).print(view)
    return stream.getvalue()


def test_the_page_goes_through_all_six_steps_in_order(animal):
    read = Reader(steps_page(animal))
    assert set(read.tags) <= OURS
    places = [read.text.index(title) for title, _ in sentences(animal).values()]
    assert len(places) == 6 and places == sorted(places)
    assert "layer 2 of 2, head 3 of 4" in read.text and "softmax(Q Kᵀ / √d" in read.text
    assert equality(animal) in read.text and "only by rounding" in equality(animal)
    assert all(said in read.text for said in honest(animal))


def test_every_weight_is_on_the_page_as_a_number(animal):
    source = steps_page(animal)
    found = re.findall(r'<td class="c"[^>]*><b>(\d\.\d\d)</b>', source)
    n = len(animal.pieces)
    expected = [f"{w:.2f}" for w in animal.matrix.ravel()] + [f"{w:.2f}" for w in animal.looks.reshape(-1, n).ravel()]
    assert n <= MOST and found == expected


def test_the_compared_page_has_both_vectors_and_the_reason(flies):
    read = Reader(flies.to_html())
    assert set(read.tags) <= OURS
    for part in ("The two vectors of “flies”", "Where they part", "Why: what each head looked at", "time", "banana"):
        assert part in read.text
    assert f"{flies.cosine:.3f}" in read.text.translate(MINUS)


@pytest.mark.parametrize(
    "text", ["evil", "السلام عليكم it", "未知 的 词 🙂", "it", "a\x1b[31m\x00b \u202eturned [bold]x[/bold]"]
)
def test_what_others_wrote_is_only_text(tiny, evil_text, text):
    text = evil_text[:300] if text == "evil" else text
    found, both = steps_of(tiny, text), compare_word(tiny, text, f"so {text}")
    for source in (steps_page(found), both.to_html()):
        read = Reader(source)
        assert set(read.tags) <= OURS
        names = {name for name, _ in read.attributes}
        assert not {name for name in names if name.startswith("on")} and not names & {"href", "src"}
        assert not set("\x00\x1b\u202e") & set(source)
    for shown in (printed(steps_view(found, width=90), 90), printed(compare_view(both, width=90), 90)):
        assert not set("\x00\x1b\u202e") & set(shown)
        assert "[bold]" in shown or "[bold]" not in text


@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
def test_a_terminal_of_any_width_has_room(animal, flies, width):
    for view in (steps_view(animal, width=width), compare_view(flies, width=width)):
        lines = printed(view, width).splitlines()
        assert len(lines) > 20 and max(map(cell_len, lines)) <= width


def test_the_terminal_says_what_the_page_says(animal):
    shown = " ".join(printed(steps_view(animal, width=200), 200).split())
    for said in (*(s for pair in sentences(animal).values() for s in pair), *honest(animal), equality(animal)):
        assert " ".join(said.split()) in shown


def test_worked_examples_can_be_checked_with_a_pencil(animal):
    best = int(animal.weights.argmax())
    terms = re.findall(r"\(?(-?[\d.]+)\)? × \(?(-?[\d.]+)\)?", worked_product(animal, n=animal.d_k).translate(MINUS))
    assert len(terms) == animal.d_k
    assert sum(float(a) * float(b) for a, b in terms) == pytest.approx(animal.scores[best], abs=0.2)
    score, scaled = re.findall(r"-?\d+\.\d\d", worked_division(animal).translate(MINUS))
    assert float(score) / 4 == pytest.approx(float(scaled), abs=0.01) and animal.d_k == 16
    *_, power, total, weight = re.findall(r"\d+\.?\d*", worked_softmax(animal))
    assert float(power) / float(total) == pytest.approx(float(weight), abs=0.01)


def test_of_many_words_those_with_most_weight_are_shown_in_reading_order(tiny):
    found = steps_of(tiny, "a b c d e f g h " * 8 + "end", word="end")
    shown = shown_pieces(found.weights, found.at, 10)
    assert len(found.pieces) > MOST and len(shown) == 10
    assert shown == sorted(shown) and found.at in shown
    rest = set(range(len(found.pieces))) - set(shown)
    assert max(found.weights[list(rest)]) <= min(found.weights[i] for i in shown if i != found.at)
    assert f"Showing {MOST} of {len(found.pieces)} words" in steps_page(found)


def test_a_vector_is_cut_with_dots():
    assert vector(np.array([1.0, -0.004, -2.5]), 2) == "1.00  0.00  …"


def test_where_it_looks_is_said_as_it_is(animal):
    said = " ".join(honest(animal))
    names = [piece.text for piece in animal.pieces]
    mean = animal.looks.mean(axis=(0, 1))
    assert f"looks most at “{names[int(mean.argmax())]}”" in said
    rank = int((mean > mean[names.index("animal")]).sum()) + 1
    assert ("most of all" in said) == (rank == 1)
    assert ("never asked what “it” stands for" in said) == (rank > 1)
