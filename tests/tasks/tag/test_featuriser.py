"""Words and their letters."""

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.errors import HeedfulError, ModelFolderError
from heedful.tasks.tag.featuriser import ALPHABET, MOST_LETTERS, WordCharFeaturiser, alphabet_of, count_forms, shortened
from heedful.text.vocab import UNKNOWN, Vocab
from heedful.text.word_tokeniser import WordTokeniser


def made(alphabet: str = "abKim", **options) -> WordCharFeaturiser:
    words = WordTokeniser(lowercase=True)
    return WordCharFeaturiser(words, Vocab(["kim", "ab"]), alphabet, **{"letter_width": 5, "max_tokens": 4, **options})


def test_ids_are_of_lower_case_and_letters_keep_theirs():
    item = made().features(["Kim", "AB", "zab"])
    assert item.arrays["ids"].tolist() == [2, 3, UNKNOWN]
    assert item.arrays["letters"].tolist() == [[4, 5, 6], [1, 1, 0], [1, 2, 3]]  # 1 for one not in the alphabet
    assert len(item) == 3


def test_a_text_is_split_first_and_its_parts_are_where_they_stand():
    featuriser, text = made(), "Kim, ab"
    assert featuriser.features(text).arrays["ids"].tolist() == [2, UNKNOWN, 3]
    parts = featuriser.parts(text)
    assert [text[start:end] for start, end in parts.spans] == ["Kim", ",", "ab"] == featuriser.split(text)
    assert parts.sizes == [1, 1, 1]


def test_given_tokens_stay_as_they_are():
    featuriser, tokens = made(), ["do n't", "Kim,"]
    parts = featuriser.parts(tokens)
    assert featuriser.split(tokens) == tokens == [parts.text[a:b] for a, b in parts.spans]


def test_what_is_too_long_is_cut():
    featuriser = made()
    assert featuriser.is_cut(["ab"] * 5)
    assert not featuriser.is_cut(["ab"] * 4)
    assert featuriser.is_cut("ab ab ab ab ab")
    assert len(featuriser.features(["ab"] * 5)) == 4 == len(featuriser.parts("ab ab ab ab ab").spans)


def test_of_a_long_word_both_ends_are_read():
    word = "a" * 30 + "b" * 30
    assert shortened(word) == "a" * 10 + "b" * 10
    assert shortened("ab" * 10) == "ab" * 10
    assert made().features([word]).arrays["letters"].shape == (1, MOST_LETTERS)


def test_without_an_alphabet_there_are_ids_alone():
    featuriser = made("")
    assert featuriser.features(["Kim"]).tolist() == [2]
    assert featuriser.shape.names == ("ids",)
    assert made().shape.names == ("ids", "letters")
    assert (made().shape.n_ids, made().shape.n_letters, made().shape.letter_width) == (4, 7, 5)


@pytest.mark.parametrize("nothing", ["", [], "  \n"])
def test_nothing_has_no_places(nothing):
    item = made().features(nothing)
    assert len(item) == 0
    assert item.arrays["letters"].shape == (0, 1)


def test_a_token_that_is_no_text_is_refused():
    with pytest.raises(HeedfulError, match=r"found int 3, expected a token"):
        made().features(["a", 3])


def test_the_alphabet_has_the_most_frequent_letters_first():
    assert alphabet_of(["aab", "b", "ba", "é"]) == "abé"
    assert len(alphabet_of([chr(0x4E00 + i) for i in range(500)])) == ALPHABET
    assert count_forms([["Kim", "kim"], ["AB"]], WordTokeniser()) == Counter({"kim": 2, "ab": 1})


@given(st.lists(st.text(max_size=25), max_size=6))
def test_after_a_round_through_json_all_is_the_same(tokens):
    before = made(alphabet_of(tokens), max_tokens=5)
    after = WordCharFeaturiser.from_json(before.to_json())
    assert after.shape == before.shape
    one, other = (f.features(tokens) for f in (before, after))
    assert one.tobytes() == other.tobytes()
    assert np.issubdtype((one.arrays["ids"] if hasattr(one, "arrays") else one).dtype, np.integer)


@pytest.mark.parametrize(
    "change",
    [
        {"max_tokens": 0}, {"max_tokens": "4"}, {"lowercase": 1}, {"letters": "aa"}, {"letters": ["a"]},
        {"letter_width": -1}, {"letters": "".join(map(chr, range(300, 600)))}, {"words": [1]}, {"words": ["a", "a"]},
    ],
)  # fmt: skip
def test_a_file_that_does_not_fit_is_refused(change):
    with pytest.raises(ModelFolderError):
        WordCharFeaturiser.from_json(json.dumps({**json.loads(made().to_json()), **change}))


@pytest.mark.parametrize("text", ["", "[]", "{}", "3", "[" * 100_000])
def test_a_file_that_is_no_such_json_is_refused(text):
    with pytest.raises(ModelFolderError, match=r"input\.json is not readable"):
        WordCharFeaturiser.from_json(text)
