"""Where a translator looked, as values and as something to look at."""

import numpy as np
import pytest
from tests.page_reader import Reader

from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import Word
from heedful.explain.attention.model_input import Reading
from heedful.tasks.translate.explain import Alignment, _folded
from heedful.tasks.translate.show.page import alignment_page

FOUND = Alignment(
    text="one <two>",
    translation="zwei eins.",
    score=-0.5,
    source=("one", "<", "two", ">"),
    target=("zwei", "eins", "."),
    weights=np.array([[0.1, 0.0, 0.9, 0.0], [0.8, 0.0, 0.2, 0.0], [0.25, 0.25, 0.25, 0.25]]),
    read_to=9,
)
EMPTY = Alignment("", "", 0.0, (), (), np.zeros((0, 0)), 0)


def test_pieces_are_folded_by_sum_over_the_text_and_by_mean_over_the_translation():
    words = tuple(Word(text, 0, 0, True) for text in ("a", "b"))
    reading = Reading("a b", np.array([3, 4, 5], dtype=np.int32), words, np.array([1, 2]), 3)
    pieces = np.array([[0.2, 0.3, 0.5], [0.6, 0.1, 0.3], [1.0, 0.0, 0.0]])
    found = _folded(reading, pieces, np.array([2, 1]))
    assert found == pytest.approx(np.array([[0.4, 0.6], [1.0, 0.0]]))
    assert found.sum(axis=1) == pytest.approx(1.0)


def test_what_a_word_looked_at_most_comes_first():
    assert FOUND.top(0, 2) == [("two", 0.9), ("one", 0.1)]


def test_plain_text_says_for_each_word_where_it_looked():
    lines = str(FOUND).split("\n")
    assert lines[0] == "zwei eins."
    assert lines[1] == "zwei  two 0.90, one 0.10"
    assert lines[3] == ".     one 0.25, < 0.25, two 0.25"
    assert str(EMPTY) == ""


def test_values_are_plain():
    tree = FOUND.to_dict()
    assert tree["target"] == ["zwei", "eins", "."]
    assert tree["weights"][0] == [0.1, 0.0, 0.9, 0.0]
    assert set(tree) == {"text", "translation", "score", "source", "target", "weights", "read_to"}


def test_a_page_and_a_picture_have_all_words_and_nothing_of_theirs_is_markup():
    for shown in (FOUND.to_html(), FOUND.to_svg(), FOUND._repr_html_(), alignment_page([FOUND, EMPTY])):
        assert "zwei" in shown
        assert "&lt;" in shown
        assert "<two" not in shown


def test_without_words_there_is_nothing_to_draw():
    with pytest.raises(HeedfulError, match="has no alignment"):
        EMPTY.to_svg()


def test_it_is_said_what_the_table_is_and_that_the_translation_is_not_a_sum():
    for source in (FOUND.to_html(), FOUND.to_svg(), FOUND._repr_html_(), alignment_page([FOUND])):
        text = " ".join(Reader(source).text.split())
        for part in ("attention of the decoder", "a word of the translation", "not a sum over words", "an LSTM"):
            assert part in text
        assert "Weights as given" not in text and "gives weight to" not in text
    assert "not a sum over words" in str(FOUND).splitlines()[-1]
