"""Sub-words are looked up by stretches between spaces; nobody must be able to tell."""

from __future__ import annotations

import copy
import pickle
import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.data.read import read_texts
from heedful.data.samples.customer_messages import messages_path
from heedful.inputs.text.featuriser import SubwordFeaturiser
from heedful.text import wordpiece as subwords
from heedful.text.segment import segmented
from heedful.text.tokens import words_of_tokens
from heedful.text.wordpiece import PAD_FORM, UNKNOWN_FORM, WordPieceTokeniser, most_characters

TEXTS = [text for _, text in read_texts(messages_path("dev"))]
EXTRA = ["naïve café 東京タワーへ行く ภาษาไทย ΟΔΟΣ İstanbul", "😀 👩‍🔬 e\u0301 a\u0308 ﬁne Ǆ ß"]
TRAINED = WordPieceTokeniser.trained([*TEXTS, *EXTRA * 3], size=700)
CASED = WordPieceTokeniser.trained([*TEXTS, *EXTRA * 3], size=700, lowercase=False)

# Everything that one of Python, Unicode and the library may take for a space, or that joins what is beside it.
SPACES = [" ", "\t", "\n", "\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\xa0", "\u1680", "\u180e"]
SPACES += [chr(c) for c in range(0x2000, 0x2010)] + ["\u2028", "\u2029", "\u202f", "\u205f", "\u3000", "\ufeff"]
JOINERS = ["\u0301", "\u0308", "\u0345", "\u3099", "\u0e31", "\u1161", "\u11a8", "\ufe0f", "\u200d", "\x00", "\xad"]
PIECES = ["the", "Parcel", "don't", "x" * 101, "é", "e\u0301", "東京", "が", "か\u3099", "ไทย", "한", "\u1112\u1161"]
PIECES += ["👩‍🔬", "İ", "Σ", "ΟΔΟΣ", "##e", PAD_FORM, "…", "$5.20", "１２", "ﬁ"]
MIXED = st.lists(st.sampled_from([*SPACES, *JOINERS, *PIECES]), max_size=25).map("".join)
ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def library_ids(tokeniser: WordPieceTokeniser, text: str) -> list[int]:
    return tokeniser._tokenizer.encode(text, add_special_tokens=False).ids


@pytest.mark.parametrize("tokeniser", [TRAINED, CASED], ids=["lower", "cased"])
@given(text=MIXED | ANY | st.sampled_from(TEXTS))
@settings(max_examples=400)
def test_ids_are_those_the_library_gives_for_the_whole_text(tokeniser, text):
    expected = library_ids(tokeniser, text)
    assert tokeniser.ids(text).tolist() == expected
    assert tokeniser.ids(text).tolist() == expected, "the second time, from what was kept"


@pytest.mark.parametrize("tokeniser", [TRAINED, CASED], ids=["lower", "cased"])
@given(text=MIXED | ANY | st.sampled_from(TEXTS))
@settings(max_examples=400)
def test_words_are_those_of_the_tokens_of_the_whole_text(tokeniser, text):
    expected = words_of_tokens(tokeniser.tokens(text), subwords.is_known)
    assert tokeniser.words(text) == expected
    assert tokeniser.words(text) == expected, "the second time, from what was kept"


@given(text=MIXED | st.sampled_from(TEXTS), most=st.integers(1, 12))
def test_words_end_where_the_tokens_are_cut(text, most):
    featuriser = SubwordFeaturiser(TRAINED, max_tokens=most)
    words = featuriser.words(text)
    assert words == segmented(text, words_of_tokens(featuriser.tokens(text), subwords.is_known))
    assert sum(word.n_tokens for word in words) == len(featuriser.ids(text))


def test_the_cache_of_words_is_bounded(monkeypatch):
    monkeypatch.setattr(subwords, "MOST_WORDS_KEPT", 3)
    tokeniser = WordPieceTokeniser.from_json(TRAINED.to_json())
    for i in range(20):
        tokeniser.words(f"word{i} {'x' * 1_000}")
        assert len(tokeniser._words) <= 3
    assert max(map(len, tokeniser._words)) <= subwords.LONGEST_KEPT


