"""Known n-grams: which are kept, and that memory is bounded."""

from __future__ import annotations

import numpy as np
import pytest

from heedful.data.input_spec import NGRAM_COUNTS, NGRAMS
from heedful.inputs.text import wide
from heedful.inputs.text.featuriser import WordFeaturiser
from heedful.inputs.text.wide import KnownNGrams, WideFeaturiser
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
    monkeypatch.setattr(wide, "BLOCK", 30)
    texts = [f"common {i}x{i}y" for i in range(200)]
    known = KnownNGrams.learned(texts, most=20)
    common = NGramReader().read(["common"]).hashes
    assert len(known) == 20 and (known.numbers(common) > 0).sum() >= 15


def test_numbers_are_places_in_the_list_and_0_for_others():
    known = KnownNGrams.learned(TEXTS, most=1_000)
    assert known.numbers(known.hashes).tolist() == list(range(1, len(known) + 1))
    others = np.setdiff1d(known.hashes + np.uint64(1), known.hashes)
    assert len(others) and not known.numbers(others).any()
    assert KnownNGrams(np.zeros(0, dtype=np.uint64)).numbers(known.hashes).sum() == 0


def test_counts_are_one_plus_log():
    known = KnownNGrams.learned(TEXTS, most=1_000)
    arrays = known.arrays("slow slow slow slow")
    number = known.numbers(NGramReader().read(["slow"]).hashes)
    assert set(number[number > 0]) <= set(arrays[NGRAMS])
    assert arrays[NGRAM_COUNTS].max() == pytest.approx(1 + np.log(4))


def test_many_texts_at_once_have_the_arrays_of_each(monkeypatch):
    monkeypatch.setattr(wide, "MOST_CHARACTERS", 20)
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
