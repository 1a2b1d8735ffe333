"""What the heatmap of a model with n-grams says about hops and attention."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from heedful.show.heatmaps.view import LOOKED, view


@pytest.fixture
def explanation(wide_model):
    return wide_model.explain("the parcel was great")


def attention_about(explanation) -> str:
    return next(row.about for row in view(explanation).rows if row.name == "Attention")


def test_the_score_is_the_bias_plus_hops_plus_ngrams(explanation):
    used = replace(explanation, hop_contributions=np.full_like(explanation.hop_contributions, 0.5))
    assert "the bias plus all hops plus the n-grams, which add" in view(used).hops_account
    assert attention_about(used) == LOOKED


def test_hops_that_add_nothing_are_no_part_of_the_answer(explanation):
    unused = replace(explanation, hop_contributions=np.zeros_like(explanation.hop_contributions))
    assert view(unused).hops_account.startswith("The hops add nothing: the score is the bias plus the n-grams")
    assert attention_about(unused) == "no part of this answer, which comes from n-grams"


def test_without_ngrams_the_score_is_the_bias_plus_hops(tiny_model):
    assert view(tiny_model.explain("the parcel was great")).hops_account.endswith("the bias plus all hops.")