def test_every_odd_character_in_every_place_is_as_in_the_library():
    texts = []
    for odd, after in product([*SPACES, *JOINERS], ["", " ", "\n", "\x1c", "\xa0", "\u2028", "\u3000", "a", "。"]):
        texts += [f"the{odd}{after}box", f"{odd}{after}", f"the {odd}{after} 東{odd}京"]
    assert [text for text in texts if TRAINED.ids(text).tolist() != library_ids(TRAINED, text)] == []


@pytest.mark.parametrize("n", [63, 64, 65, 99, 100, 101, 20_000])
def test_long_stretches_are_as_in_the_library_and_the_longest_are_not_kept(n):
    tokeniser = WordPieceTokeniser.from_json(TRAINED.to_json())
    for text in ("e" * n, "the " + "en" * (n // 2) + " box", "東" * n):
        assert tokeniser.ids(text).tolist() == library_ids(TRAINED, text)
    assert max(map(len, tokeniser._cache)) <= subwords.LONGEST_KEPT


def test_what_is_given_back_may_be_changed():
    tokeniser = WordPieceTokeniser.from_json(TRAINED.to_json())
    expected = library_ids(TRAINED, "the")
    for _ in range(3):
        found = tokeniser.ids("the").tolist()
        assert found == expected
        found.append(99)


def test_no_more_is_kept_than_allowed(monkeypatch):
    monkeypatch.setattr(subwords, "MOST_KEPT", 7)
    tokeniser, rng = WordPieceTokeniser.from_json(TRAINED.to_json()), random.Random(0)
    words = " ".join(TEXTS).split()
    assert len(set(words)) > 100
    for _ in range(60):
        text = " ".join(rng.choices(words, k=12))
        assert tokeniser.ids(text).tolist() == library_ids(TRAINED, text)
        assert len(tokeniser._cache) <= 7


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_gives_the_same_and_takes_along_nothing_it_has_met(again):
    tokeniser = WordPieceTokeniser.from_json(TRAINED.to_json())
    tokeniser.ids("the parcel came")
    assert tokeniser._cache
    other = again(tokeniser)
    assert isinstance(other, WordPieceTokeniser) and other._cache == {}
    assert other.to_json() == tokeniser.to_json()
    assert [other.ids(text).tolist() for text in TEXTS[:20]] == [tokeniser.ids(text).tolist() for text in TEXTS[:20]]


def test_forms_stand_at_their_ids():
    forms = TRAINED.forms()
    assert len(forms) == len(set(forms)) == len(TRAINED)
    assert forms[:2] == [PAD_FORM, UNKNOWN_FORM]
    for text in TEXTS[:30]:
        assert [forms[i] for i in TRAINED.ids(text)] == [token.form for token in TRAINED.tokens(text)]


MANY_SIGNS = [" ".join(f"{chr(0x4E00 + i)} x{chr(0xAC00 + i)}x" for i in range(k, k + 50)) for k in range(0, 2000, 50)]
MANY_SIGNS += ["the parcel came on monday"] * 50


def test_single_characters_do_not_crowd_out_words():
    """Two thousand different signs, once each, beside words that are frequent."""
    forms = WordPieceTokeniser.trained(MANY_SIGNS, size=1_000).forms()
    most = most_characters(1_000)
    assert len(forms) <= 1_000 and {"the", "parcel", "monday"} <= set(forms)
    assert sum(len(form) == 1 for form in forms) <= most
    assert sum(len(form) == 3 and form.startswith("##") for form in forms) <= 2 * most


def test_the_same_texts_give_the_same_pieces_where_not_all_characters_have_room():
    assert len({WordPieceTokeniser.trained(MANY_SIGNS, size=1_000).to_json() for _ in range(3)}) == 1


def test_a_tenth_of_a_large_vocab_may_be_characters_and_a_small_one_has_room_for_an_alphabet():
    assert most_characters(50) == most_characters(2_560) == 256
    assert most_characters(28_000) == 2_800
