from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.show.heatmaps.view import Row
from heedful.show.kit.text.bidi import direction, mirrored, ordered
from heedful.show.kit.text.folding import Fold, stretches
from heedful.show.kit.text.fonts import EMOJI, typeface
from heedful.show.kit.text.text_width import advance, fitted, wrapped


def in_order(pieces, base):
    return [pieces[i] for i, _ in ordered(pieces, base)]


def test_the_first_letter_gives_the_direction():
    assert direction("12 שלום abc") == "rtl" and direction("(a) שלום") == "ltr" and direction("123") == "ltr"
    assert direction("سلام") == "rtl"


def test_words_of_one_direction_keep_or_turn_their_order():
    assert in_order(list("abc"), "ltr") == list("abc")
    assert in_order(list("אבג"), "rtl") == list("גבא")


def test_a_run_of_the_other_direction_is_turned_inside_the_line():
    assert in_order(["a", " ", "א", " ", "ב", " ", "c"], "ltr") == ["a", " ", "ב", " ", "א", " ", "c"]
    assert in_order(["א", " ", "a", " ", "b", " ", "ג"], "rtl") == ["ג", " ", "a", " ", "b", " ", "א"]


def test_numbers_go_with_the_letters_before_them():
    assert in_order(["א", " ", "10", " ", "20"], "ltr") == ["20", " ", "10", " ", "א"]
    assert in_order(["a", " ", "10", " ", "20", " ", "א"], "ltr") == ["a", " ", "10", " ", "20", " ", "א"]


def test_marks_at_the_end_of_a_line_go_with_the_line():
    assert in_order(["a", " ", "א", "!"], "ltr") == ["a", " ", "א", "!"]
    assert in_order(["א", " ", "a", "!"], "rtl") == ["!", "a", " ", "א"]


def test_brackets_are_turned_where_the_text_runs_from_the_right():
    assert mirrored("(") == ")" and mirrored("!)") == "(!"


@given(st.lists(st.sampled_from(["a", "א", "1", " ", "("])), st.sampled_from(["ltr", "rtl"]))
def test_every_piece_has_one_place(pieces, base):
    assert sorted(i for i, _ in ordered(pieces, base)) == list(range(len(pieces)))


def test_marks_take_no_room_and_joined_emoji_take_that_of_one():
    assert advance("e\u0301") == advance("e") == advance("é")
    assert advance("👩\u200d👩\u200d👧") == advance("👩") == advance("👍🏽") == 1.25
    assert advance("🇩🇪") == 1.25 and advance("❤\ufe0f") == 1.25
    assert advance("未知") == 2 and advance("") == 0
    assert advance("mmm") > advance("nnn") > advance("iii")


@given(st.text(max_size=200), st.floats(2, 30))
def test_a_fitted_text_fits(text, width):
    assert advance(fitted(text, width)) <= width or len(fitted(text, width)) <= 12  # one letter with all its marks


def test_wrapped_lines_fit_and_lose_nothing():
    said = "Attention is where the model looked: it has no sign and belongs to no label. " * 3
    lines = wrapped(said, 20)
    assert " ".join(lines) == said.strip() and max(map(advance, lines)) <= 20


def test_fonts_are_named_by_script():
    assert typeface("plain naïve Ελληνικά") == ""
    assert "Noto Sans Arabic" in typeface("سلام") and "CJK SC" in typeface("未知") and "CJK JP" in typeface("かな")
    assert typeface("👍🏽").startswith(EMOJI) and "'Noto Sans Devanagari'" in typeface("नमस्ते")


def row(shades):
    return Row("", "", np.zeros(len(shades)), np.array(shades, np.float32))


def test_a_short_text_is_one_stretch():
    (only,) = stretches([row([0.0] * 5)], Fold(short=5, strongest=1, around=1, least=1))
    assert (only.first, only.end, only.is_shown) == (0, 5, True)


def test_a_long_text_is_shown_around_the_strongest_of_every_row():
    first, second = [0.0] * 100, [0.0] * 100
    first[20], second[60] = 1.0, -1.0
    found = stretches([row(first), row(second)], Fold(short=50, strongest=2, around=2, least=3))
    assert [(s.first, s.end, s.is_shown) for s in found] == [
        (0, 18, False), (18, 23, True), (23, 58, False), (58, 63, True), (63, 100, False),
    ]  # fmt: skip


def test_a_few_words_between_two_stretches_are_not_folded_away():
    shades = [0.0] * 30
    shades[10] = shades[17] = 1.0
    found = stretches([row(shades)], Fold(short=5, strongest=2, around=2, least=3))
    assert [(s.first, s.end) for s in found if s.is_shown] == [(8, 20)]


@pytest.mark.parametrize("n", [6, 50, 1000])
def test_stretches_cover_every_word_once(n):
    shades = np.random.default_rng(n).random(n).tolist()
    found = stretches([row(shades)], Fold(short=5, strongest=9, around=2, least=3))
    assert [i for s in found for i in range(s.first, s.end)] == list(range(n))
