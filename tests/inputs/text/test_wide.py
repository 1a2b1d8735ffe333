"""Known n-grams: which are kept, and that memory is bounded."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.data.input_spec import NGRAM_COUNTS, NGRAMS
from heedful.inputs.text import known_ngrams
from heedful.inputs.text.featuriser import WordFeaturiser
from heedful.inputs.text.known_ngrams import KnownNGrams
from heedful.inputs.text.wide import WideFeaturiser
from heedful.text.ngrams import NGramReader
from heedful.text.vocab import Vocab
from heedful.text.word_tokeniser import WordTokeniser

TEXTS = ["great parcel", "great town", "awful parcel today", "slow slow slow"]


def wide_featuriser(max_tokens: int = 50) -> WideFeaturiser:
    inner = WordFeaturiser(WordTokeniser(), Vocab(["great"]), max_tokens=max_tokens)
    return WideFeaturiser(inner, KnownNGrams.learned(TEXTS, most=1_000))


@pytest.mark.parametrize("fewest", [1, 2, 3])
def test_n_grams_of_enough_texts_are_known(fewest):
    reader = NGramReader()
    sets = [set(reader.read([text]).hashes.tolist()) for text in TEXTS]
    expected = sorted(h for h in set().union(*sets) if sum(h in each for each in sets) >= fewest)
    assert KnownNGrams.learned(TEXTS, most=10_000, fewest=fewest).hashes.tolist() == expected


def test_with_too_many_the_more_frequent_are_kept(monkeypatch):
    monkeypatch.setattr(known_ngrams, "BLOCK", 30)
    texts = [f"common {i}x{i}y" for i in range(200)]
    known = KnownNGrams.learned(texts, most=20)
    common = NGramReader().read(["common"]).hashes
    assert len(known) == 20 and len(known.known_in(common)[0]) >= 15


def numbers(known: KnownNGrams, hashes: np.ndarray) -> list[int]:
    """The number of each n-gram, 0 for those that are not known."""
    numbers = np.zeros(len(hashes), dtype=np.int64)
    which, known_numbers = known.known_in(hashes)
    numbers[which] = known_numbers
    return numbers.tolist()


def test_numbers_are_places_in_the_list_and_0_for_others():
    known = KnownNGrams.learned(TEXTS, most=1_000)
    assert numbers(known, known.hashes) == list(range(1, len(known) + 1))
    others = np.setdiff1d(known.hashes + np.uint64(1), known.hashes)
    assert len(others) and not any(numbers(known, others))
    assert not any(numbers(KnownNGrams(np.zeros(0, dtype=np.uint64)), known.hashes))


@given(st.sets(st.integers(0, 40)), st.sets(st.integers(0, 40)), st.sampled_from([0, 1 << 59, (1 << 64) - 41]))
def test_hashes_with_one_beginning_are_told_apart(some, asked, offset):
    known = KnownNGrams(np.array(sorted(i + offset for i in some), dtype=np.uint64))
    hashes = np.array([0, (1 << 64) - 1, *(i + offset for i in asked)], dtype=np.uint64)
    places = {int(each): i + 1 for i, each in enumerate(known.hashes)}
    assert numbers(known, hashes) == [places.get(int(each), 0) for each in hashes]


def test_counts_are_one_plus_log():
    known = KnownNGrams.learned(TEXTS, most=1_000)
    arrays = known.arrays("slow slow slow slow")
    _, slow = known.known_in(NGramReader().read(["slow"]).hashes)
    assert len(slow) and set(slow) <= set(arrays[NGRAMS])
    assert arrays[NGRAM_COUNTS].max() == pytest.approx(1 + np.log(4))


def test_many_texts_at_once_have_the_arrays_of_each(monkeypatch):
    monkeypatch.setattr(known_ngrams, "MOST_CHARACTERS", 20)
    known = KnownNGrams.learned(TEXTS, most=1_000)
    texts = [*TEXTS, "", "unknown 荷物", "great"]
    for text, arrays in zip(texts, known.arrays_of(texts), strict=True):
        alone = known.arrays(text)
        assert all(np.array_equal(arrays[name], alone[name]) for name in alone)


def test_a_featuriser_gives_the_same_for_many_texts_as_for_one():
    featuriser = wide_featuriser(max_tokens=2)
    texts = [*TEXTS, "", "great parcel today and more"]
    for text, item in zip(texts, featuriser.features_of(texts), strict=True):
        alone = featuriser.features(text)
        assert all(np.array_equal(item.arrays[name], alone.arrays[name]) for name in alone.arrays)


def test_n_grams_past_max_tokens_are_not_read():
    featuriser = wide_featuriser(max_tokens=2)
    short, long = featuriser.features("great parcel"), featuriser.features("great parcel today")
    assert np.array_equal(short.arrays[NGRAMS], long.arrays[NGRAMS])


def test_a_word_may_be_known_by_its_spelling():
    featuriser = wide_featuriser()
    assert [word.is_known for word in featuriser.words("great parcels zzzzz")] == [True, True, False]
