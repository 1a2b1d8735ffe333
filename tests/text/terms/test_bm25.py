from __future__ import annotations

import math

import pytest

from heedful.errors import HeedfulError
from heedful.text.terms.bm25 import K1, MAX_TERMS, B, query_over, query_terms, rarity, spans_of
from heedful.text.terms.mix import MIXES, checked_by
from heedful.text.terms.terms import forms_of

TEXTS = ["a cat on the sofa", "the train to rome", "cats and cats and a dog", ""]


def test_shares_are_bm25_over_its_upper_bound():
    forms = [forms_of(text) for text in TEXTS]
    query = query_over("the cat, the bird", forms)
    mean = sum(map(len, forms)) / 3
    weights = {"the": 2 * rarity(2, 4), "cat": rarity(2, 4), "bird": rarity(0, 4)}
    for text in forms:
        saturation = K1 * (1 - B + B * len(text) / mean)
        bm25 = sum(w * text.count(t) * (K1 + 1) / (text.count(t) + saturation) for t, w in weights.items())
        assert sum(query.shares(text).values()) == pytest.approx(bm25 / (sum(weights.values()) * (K1 + 1)))
    assert query.shares([]) == {} and query.shares(forms[1]).keys() == {"the"}


def test_a_share_is_between_zero_and_one():
    forms = [["cat"] * 10_000]
    (share,) = query_over("cat", forms).shares(forms[0]).values()
    assert 0.99 < share < 1
    assert rarity(4, 4) > 0 and math.isfinite(rarity(0, 0))


def test_a_query_has_a_bounded_number_of_terms():
    assert len(query_terms(" ".join(f"w{i}" for i in range(10_000)))) == MAX_TERMS
    assert query_terms("the cat the") == {"the": 2, "cat": 1}


def test_terms_are_found_where_they_are():
    spans = spans_of("Cats: a cat", ["cat"])
    assert [(term.start, term.end) for term in spans["cat"]] == [(0, 4), (8, 11)]


def test_the_parts_of_a_mix_are_whole():
    assert all(mix.words + mix.meaning == pytest.approx(1) for mix in MIXES.values())
    with pytest.raises(HeedfulError, match=r"by is 'word', expected one of words, meaning, both. Did you mean words\?"):
        checked_by("word")
