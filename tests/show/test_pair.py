"""Two texts in a terminal, on a page and in a picture."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from rich.console import Console
from tests.page_reader import Reader

from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import LEAVE_ONE_OUT
from heedful.show.kit.svg.shades import relative
from heedful.store.verdict import Verdict
from heedful.tasks.pair.explanation import PairExplanation
from heedful.tasks.pair.show.page import fragment_of, pair_page
from heedful.tasks.pair.show.picture import pair_picture
from heedful.tasks.pair.show.terminal import pair_view, plain_pair
from heedful.tasks.pair.show.view import view

FIRST, SECOND = "Two women are embracing.", "The men are fighting outside."
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def pair(make):
    def made(first=FIRST, second=SECOND, *, names=("premise", "hypothesis"), methods=(LEAVE_ONE_OUT,), **more):
        return PairExplanation(*(make(text, methods=methods, **more) for text in (first, second)), names)

    return made


def with_effects(explanation, first, second):
    sides = [
        replace(side, effects={LEAVE_ONE_OUT: np.array(values, dtype=float)})
        for side, values in zip(explanation.sides, (first, second), strict=True)
    ]
    return PairExplanation(*sides, explanation.names)


def printed(explanation, *, colours=False, **more):
    file = io.StringIO()
    Console(file=file, force_terminal=colours, color_system="truecolor" if colours else None, width=80).print(
        pair_view(explanation, colours=colours, **more)
    )
    return file.getvalue()


def test_both_texts_and_the_one_answer_are_on_the_page(pair):
    text = Reader(pair_page([pair()])).text
    assert text.count("good") >= 1 and "0.75" in text
    for word in ("premise", "hypothesis", *FIRST.split(), *SECOND.split()):
        assert word in text
    assert len(Reader(pair_page([pair()])).all("p", "verdict")) == 1


def test_a_hostile_text_is_only_text_on_a_page(pair, evil_text):
    verdict = Verdict("worse", evil_text)
    source = pair_page([pair(evil_text, evil_text, label=evil_text, names=(evil_text, evil_text), verdict=verdict)])
    reader = Reader(source)
    assert "script" not in reader.tags and "img" not in reader.tags and "a" not in reader.tags
    assert not any(name.startswith("on") or name in ("href", "src") for name, _ in reader.attributes)
    assert "alert(1)" in reader.text
    assert not re.search("[\x00\x1b\u202e\ud83d]", source)
    assert "<script" not in fragment_of(pair(evil_text, evil_text))


def test_a_hostile_text_is_only_text_in_a_picture(pair, evil_text):
    source = pair_picture(pair(evil_text, evil_text, label=evil_text, names=(evil_text, evil_text)))
    found = list(ElementTree.fromstring(source).iter())
    assert {e.tag.removeprefix(SVG) for e in found} <= {"svg", "title", "desc", "rect", "text", "path", "g"}
    assert not any("evil" in value for e in found for value in e.attrib.values())


def test_the_texts_stand_side_by_side_in_a_picture(pair):
    source = pair_picture(pair(), width=1000)
    root = ElementTree.fromstring(source)
    groups = root.findall(f"{SVG}g")
    assert len(groups) == 2
    for group, words in zip(groups, (FIRST, SECOND), strict=True):
        shown = [e.text for e in group.iter(f"{SVG}text")]
        assert words.split()[1] in shown
    lefts = [float(re.search(r"translate\((\S+) ", g.get("transform"))[1]) for g in groups]
    assert lefts[0] == 0 and 450 < lefts[1] < 550
    right = max(float(e.get("x")) + float(e.get("textLength") or 0) for e in groups[1].iter(f"{SVG}text"))
    assert lefts[1] + right < 1000


def test_a_picture_too_narrow_for_two_texts_is_refused(pair):
    with pytest.raises(HeedfulError, match="width is 300, a picture of two texts is from 480"):
        pair_picture(pair(), width=300)


def test_escape_characters_do_not_reach_the_terminal(pair, evil_text):
    for shown in (printed(pair(evil_text, evil_text), hops=True), plain_pair(pair(evil_text, evil_text))):
        assert not re.search("[\x00\x1b\u202e\ud83d]", shown)


def test_the_terminal_shows_answer_names_texts_and_effects(pair):
    shown = printed(pair(), hops=True)
    assert shown.splitlines()[0] == "good (0.75)"
    assert shown.index("premise:") < shown.index(FIRST) < shown.index("hypothesis:") < shown.index(SECOND)
    assert shown.count("leave-one-out, for good:") == 2
    assert "hop 2:" in shown
    assert str(pair()).startswith("good (0.75)\n  premise, read: ")


def test_effects_of_both_texts_have_one_scale(pair):
    weak, strong = [0.05, 0.0, 0.1, 0.0], [0.4, -0.2, 0.0, 0.0, 0.0]
    drawn = view(with_effects(pair(), weak, strong))
    first, second = (side.rows[1].shades for side in drawn.sides)
    np.testing.assert_allclose(first, np.array(weak) / 0.4, atol=1e-6)
    np.testing.assert_allclose(second, np.array(strong) / 0.4, atol=1e-6)
    for side, own in zip(drawn.sides, pair().sides, strict=True):
        assert np.array_equal(side.rows[0].shades, relative(own.overall)), "weights have a scale in each text"


def test_effects_that_are_all_small_stay_pale(pair):
    drawn = view(with_effects(pair(), [0.005] * 4, [0.01] * 5))
    assert drawn.sides[1].rows[1].shades.max() == pytest.approx(0.2), "0.05 of a probability is the darkest"


def test_a_pair_without_effects_says_so(pair):
    explanation = pair(methods=())
    assert "speaks for" not in pair_page([explanation]) and "leave-one-out" not in printed(explanation)
    assert explanation.to_svg().count("Leave-one-out") == 0


@pytest.mark.parametrize(("first", "second"), [("", ""), ("", "a b"), ("a", " ")])
def test_a_text_without_words_is_shown_as_such(pair, first, second):
    explanation = pair(first, second)
    assert "no words in this text" in printed(explanation)
    assert "(empty)" in Reader(explanation.to_html()).text
    ElementTree.fromstring(explanation.to_svg())


def test_json_has_the_answer_once_and_each_text_with_its_words(pair):
    tree = json.loads(json.dumps(pair().to_dict()))
    assert tree["label"] == "good" and tree["target"] == "good" and "words" not in tree
    assert [side["name"] for side in tree["texts"]] == ["premise", "hypothesis"]
    assert [side["text"] for side in tree["texts"]] == [FIRST, SECOND]
    for side in tree["texts"]:
        assert sum(word["weight"] for word in side["words"]) == pytest.approx(1.0, abs=1e-5)
        assert all("leave_one_out" in word for word in side["words"])


def test_two_answers_are_no_pair(make):
    with pytest.raises(HeedfulError, match="one answer; found two"):
        PairExplanation(make("a b"), make("a b", label="bad"))


def test_the_strongest_words_of_either_text_come_first(pair):
    explanation = with_effects(pair(), [0.1, 0.3, 0, 0], [0.2, -0.5, 0, 0, 0])
    assert explanation.top(2) == [("premise", "women", 0.3), ("hypothesis", "The", 0.2)]


def test_a_number_has_no_label_that_words_speak_for(pair):
    explanation = pair(is_number=True)
    for shown in (Reader(explanation.to_html()).text, explanation.to_svg()):
        assert "how much lower the number is without this word" in shown and "speaks for the label" not in shown
    assert explanation.to_dict()["value"] == 0.75


SUM = {"bias": -0.5, "own": ([0.1, 0.2, 0.3, 0.4], [0.0, -0.4, 0.0, 0.0, 0.0])}


@pytest.fixture
def summed(pair):
    """Return a maker of explanations whose scores are sums: "women" and "men" add 2, "Two" and "The" take away 1."""

    def made(*, methods=(), **more):
        explanation = pair(methods=methods, **more)
        pairs = np.zeros((len(explanation.first.words), len(explanation.second.words)))
        pairs[1, 1], pairs[0, 0] = 2.0, -1.0
        own = [np.array(values) for values in SUM["own"]]
        words = (own[0] + pairs.sum(1) / 2, own[1] + pairs.sum(0) / 2)
        sides = [
            replace(side, contributions=np.stack([values, -values], axis=1))
            for side, values in zip(explanation.sides, words, strict=True)
        ]
        score = SUM["bias"] + sum(values.sum() for values in words)
        return PairExplanation(
            *sides,
            explanation.names,
            bias=np.array([SUM["bias"], -SUM["bias"]]),
            scores=np.array([score, -score]),
            own_contributions=tuple(np.stack([values, -values], axis=1) for values in own),
            pair_contributions=np.stack([pairs, -pairs], axis=2),
        )

    return made


TOTAL = "score +1.10 = bias −0.50 + premise +1.50 + hypothesis +0.10"


def test_a_score_is_shown_as_the_sum_of_both_texts(summed):
    explanation = summed()
    assert TOTAL in printed(explanation) and TOTAL in str(explanation)
    assert TOTAL in Reader(explanation.to_html()).text
    assert TOTAL.replace("−", "–") in "".join(ElementTree.fromstring(explanation.to_svg()).itertext())


def test_contributions_come_first_and_attention_stands_beside_them(summed):
    drawn = view(summed())
    for side, own in zip(drawn.sides, summed().sides, strict=True):
        assert [row.name for row in side.rows] == ["Contributions", "Attention"]
        np.testing.assert_array_equal(side.rows[0].values, own.contributions[:, 0])
        assert "half of each of its pairs" in side.rows[0].about
    assert drawn.sides[0].rows[0].shades[1] == pytest.approx(1.0), "women is the strongest of both texts"
    assert drawn.sides[1].rows[0].shades[1] == pytest.approx(0.5), "and men half as strong, on the same scale"
    checked = view(summed(methods=(LEAVE_ONE_OUT,))).sides[0].rows
    assert checked[2].about.endswith("the other text staying whole")


def test_the_strongest_pairs_of_words_are_a_table(summed):
    explanation = summed()
    text = Reader(explanation.to_html()).text
    for shown in (text, printed(explanation), printed(explanation, colours=True)):
        assert "Pairs of words that add most" in shown and "Pairs that take away most" in shown
        assert "2.000" in shown and "−1.000" in shown
    assert "Pairs of words add +1.00 in all, words by themselves +0.60." in text
    assert "pairs that add: women ~ men 2.000" in str(explanation)
    assert "women ~ men" in explanation.to_svg()
    assert explanation.top_pairs(1) == [("women", "men", 2.0)]


def test_the_page_says_whether_the_answer_is_a_sum(pair, summed):
    sentence = "The answer of this model is not a sum over words."
    assert sentence in Reader(pair().to_html()).text and sentence in printed(pair())
    assert sentence in Reader(pair(methods=()).to_html()).text
    text = Reader(summed().to_html()).text
    assert sentence not in text and "plus the contributions of all words of both texts, exactly" in text
    assert sentence not in printed(summed())


def test_another_label_has_its_own_sum(summed):
    explanation = summed(target="other")
    assert TOTAL.translate(str.maketrans("+−", "−+")).replace("− ", "+ ") in printed(explanation)
    assert "The model's answer is a different label: good." in Reader(explanation.to_html()).text
    assert explanation.top_pairs(1) == [("Two", "The", 1.0)]


def test_hostile_names_and_words_are_only_text_in_a_sum(summed, evil_text):
    explanation = summed(names=(evil_text, evil_text), label=evil_text)
    reader = Reader(explanation.to_html())
    assert "script" not in reader.tags and "img" not in reader.tags and "a" not in reader.tags
    ElementTree.fromstring(explanation.to_svg())
    for shown in (printed(explanation), str(explanation)):
        assert not re.search("[\x00\x1b\u202e\ud83d]", shown)


def test_pairs_that_are_left_out_have_no_table(summed):
    explanation = replace(summed(), pair_contributions=None)
    text = Reader(explanation.to_html()).text
    assert TOTAL in text and "Pairs of words that add most" not in text
    assert explanation.top_pairs() == [] and TOTAL in printed(explanation)


def test_a_number_that_is_a_sum_has_its_own_name(summed):
    explanation = summed(is_number=True)
    text = Reader(explanation.to_html()).text
    assert "good +1.10 = bias −0.50" in text and "The number is the bias plus the contributions" in text
