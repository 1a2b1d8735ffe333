from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.data.labels import label_numbers
from heedful.inputs.text.featuriser import SubwordFeaturiser, WordFeaturiser, count_words
from heedful.text.vocab import UNKNOWN, Vocab
from heedful.text.word_tokeniser import WordTokeniser
from heedful.text.wordpiece import WordPieceTokeniser

TEXTS = ["The cat doesn't sit.", "the CAT sat", "a café, a cafe\u0301"]


def words(max_tokens=100):
    tokeniser = WordTokeniser()
    return WordFeaturiser(tokeniser, Vocab.from_counts(count_words(TEXTS, tokeniser), size=50), max_tokens=max_tokens)


def subwords(max_tokens=100):
    return SubwordFeaturiser(WordPieceTokeniser.trained(TEXTS * 3, size=60), max_tokens=max_tokens)


def test_counts_are_of_forms():
    by_hand = Counter({"the": 2, "cat": 2, "does": 1, "n't": 1, "sit": 1, ".": 1, "sat": 1, "a": 2, "café": 2, ",": 1})
    assert count_words(TEXTS, WordTokeniser()) == by_hand


def test_counting_within_a_bound_keeps_what_is_frequent():
    texts = [f"often {'sometimes' if i % 2 else 'seldom'} once{i}" for i in range(200)]
    counts = count_words(texts, WordTokeniser(), most=20)
    assert len(counts) <= 20
    assert (counts["often"], counts["sometimes"], counts["seldom"]) == (200, 100, 100)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(TEXTS))
def test_word_ids_are_the_vocab_ids_of_the_tokens(text):
    featuriser = words()
    expected = [featuriser.vocab.id(token.form) for token in featuriser.tokens(text)]
    for _ in range(2):  # the second time from the store of surfaces
        assert featuriser.ids(text).tolist() == expected


@pytest.mark.parametrize("make", [words, subwords])
class TestBoth:
    def test_ids_and_tokens_are_cut_at_the_same_place(self, make):
        whole, cut = make(), make(max_tokens=3)
        assert len(whole.ids(TEXTS[0])) > 3
        assert cut.ids(TEXTS[0]).tolist() == whole.ids(TEXTS[0])[:3].tolist()
        assert cut.tokens(TEXTS[0]) == whole.tokens(TEXTS[0])[:3]

    def test_ids_are_small_integers_within_the_table_and_never_the_pad(self, make):
        featuriser = make()
        for text in [*TEXTS, "never seen 猫 [PAD]"]:
            ids = featuriser.ids(text)
            assert ids.dtype == np.int32
            assert ((ids > 0) & (ids < len(featuriser))).all()

    @pytest.mark.parametrize("text", ["", " \n", "\u3000\t"])
    def test_a_text_without_tokens_has_no_ids(self, make, text):
        assert make().ids(text).shape == (0,)
        assert make().tokens(text) == []

    def test_unknown_tokens_are_not_known(self, make):
        featuriser = make()
        tokens = featuriser.tokens("cat 猫")
        assert [featuriser.is_known(token.form) for token in tokens] == [True, False]
        assert featuriser.ids("cat 猫")[-1] == UNKNOWN


def test_unknown_words_are_not_stored():
    featuriser = words()
    featuriser.ids(" ".join(f"new{i}" for i in range(50)) + " cat CAT")
    assert set(featuriser._surface_ids) == {"cat", "CAT"}


def test_labels_are_numbered_by_their_place():
    numbers = label_numbers(["b", "a", "x", "b"], ["a", "b"])
    assert numbers.tolist() == [1, 0, -1, 1]
    assert numbers.dtype == np.int64
