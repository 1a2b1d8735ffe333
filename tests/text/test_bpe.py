"""Sub-words of which the text can be made again."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.errors import ModelFolderError
from heedful.text.bpe import BOS_EOS, REPLACEMENT, BpeTokeniser

TEXTS = [
    'Ein Mann, der eine "rote" Weste trägt, sitzt (still) in einem Boot.',
    "A dog's ball -- isn't it 3.5 feet wide? 東京 is far, e.g. from here!",
    "Straßenmusiker spielen; Kinder tanzen: alle 12 lachen...",
]
LETTERS = sorted(set("".join(TEXTS)) - {" "})


@pytest.fixture(scope="module")
def tokeniser() -> BpeTokeniser:
    return BpeTokeniser.trained(TEXTS * 3, size=160)


@given(st.lists(st.text(st.sampled_from(LETTERS), min_size=1, max_size=12), max_size=8))
def test_a_text_of_known_letters_comes_back_as_it_was(tokeniser, words):
    text = " ".join(words)
    assert tokeniser.text_of(tokeniser.ids(text)) == text


@given(st.text(max_size=60))
def test_any_text_goes_through_and_ids_are_those_of_the_tokens(tokeniser, text):
    ids, tokens = tokeniser.ids(text), tokeniser.tokens(text)
    assert [tokeniser.forms()[i] for i in ids] == [token.form for token in tokens]
    assert BOS_EOS not in ids
    assert all(0 <= token.start <= token.end <= len(text) for token in tokens)
    assert isinstance(tokeniser.text_of(ids), str)


@pytest.mark.parametrize("text", TEXTS)
def test_tokens_say_where_they_stood_and_no_space_belongs_to_one(tokeniser, text):
    for token in tokeniser.tokens(text):
        stood = text[token.start : token.end]
        assert stood == token.form.removeprefix("▁")
        assert " " not in stood


def test_runs_of_spaces_come_back_as_one(tokeniser):
    assert tokeniser.text_of(tokeniser.ids("  Ein \t Mann,\n der ")) == "Ein Mann, der"


def test_a_space_before_a_mark_is_kept_and_none_is_made_up(tokeniser):
    for text in ("Mann , der", "Mann,der", "( still )", "(still)", '"rote"', "3.5", "isn't"):
        assert tokeniser.text_of(tokeniser.ids(text)) == text


def test_a_character_that_is_not_known_comes_back_as_a_mark(tokeniser):
    assert "ж" not in "".join(TEXTS)
    assert tokeniser.text_of(tokeniser.ids("Mann ж")) == f"Mann {REPLACEMENT}"


def test_the_text_ends_at_the_first_edge(tokeniser):
    first, second = tokeniser.ids("Ein Mann"), tokeniser.ids("Boot")
    assert tokeniser.text_of([*first, BOS_EOS, *second]) == "Ein Mann"


def test_the_names_of_special_tokens_in_a_text_are_only_text():
    tokeniser = BpeTokeniser.trained(["[PAD] [EDGE] [UNK] x"] * 3, size=60)
    ids = tokeniser.ids("[PAD] [EDGE] [UNK]")
    assert ids.min() > BOS_EOS
    assert tokeniser.text_of(ids) == "[PAD] [EDGE] [UNK]"


def test_pieces_are_folded_into_words():
    tokeniser, text = BpeTokeniser.trained(TEXTS, size=80), TEXTS[0]
    words = tokeniser.words_of(tokeniser.ids(text))
    assert [word for word, _ in words][:9] == ["Ein", "Mann", ",", "der", "eine", '"', "rote", '"', "Weste"]
    assert sum(n for _, n in words) == len(tokeniser.ids(text))
    assert max(n for _, n in words) > 1  # the premise: some words are in pieces


def test_the_same_texts_give_the_same_pieces_and_json_brings_them_back(tokeniser):
    again = BpeTokeniser.trained(TEXTS * 3, size=160)
    assert again.forms() == tokeniser.forms()
    for other in (BpeTokeniser.from_json(tokeniser.to_json()), copy.deepcopy(tokeniser)):
        np.testing.assert_array_equal(other.ids(TEXTS[1]), tokeniser.ids(TEXTS[1]))


def test_lowercase_is_a_choice():
    plain, cased = (BpeTokeniser.trained(TEXTS, size=120, lowercase=low) for low in (True, False))
    assert plain.text_of(plain.ids("Ein Mann")) == "ein mann"
    assert cased.text_of(cased.ids("Ein Mann")) == "Ein Mann"


def test_what_is_no_tokeniser_is_refused():
    with pytest.raises(ModelFolderError, match=r"tokenizer.json is not readable"):
        BpeTokeniser.from_json("{}")
