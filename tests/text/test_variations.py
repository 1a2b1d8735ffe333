"""Variations of texts."""

from __future__ import annotations

import numpy as np
import pytest

from heedful.text.variations import Variations, left_out, ngram, span, swapped

TEXTS = ["the soup was lovely , the bread was not", "Der Fisch war kalt und fad.", "服务很好，房间很干净", "one"]


def test_variations_are_equal_for_equal_seeds_and_differ_for_others():
    first = list(Variations(TEXTS, seed=3).new(6))
    assert len(first) > 12
    assert first == list(Variations(TEXTS, seed=3).new(6)) != list(Variations(TEXTS, seed=4).new(6))


def test_more_variations_begin_with_the_same_ones():
    few, many = (list(Variations(TEXTS).new(each)) for each in (2, 8))
    assert many[: len(few)] == few and len(many) > len(few)


def test_no_variation_repeats_a_text_or_another():
    made = list(Variations(TEXTS).new(20, without=["the soup was lovely"]))
    assert len(set(made)) == len(made)
    assert not {*TEXTS, "the soup was lovely", ""} & set(made)


def test_a_variation_consists_of_what_is_in_the_texts():
    known = {word.strip(".,") for text in TEXTS[:2] for word in text.split()}
    made = {word.strip(".,") for text in Variations(TEXTS[:2]).new(20) for word in text.split()}
    assert made and made <= {*known, "notDer"}


def test_texts_without_words_have_no_variation():
    assert list(Variations(["", "  "]).new(3)) == []


def test_words_are_left_out_in_their_order_and_never_all_stay():
    words = list("abcdefgh")
    for seed in range(50):
        kept = left_out(words, np.random.default_rng(seed))
        assert kept == sorted(kept) and len(kept) < len(words)


def test_a_span_of_another_text_takes_the_place_of_one():
    for seed in range(50):
        text = swapped(list("abcdef"), list("UVWXYZ"), np.random.default_rng(seed))
        upper = [c for c in text if c.isupper()]
        assert 1 <= len(upper) <= 3 and len(text) - len(upper) >= 3
        assert "".join(upper) in "UVWXYZ" and "".join(upper) in "".join(text)


def test_an_ngram_is_a_part_of_the_text():
    for seed in range(50):
        assert "".join(ngram(list("abcdefghijkl"), np.random.default_rng(seed))) in "abcdefghijkl"


@pytest.mark.parametrize(("n", "longest"), [(0, 1), (1, 1), (5, 9), (9, 2)])
def test_spans_lie_inside(n, longest):
    for seed in range(30):
        start, end = span(n, longest, np.random.default_rng(seed))
        assert 0 <= start <= end <= n and end - start <= longest
