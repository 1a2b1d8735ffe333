from __future__ import annotations

import io
import re

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

from heedful.explain.attention.explanation import Word
from heedful.explain.similarity import Similarity
from heedful.show.kit.terminal import effect_style, within_cells
from heedful.show.kit.text.numbers import number
from heedful.show.similarity.terminal import shaded_text, similar_view
from heedful.show.similarity.view import side_of

EVIL = "great \x1b[31mred\x1b[0m \x07bell \x9b2J\x00 \u202eright [bold]markup[/bold] [/nothing] \ud83d"


def made_by_hand(first: str, second: str, *, seed: int = 0) -> Similarity:
    words = tuple(
        tuple(Word(m.group(), m.start(), m.end(), True) for m in re.finditer(r"\S+", text)) for text in (first, second)
    )
    shape = (len(words[0]), len(words[1]))
    parts = np.random.default_rng(seed).normal(size=shape) / max(1, np.prod(shape))
    return Similarity(float(parts.sum()), (first, second), (words[0], words[1]), parts)


def printed(similarity: Similarity, *, width: int = 80, colours: bool = False) -> str:
    file = io.StringIO()
    console = Console(file=file, force_terminal=colours, color_system="truecolor" if colours else None, width=width)
    console.print(similar_view(similarity, width=width))
    return file.getvalue()


def grid_of(shown: str) -> list[list[float]]:
    """Return the numbers of the grid, its sums included."""
    lines = shown.split("Every pair\n")[1].partition("\n\n")[0].splitlines()[1:]
    return [[float(x.replace("−", "-")) for x in re.findall(r"−?\d\.\d{3}", line)] for line in lines]


def test_escape_characters_and_markup_of_a_text_do_not_reach_the_terminal():
    similarity = made_by_hand(EVIL, EVIL)
    shown = printed(similarity)
    for c in "\x1b\x07\x9b\x00\u202e\ud83d":
        assert c not in shown
    assert "[bold]markup[/bold] [/nothing]" in shown
    assert "\x1b[31m" not in printed(similarity, colours=True)


def test_the_similarity_and_its_reading_come_first():
    similarity = made_by_hand("one two", "three four")
    first = printed(similarity).splitlines()[0]
    assert first.startswith(f"Similarity {number(similarity.score)}: ") and "alike" in first


def test_the_whole_of_both_texts_is_shown():
    similarity = made_by_hand("The parcel,\n\twas great", "未知 שלום")
    assert [shaded_text(side_of(similarity, side)).plain for side in (0, 1)] == list(similarity.texts)


def test_words_that_take_away_are_underlined():
    words = ((Word("up", 0, 2, True), Word("down", 3, 7, True), Word("so", 8, 10, True)), (Word("x", 0, 1, True),))
    similarity = Similarity(0.2, ("up down so", "x"), words, np.array([[0.7], [-0.5], [0.01]]))
    styles = {span.start: span.style for span in shaded_text(side_of(similarity, 0)).spans}
    assert styles[0].bgcolor and not styles[0].underline
    assert styles[3].bgcolor and styles[3].underline
    assert 8 not in styles or not styles[8].bgcolor
    assert effect_style(0.9).bgcolor != effect_style(-0.9).bgcolor


def test_the_strongest_pairs_are_named_with_their_part():
    similarity = made_by_hand("alpha beta gamma", "delta epsilon")
    one, two, part = similarity.top(1)[0]
    assert re.search(rf"^  {one} +{two} +{number(part)}  █+", printed(similarity), re.M)
    assert "take away most" in printed(similarity)


def test_a_grid_that_fits_is_whole():
    similarity = made_by_hand("alpha beta gamma", "delta epsilon zeta")
    found = np.array(grid_of(printed(similarity)))
    np.testing.assert_allclose(found[:-1, :-1], similarity.matrix, atol=0.5e-3)
    np.testing.assert_allclose(found[:-1, -1], similarity.by_word[0], atol=0.5e-3)
    np.testing.assert_allclose(found[-1, :-1], similarity.by_word[1], atol=0.5e-3)
    assert found[-1, -1] == pytest.approx(similarity.score, abs=0.5e-3)
    assert "Other words" not in printed(similarity)


@pytest.mark.parametrize("width", [60, 80, 200])
def test_of_long_texts_the_strongest_words_are_shown_and_the_rest_is_told(width):
    similarity = made_by_hand(" ".join(f"a{i}" for i in range(90)), " ".join(f"b{i}" for i in range(70)))
    shown = printed(similarity, width=width)
    assert max(map(cell_len, shown.splitlines())) <= width
    found = np.array(grid_of(shown))
    assert len(found) < 30
    assert found[:-1, :-1].sum() == pytest.approx(similarity.score, abs=found.size * 0.5e-3)
    told = re.search(r"(\d+) of the first text, which add up to (−?\d\.\d+)", " ".join(shown.split()))
    assert int(told[1]) + len(found) - 2 == 90
    assert float(told[2].replace("−", "-")) == pytest.approx(found[-2, -1], abs=1e-9)


def test_a_narrow_terminal_has_no_grid():
    shown = printed(made_by_hand("alpha beta", "gamma delta"), width=30)
    assert "Every pair" not in shown and "add most" in shown


def test_a_word_is_shortened_by_what_it_takes_on_the_screen():
    assert [within_cells(word, 6) for word in ("short", "longer", "longest", "未知未知")] == [
        "short",
        "longer",
        "longe…",
        "未知…",
    ]
    assert within_cells("a\x1bb", 6) == "a�b"


@pytest.mark.parametrize(("first", "second"), [("", ""), ("", "a b"), ("a", " ")])
def test_a_text_without_words_is_told(first, second):
    shown = printed(made_by_hand(first, second))
    assert "a text has no words" in shown and "(empty)" in shown and "Every pair" not in shown


def test_what_was_cut_off_is_told():
    full = made_by_hand("read this not that", "x")
    cut = Similarity(0.0, full.texts, (full.words[0][:2], full.words[1]), np.zeros((2, 1)))
    assert "read this not that (not read)" in printed(cut)
