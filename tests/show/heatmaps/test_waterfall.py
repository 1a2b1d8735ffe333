from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.page_reader import Reader

from heedful.explain.attention.explanation import Explanation, Word
from heedful.show.heatmaps.page import page
from heedful.show.heatmaps.picture import picture
from heedful.show.heatmaps.view import view
from heedful.show.heatmaps.waterfall import waterfall

YES = (3.0, -1.0, 0.5, -0.5)
BIAS = (-1.0, 0.25)


def made(text: str, contributions: list[float], bias: float = -1.0, **more) -> Explanation:
    """Return an explanation whose second label gets the opposite of each contribution."""
    words = tuple(Word(m.group(), m.start(), m.end(), True) for m in re.finditer(r"\S+", text))
    both = np.array([contributions, [-each for each in contributions]]).T.reshape(-1, 2)
    biases = np.array([bias, 0.25])
    scores = biases + both.sum(axis=0)
    powers = np.exp(scores - scores.max())
    probabilities = dict(zip(("yes", "no"), (powers / powers.sum()).tolist(), strict=True))
    weights = np.full((1, len(words)), 1 / max(1, len(words)), np.float32)
    values = {"probabilities": probabilities, "contributions": both, "bias": biases, "scores": scores, **more}
    return Explanation(text, words, weights, "yes", read_to=len(text), **values)


def four() -> Explanation:
    return made("up down more less", list(YES))


def shown(explanation: Explanation, label: str | None = None) -> list[tuple[str, str]]:
    return [(bar.name, bar.number) for bar in waterfall(explanation, label).bars]


def test_bars_go_from_the_bias_through_the_words_to_the_score():
    assert shown(four()) == [
        ("bias", "−1.00"),
        ("up", "+3.00"),
        ("down", "−1.00"),
        ("more", "+0.50"),
        ("less", "−0.50"),
        ("score", "+1.00"),
    ]
    assert [bar.sign for bar in waterfall(four()).bars] == ["", "for", "against", "for", "against", ""]


def test_each_bar_starts_where_the_one_before_ends():
    fall = waterfall(four())
    # From -1 to 2: the sums are -1, 2, 1, 1.5, 1.
    ends = [(1 / 3, 0), (0, 1), (1, 2 / 3), (2 / 3, 5 / 6), (5 / 6, 2 / 3), (1 / 3, 2 / 3)]
    np.testing.assert_allclose([(bar.start, bar.end) for bar in fall.bars], ends, atol=1e-12)
    assert all(a.end == b.start for a, b in pairwise(fall.bars[:-1]))
    assert fall.bars[-2].end == pytest.approx(fall.bars[-1].end)
    assert fall.zero == pytest.approx(100 / 3, abs=0.01)
    assert [(bar.left, bar.width) for bar in fall.bars[:2]] == [(0, 33.33), (0, 100)]


def test_another_label_has_its_own_sum():
    assert shown(four(), "no")[0] == ("bias", "+0.25")
    assert shown(four(), "no")[-1] == ("score", "−1.75")
    assert shown(replace(four(), target="no")) == shown(four(), "no")


def test_words_beyond_the_eight_strongest_are_one_bar():
    values = [float(i) for i in range(1, 13)]
    fall = waterfall(made(" ".join(f"w{i}" for i in range(1, 13)), values))
    names = [bar.name for bar in fall.bars]
    assert names == ["bias", *(f"w{i}" for i in range(12, 4, -1)), "4 other words", "score"]
    assert fall.bars[-2].value == 1 + 2 + 3 + 4
    assert sum(bar.value for bar in fall.bars[:-1]) == pytest.approx(fall.bars[-1].value)
    nine = waterfall(made(" ".join(f"w{i}" for i in range(1, 10)), values[:9]))
    assert [bar.name for bar in nine.bars][-2] == "w1", "a single other word has a bar of its own"


def test_a_word_that_occurs_several_times_is_one_bar():
    fall = waterfall(made("Late late ? LATE on", [1.0, 0.5, 0.25, 0.5, -0.75]))
    assert [(bar.name, bar.times, bar.value, bar.words) for bar in fall.bars[1:-1]] == [
        ("Late", 3, 2.0, (0, 1, 3)),
        ("on", 1, -0.75, (4,)),
        ("“?”", 1, 0.25, (2,)),
    ]


def test_atoms_of_one_element_have_bars_of_their_own():
    fall = waterfall(made("C C O", [1.0, 0.5, 0.25], kind="molecule"))
    assert [(bar.name, bar.words) for bar in fall.bars[1:-1]] == [("C", (0,)), ("C", (1,)), ("O", (2,))]
    assert fall.about.startswith("bias + atoms = score")


