from __future__ import annotations

import numpy as np
import pytest

import heedful
from heedful.errors import HeedfulError, InputError
from heedful.text.terms.mix import WORDS

QUERY = "where is my late parcel?"
TEXTS = ["a lovely dinner", "the parcels came late", "my sister", "", "이 맛집이 좋아요"]


@pytest.fixture(scope="module")
def encoder():
    return heedful.load("en-small", threads=1)


def test_meaning_is_the_cosine(encoder):
    cosines = encoder.embed(TEXTS, normalize=True) @ encoder.embed(QUERY, normalize=True)
    ranking = encoder.rerank(QUERY, TEXTS, by="meaning")
    assert [each.index for each in ranking] == list(np.argsort(-cosines, kind="stable"))
    assert all(each.score == pytest.approx(cosines[each.index], abs=1e-6) and not each.matches for each in ranking)


def test_the_parts_are_those_of_each_alone(encoder):
    words = {each.index: each.score for each in encoder.rerank(QUERY, TEXTS, by="words")}
    meaning = {each.index: each.score for each in encoder.rerank(QUERY, TEXTS, by="meaning")}
    for each in encoder.rerank(QUERY, TEXTS):
        assert each.by_words == pytest.approx(WORDS * words[each.index])
        assert each.by_meaning == pytest.approx((1 - WORDS) * meaning[each.index], abs=1e-6)
        assert sum(match.adds for match in each.matches) == pytest.approx(each.by_words)
        assert each.text == TEXTS[each.index]
        assert all(each.text[a:b] == w for m in each.matches for w, (a, b) in zip(m.words, m.spans, strict=True))


def test_other_scripts_are_ranked_by_words(encoder):
    assert encoder.rerank("맛집", TEXTS)[0].index == 4


def test_n_empty_lists_and_faults(encoder):
    assert len(encoder.rerank(QUERY, TEXTS, n=2)) == 2 and encoder.rerank(QUERY, []) == []
    assert {each.score for each in encoder.rerank("", TEXTS)} == {0.0}
    for wrong in ({"n": 0}, {"by": "sound"}):
        with pytest.raises(HeedfulError):
            encoder.rerank(QUERY, TEXTS, **wrong)
    with pytest.raises(InputError):
        encoder.rerank(QUERY, ["a", 3])
