from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.data.features import PAD
from heedful.errors import ModelFolderError
from heedful.text.vocab import UNKNOWN, Vocab

WORDS = st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1), unique=True, max_size=20)


@given(WORDS)
def test_json_gives_the_same_vocab_back(words):
    vocab = Vocab(words)
    text = vocab.to_json().encode("utf-8").decode("utf-8")
    again = Vocab.from_json(text)
    assert again.words == vocab.words
    assert [again.id(word) for word in words] == list(range(2, len(words) + 2))


def test_pad_and_unknown_are_no_words():
    vocab = Vocab(["a"])
    assert (PAD, UNKNOWN, vocab.id("a"), vocab.id("b"), len(vocab)) == (0, 1, 2, 1, 3)
    assert "a" in vocab
    assert "b" not in vocab


def test_frequent_words_come_first_and_ties_go_by_the_alphabet():
    counts = Counter({"rare": 1, "b": 3, "a": 3, "most": 9})
    assert Vocab.from_counts(counts, size=100).words[2:] == ("most", "a", "b", "rare")
    assert Vocab.from_counts(counts, size=100, min_count=2).words[2:] == ("most", "a", "b")
    assert Vocab.from_counts(counts, size=4).words[2:] == ("most", "a")


def test_size_counts_the_reserved_ids():
    assert len(Vocab.from_counts(Counter("abcdefgh"), size=5)) == 5


def test_extending_keeps_the_ids_and_stops_at_the_size():
    vocab = Vocab(["a", "b"])
    more = vocab.extended(iter(["b", "c", "c", "", "d", "e"]), size=6)
    assert more.words[2:] == ("a", "b", "c", "d")
    assert vocab.extended(["z"], size=2).words == vocab.words


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "null", "[1]", '{"words": "abc"}', '{"words": [1]}', '{"words": null}']
)
def test_a_broken_file_is_one_message(text):
    with pytest.raises(ModelFolderError, match="the vocab is not"):
        Vocab.from_json(text)


@pytest.mark.parametrize("words", [["a", "a"], [""]])
def test_a_word_that_stands_twice_is_refused(words):
    with pytest.raises(ModelFolderError, match="a word twice"):
        Vocab(words)
