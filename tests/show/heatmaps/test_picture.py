from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import LEAVE_ONE_OUT
from heedful.show.heatmaps.picture import MARGIN, PAD, SIZE, picture
from heedful.show.kit.svg import svg
from heedful.show.kit.text.text_width import advance
from heedful.store.verdict import Verdict

OURS = {"svg", "title", "desc", "rect", "text", "path"}
NAME = "{http://www.w3.org/2000/svg}"


def elements(source):
    return list(ElementTree.fromstring(source).iter())


def texts(source):
    return [e for e in elements(source) if e.tag == f"{NAME}text"]


def shown(source):
    return [e.text for e in texts(source)]


def place(source, word):
    """Return the left edge and the width of a word, where it stands first."""
    found = next(e for e in texts(source) if e.text == word)
    return float(found.get("x")), float(found.get("textLength"))


def test_a_hostile_text_leaves_no_element_and_no_attribute_of_its_own(make, evil_text):
    verdict = Verdict("worse", evil_text)
    source = picture(make(evil_text, label=evil_text, target=evil_text, verdict=verdict, notes=(evil_text,)))
    assert "<script>" in evil_text and "onload" in evil_text
    assert {e.tag.removeprefix(NAME) for e in elements(source)} <= OURS
    names = {name for e in elements(source) for name in e.attrib}
    assert not any(name.startswith("on") or "href" in name or name == "style" for name in names)
    assert not any("evil" in value for e in elements(source) for value in e.attrib.values())
    assert "<script>alert(1)</script>" in shown(source)


def test_a_picture_is_xml_without_control_characters(make, evil_text):
    source = picture(make(evil_text, label=evil_text))
    assert any(c in evil_text for c in "\x00\x1b\ufffe\ud83d\u202e")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff\ud800-\udfff\u202e]", source)
    source.encode("utf-8")


def test_a_picture_needs_nothing_else(make):
    source = picture(make("one two"))
    assert re.findall(r"https?://[^\"]*", source) == ["http://www.w3.org/2000/svg"]
    assert "foreignObject" not in source and "<style" not in source and "<image" not in source


def test_the_answer_its_probability_the_verdict_and_both_heatmaps_are_there(make):
    said = " ".join(filter(None, shown(picture(make("one two", target="other", notes=("A note.",))))))
    for part in (
        "good 0.75",
        "Attention",
        "Leave-one-out for other",
        "The model's answer is a different label",
        "Not audited",
        "A note.",
    ):
        assert part in said
    assert "Leave-one-out" not in " ".join(shown(picture(make("one two", methods=()))))


def test_a_word_stands_on_a_box_of_its_own_width_and_shade(make):
    explanation = replace(make("plus minus", methods=()), effects={LEAVE_ONE_OUT: np.array([0.5, -0.25])})
    source = picture(explanation)
    boxes = [e for e in elements(source) if e.tag == f"{NAME}rect"]
    for word, shade in (("plus", 1.0), ("minus", -0.5)):
        fill = svg.shade_colour(shade, is_signed=True)
        under = [b for b in boxes if b.get("fill") == fill and b.get("height") == "23.0"]
        x, width = place(source, word)
        assert width == pytest.approx(advance(word) * SIZE, abs=0.06)
        assert [float(under[0].get(k)) for k in ("x", "width")] == pytest.approx([x - PAD, width + 2 * PAD], abs=0.11)


def test_words_stay_between_the_margins_and_do_not_overlap(make):
    words = [f"wörd{'x' * (i % 13)}," for i in range(100)]
    for width in (240, 500, 760):
        source = picture(make(" ".join(words), methods=()), width=width)
        lines: dict[float, list[tuple[float, float]]] = {}
        for e in texts(source):
            if e.get("textLength") and e.text in words:
                lines.setdefault(float(e.get("y")), []).append((float(e.get("x")), float(e.get("textLength"))))
        assert len(lines) > 1
        for line in lines.values():
            assert line[0][0] >= MARGIN - 0.1 and sum(line[-1]) <= width - MARGIN + 0.1
            assert all(x + wide < after for (x, wide), (after, _) in pairwise(line))


def test_arabic_runs_from_the_right_and_latin_inside_it_from_the_left(make):
    source = picture(make("واحد اثنان two three أربعة", methods=()))
    x = {word: place(source, word)[0] for word in ("واحد", "اثنان", "two", "three", "أربعة")}
    assert x["واحد"] > x["اثنان"] > x["three"] > x["two"] > x["أربعة"]
    assert x["واحد"] + place(source, "واحد")[1] == pytest.approx(760 - MARGIN, abs=0.2)


def test_a_letter_is_never_parted_from_its_marks(make):
    text = "cafe\u0301 👩\u200d👩\u200d👧 Vie\u0302\u0323t"
    assert set(text.split()) <= set(shown(picture(make(text))))


@pytest.mark.parametrize("even", [False, True])
def test_a_long_text_is_cut_and_says_how_much_is_left_out(make, even):
    source = picture(make(" ".join(f"word{i}" for i in range(10_000)), even=even))
    said = next(text for text in shown(source) if text.startswith("… and "))
    drawn = sum(bool(re.fullmatch(r"word\d+", text)) for text in shown(source)) // 2  # two heatmaps
    assert said == f"… and {10_000 - drawn:,} more words" and 20 < drawn < 300
    assert len(source) < 200_000 and float(elements(source)[0].get("height")) < 1500


def test_a_long_text_shows_its_strongest_word(make):
    explanation = make(" ".join(f"word{i}" for i in range(10_000)), methods=())
    assert explanation.top(1)[0][0] in shown(picture(explanation))


def test_a_word_wider_than_the_picture_is_cut_to_fit(make):
    source = picture(make("a" * 10_000 + " b"))
    (long,) = {text for text in shown(source) if text.startswith("aaa")}
    assert long.endswith("…") and advance(long) * SIZE <= 760 - 2 * MARGIN


def test_a_text_without_words_is_a_picture(make):
    for text in ("", " \n ", "!!!"):
        source = picture(replace(make(""), text=text, read_to=len(text)))
        assert elements(source)[0].tag == f"{NAME}svg"
        assert "good" in " ".join(shown(source))


def test_a_width_that_makes_no_picture_is_refused(make):
    with pytest.raises(HeedfulError, match=r"width is 10, .* from 240 to 10000"):
        picture(make("one"), width=10)