def test_the_probability_follows_from_the_scores():
    fall = waterfall(four())
    assert fall.result == f"probability {four().probabilities['yes']:.2f}"
    assert fall.account == "The probability is the softmax of the scores of all 2 labels."
    scores = four().scores
    each = dict(zip(("yes", "no"), (1 / (1 + np.exp(-scores))).tolist(), strict=True))
    assert waterfall(replace(four(), probabilities=each)).account == "The probability is the sigmoid of the score."


def test_a_number_has_no_probability_and_zero_may_be_far_away():
    number = made("up down", [3.0, -1.0], bias=1000.0, is_number=True)
    fall = waterfall(number)
    assert (fall.about, fall.result, fall.account) == ("bias + words = number", "", "")
    assert shown(number)[-1] == ("number", "+1002.00")
    assert fall.zero is None
    assert [bar.width for bar in (fall.bars[0], fall.bars[-1])] == [0, 0], "marks, not bars"
    assert fall.bars[1].width > 50
    assert waterfall(made("up down", [3.0, -1.0], bias=4.0, is_number=True)).zero == 0


@pytest.mark.parametrize("bias", [-1.0, 0.0, 2.0])
def test_a_text_without_words_is_its_bias(bias):
    fall = waterfall(made("", [], bias=bias))
    assert [bar.kind for bar in fall.bars] == ["bias", "total"]
    assert all(0 <= bar.left <= bar.left + bar.width <= 100 for bar in fall.bars)


def test_without_contributions_there_is_no_waterfall(make):
    assert waterfall(make("one two")) is None
    assert view(make("one two")).waterfall is None
    assert "waterfall" not in page([make("one two")]).split("</style>")[1]


@pytest.mark.parametrize("text", ["the parcel was great and the best", "slow", "", "😀 " * 40 + "great " * 30])
def test_the_bars_of_a_model_sum_to_its_score(tiny_model, text):
    explanation = tiny_model.explain(text)
    for label, score in zip(explanation.labels, explanation.scores, strict=True):
        bars = waterfall(explanation, label).bars
        assert sum(bar.value for bar in bars[:-1]) == pytest.approx(float(score), abs=1e-5)
        assert bars[-1].value == float(score)
        assert all(-1e-9 <= end <= 1 + 1e-9 for bar in bars for end in (bar.start, bar.end))


def test_the_page_has_the_waterfall_beside_the_contributions():
    read = Reader(page([four()]))
    rows = [row.text.split() for row in read.all("tr", "word")]
    assert rows == [["up", "+3.00"], ["down", "−1.00"], ["more", "+0.50"], ["less", "−0.50"]]
    assert [row.text.split() for row in read.all("tr", "total")] == [["score", "+1.00"]]
    assert [each.text for each in read.all("p", "result")] == ["→ " + waterfall(four()).result]
    steps = read.all("span", "step")
    assert [each.attributes["style"] for each in steps][:2] == ["left:0.0%;width:33.33%", "left:0.0%;width:100.0%"]
    assert "Score of yes" in read.text


def test_a_hostile_word_is_only_text_in_the_waterfall(evil_text):
    words = evil_text.split()
    hostile = made(" ".join(words), list(np.linspace(1, 2, len(words))))
    source = page([hostile])
    assert "<script" not in source and "<img" not in source
    assert {row.tag for row in Reader(source).all("tr", "word")} == {"tr"}
    ElementTree.fromstring(picture(hostile))


@pytest.mark.parametrize("width", [240, 760])
def test_the_picture_has_the_waterfall_and_stays_within_its_width(width):
    source = picture(made("up down more " + "long" * 50, list(YES)), width=width)
    elements = list(ElementTree.fromstring(source).iter())
    texts = [each.text for each in elements if each.tag.endswith("text")]
    assert {"Score of yes", "bias", "up", "+3.00", "–1.00", "score"} <= set(texts)
    boxes = [each for each in elements if each.tag.endswith("rect")]
    assert all(float(box.get("x", 0)) + float(box.get("width")) <= width for box in boxes)


@pytest.mark.parametrize("word", ["ความประทับใจอย่างยิ่ง", "배송이배송이", "บริการบริการ", "Schifffahrtsgesellschaft"])
def test_the_longest_name_beside_the_bars_is_whole_in_a_picture(word):
    names = [text.text for text in ElementTree.fromstring(picture(made(f"a {word}", [1.0, 2.0]))).iter()]
    assert names.count(word) == 3, "in the text, twice, and beside its bar"


def test_a_name_that_is_wider_than_its_room_is_cut_in_a_picture():
    names = [text.text or "" for text in ElementTree.fromstring(picture(made("w" * 40, [1.0]), width=300)).iter()]
    assert any(name.startswith("www") and name.endswith("…") for name in names)
