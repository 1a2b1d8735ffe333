from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console

from heedful.explain.attention.explanation import INTEGRATED, LEAVE_ONE_OUT, Explanation, Word
from heedful.show.heatmaps.terminal import effect_map, heatmap, plain
from heedful.show.kit.svg.shades import relative
from heedful.show.kit.terminal import INK, PAPER, RUST, VIOLET
from heedful.show.kit.text.sanitise import visible

EVIL = "great \x1b[31mred\x1b[0m \x07bell \x9b2J\x00 \u202eright [bold]markup[/bold] [/nothing] \ud83d"


@pytest.fixture(params=["words", "subwords"])
def evil(request, tiny_model, subword_model):
    return (tiny_model if request.param == "words" else subword_model).explain(EVIL)


def printed(what: object, *, colours: bool) -> str:
    file = io.StringIO()
    console = Console(file=file, force_terminal=colours, color_system="truecolor" if colours else None, width=200)
    console.print(what, markup=False, highlight=False)
    return file.getvalue()


def test_escape_characters_of_a_text_do_not_reach_the_terminal(evil):
    assert "\x1b[31m" in evil.text
    for hop in (None, 0, 1, 2):
        text = heatmap(evil, hop=hop)
        for c in "\x1b\x07\x9b\x00\u202e\ud83d":
            assert c not in text.plain
        assert "\x1b" not in printed(text, colours=False)
        assert "\x1b[31m" not in printed(text, colours=True)


def test_escape_characters_of_words_and_labels_do_not_reach_plain_output(evil):
    words, label = (Word("a\x1b[2Jb", 0, 6, True),), "l\x1b\x9b"
    hostile = Explanation("a\x1b[2Jb", words, np.ones((1, 1), np.float32), label, {label: 1.0}, 6)
    for explanation in (evil, hostile):
        assert all(c.isprintable() for c in plain(explanation))
        assert str(explanation) == plain(explanation)


def test_square_brackets_are_text_and_not_markup(evil):
    assert "[bold]markup[/bold] [/nothing]" in printed(heatmap(evil), colours=False)


def test_the_whole_text_is_shown_once(tiny_model):
    text = "The parcel,\n\twas great - " + "very " * 1000 + "good"
    assert len(tiny_model.explain(text).words) == 1000, "nothing is cut: the test would not show the rest"
    assert heatmap(tiny_model.explain(text)).plain == text


def test_the_word_with_the_largest_weight_is_the_darkest(tiny_model):
    explanation = tiny_model.explain("the parcel was great")
    shades = relative(explanation.weights[1])
    styles = {span.start: span.style for span in heatmap(explanation, hop=1).spans}
    assert shades.argmax() == explanation.weights[1].argmax()
    for other, share in zip(explanation.words, shades, strict=True):
        if share >= 0.08:
            ground = [round(p + (i - p) * float(share)) for p, i in zip(PAPER, VIOLET, strict=True)]
            np.testing.assert_allclose(list(styles[other.start].bgcolor.triplet), ground, atol=1)


def test_plain_names_the_label_and_the_largest_weights():
    words = (Word("one", 0, 3, True), Word("two", 4, 7, True))
    explanation = Explanation("one two", words, np.array([[0.2, 0.8], [0.4, 0.6]], np.float32), "yes", {"yes": 0.9}, 7)
    assert plain(explanation) == "yes (0.90)  read: two 0.70, one 0.30"
    assert plain(explanation, top=1) == "yes (0.90)  read: two 0.70"


def by_hand(effects):
    words = (Word("one", 0, 3, True), Word("two", 4, 7, True))
    weights = np.array([[0.3, 0.7]], np.float32)
    return Explanation("one two", words, weights, "yes", {"yes": 0.9, "no": 0.1}, 7, effects, "no")


def test_plain_names_what_speaks_for_and_against_the_label_asked_about():
    shown = plain(by_hand({LEAVE_ONE_OUT: np.array([-0.25, 0.5])}))
    assert shown == "yes (0.90)  read: two 0.70, one 0.30  for no: two +0.50  against no: one −0.25"
    assert plain(by_hand({LEAVE_ONE_OUT: np.array([np.nan, 0.5])})).endswith("for no: two +0.50")
    assert plain(by_hand({LEAVE_ONE_OUT: np.array([-0.004, 0.004])})).endswith("one 0.30"), "nothing but zeros"


def test_words_for_a_label_are_blue_and_words_against_it_rust_and_underlined():
    styles = {s.start: s.style for s in effect_map(by_hand({INTEGRATED: np.array([-2.0, 1.0])}), INTEGRATED).spans}
    assert tuple(styles[0].bgcolor.triplet) == RUST and styles[0].underline
    half = [round((p + f) / 2) for p, f in zip(PAPER, INK, strict=True)]
    np.testing.assert_allclose(list(styles[4].bgcolor.triplet), half, atol=1)
    assert not styles[4].underline


def test_of_what_was_not_read_only_the_beginning_is_shown():
    words = (Word("one", 0, 3, True),)
    cut = Explanation("one" + "x" * 1000, words, np.ones((1, 1), np.float32), "yes", {"yes": 1.0}, 3)
    assert heatmap(cut).plain == "one" + "x" * 300 + "… (not read)"


def test_a_text_without_words_read_nothing(tiny_model):
    empty = tiny_model.explain("")
    assert plain(empty).endswith("no word adds 0.01 or more")
    assert plain(replace(empty, contributions=None)).endswith("read: nothing")
    assert heatmap(tiny_model.explain("  ")).plain == "  "


def test_weights_that_are_all_alike_are_not_shown_as_strong_attention():
    np.testing.assert_allclose(relative(np.full(10, 0.1, np.float32)), np.full(10, 1 / 3), rtol=1e-5)
    assert relative(np.array([0.91, *[0.01] * 9], np.float32)).max() == 1.0


def test_relative_of_nothing_and_of_zeros_is_finite():
    assert relative(np.zeros(0, np.float32)).shape == (0,)
    np.testing.assert_array_equal(relative(np.zeros(2, np.float32)), [0, 0])
    np.testing.assert_allclose(relative(np.array([1, 4, 2], np.float32)), [0.25, 1, 0.5])


def test_visible_keeps_line_breaks_and_every_script():
    assert visible("naïve 未知 🙂\n\tשלום") == "naïve 未知 🙂\n\tשלום"
