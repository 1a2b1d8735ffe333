"""N-grams as hashes: which there are, where they stand, and that nothing depends on the company of a text."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hostile_text import HOSTILE
from tests.text.ngram_reference import reference

from heedful.text.characters import composed
from heedful.text.ngrams import NGramReader, NGrams

READER = NGramReader()
SUM_OF_HASHES = 300112770493578376  # of version 0.2.0


def hashes(text: str) -> list[int]:
    return sorted(READER.read([text]).hashes.tolist())


def every(ngrams: NGrams) -> np.ndarray:
    return np.arange(len(ngrams.hashes))


def windows(text: str) -> set[str]:
    """The windows of one to five characters of ` text ` with spaces at their ends alone."""
    padded = f" {text} "
    cut = {padded[i : i + n] for n in range(1, 6) for i in range(len(padded) - n + 1)}
    return {each for each in cut if each.strip() and " " not in each[1:-1]}


@pytest.mark.parametrize("text", ["abc", "a bc", "ab cde fghijk", "x"])
def test_there_is_one_hash_for_each_window_word_and_pair(text):
    words = text.split()
    long_words = {word for word in words if len(word) > 1}
    pairs = {(a, b) for a, b in itertools.pairwise(words) if len(a) > 1 or len(b) > 1}
    assert len(set(hashes(text))) == len(windows(text)) + len(long_words) + len(pairs)


def test_case_is_ignored_and_two_forms_of_a_letter_are_one():
    assert hashes("Straße CAFÉ") == hashes("straße café") == hashes("straße cafe\u0301")


def test_the_same_characters_in_another_order_have_other_hashes():
    assert set(hashes("abc")) & set(hashes("cba")) == set(hashes("abc")) & set(hashes("a b c")) & set(hashes("cba"))
    assert set(hashes("dog bites man")) != set(hashes("man bites dog"))


def test_korean_letters_join_words_that_share_no_syllable():
    one, other = set(hashes("갔다")), set(hashes("갑니"))
    assert not {"갔", "다"} & {"갑", "니"}
    assert one & other, "the letters of 가 are in both"


def test_texts_read_together_have_the_n_grams_that_each_has_alone():
    texts = ["", "one two", "재미없는 영화", "e\u0301t\u00e9 🙂", " \n ", "房间太小"]
    together = READER.read(texts)
    for i, text in enumerate(texts):
        alone = READER.read([text])
        mine = together.texts == i
        assert sorted(together.hashes[mine].tolist()) == sorted(alone.hashes.tolist())


@given(st.lists(st.text(max_size=12), max_size=6))
def test_no_text_changes_the_n_grams_of_another(texts):
    together = READER.read(texts)
    for i, text in enumerate(texts):
        assert sorted(together.hashes[together.texts == i].tolist()) == hashes(text)


@pytest.mark.parametrize("text", ["Great parcel, isn't it?", "재미없는 영화 ㅋㅋ", "房间太小 \n😀", "", "각", *HOSTILE])
def test_hashes_and_spans_are_those_of_a_plain_reference(text):
    ngrams = READER.read([text])
    found = zip(ngrams.hashes.tolist(), ngrams.first.tolist(), ngrams.last.tolist(), strict=True)
    assert sorted(found) == sorted(reference(text))


@given(st.text(alphabet="aB é\u0301각갔다\u1100\u1161\u11a8\x00\u200b😀漢𠀀เ_-.!\u3000\udc80", max_size=20))
def test_any_text_has_the_n_grams_of_the_reference(text):
    ngrams = READER.read([text])
    found = zip(ngrams.hashes.tolist(), ngrams.first.tolist(), ngrams.last.tolist(), strict=True)
    assert sorted(found) == sorted(reference(text))


def test_hashes_stay_the_same_so_that_saved_models_do():
    assert sum(hashes("Great parcel 재미없는 영화 房间")) % (1 << 64) == SUM_OF_HASHES


@pytest.mark.parametrize("text", ["great parcel", "재미없는 영화", "a\u0301b c", *HOSTILE[:12]])
def test_shares_of_characters_sum_to_the_values(text):
    ngrams = READER.read([text])
    values = np.random.default_rng(0).standard_normal((len(ngrams.hashes), 2))
    by_position = ngrams.by_position(every(ngrams), values, len(text))
    assert by_position.shape == (len(text), 2)
    np.testing.assert_allclose(by_position.sum(axis=0), values.sum(axis=0), atol=1e-8)


def test_spaces_get_no_share():
    ngrams = READER.read(["ab cd"])
    by_position = ngrams.by_position(every(ngrams), np.ones((len(ngrams.hashes), 1)), 5)
    assert by_position[2] == 0 and (by_position[[0, 1, 3, 4]] > 0).all()


def test_composing_keeps_positions():
    form, positions = composed("xe\u0301y")
    assert form == "x\u00e9y" and positions is not None and positions.tolist() == [0, 1, 3]
    assert composed("plain") == ("plain", None)
