"""Leave-one-out, comprehensiveness and sufficiency against a slow reference: one run at a time, lists, plain loops."""

from __future__ import annotations

import math
from itertools import chain

import numpy as np
import pytest

from heedful.data.batch import pad
from heedful.explain.attention.erasure import erase, leave_one_out, order_of, top_sizes
from heedful.explain.attention.model_input import read

TEXTS = [
    "The parcel was great, my sister says.",
    "awful",
    "slow and broken on Monday " * 9,
    "it came near town and was lovely",
]


@pytest.fixture(params=["words", "subwords"])
def model(request, tiny_model, subword_model):
    return tiny_model if request.param == "words" else subword_model


def probability(model, ids, target):
    """Return p(target) of one list of ids, run alone."""
    batch = pad([np.array(ids, dtype=np.int32)], [0])
    scores = [float(score) for score in model._session.run(batch, ("scores",))[0][0]]
    powers = [math.exp(score - max(scores)) for score in scores]
    return powers[target] / sum(powers)


def ids_by_word(model, text):
    """Return for each word the list of its ids."""
    words = {}
    for token, number in zip(model.featuriser.tokens(text), model.featuriser.ids(text), strict=True):
        words.setdefault(token.word, []).append(int(number))
    return [words[i] for i in sorted(words)]


def slow_erasure(model, text, order, target):
    """Return comprehensiveness and sufficiency by their definition."""
    words = ids_by_word(model, text)
    whole = probability(model, list(chain(*words)), target)
    falls, rests = [], []
    for percent in (1, 5, 10, 20, 50):
        top = set(order[: math.ceil(percent * len(words) / 100)].tolist())
        without = [n for i, ids in enumerate(words) if i not in top for n in ids]
        only = [n for i, ids in enumerate(words) if i in top for n in ids]
        falls.append(whole - probability(model, without, target))
        rests.append(whole - probability(model, only, target))
    return sum(falls) / 5, sum(rests) / 5


@pytest.mark.parametrize("target", [0, 1])
def test_leave_one_out_is_that_of_the_slow_reference(model, target):
    for text in TEXTS:
        words = ids_by_word(model, text)
        whole = probability(model, list(chain(*words)), target)
        expected = [
            whole - probability(model, list(chain(*words[:i], *words[i + 1 :])), target) for i in range(len(words))
        ]
        np.testing.assert_allclose(leave_one_out(model, read(model, text), target), expected, atol=1e-6)


def test_comprehensiveness_and_sufficiency_are_those_of_the_slow_reference(model):
    rng = np.random.default_rng(0)
    for text in TEXTS:
        reading = read(model, text)
        orders = {str(i): rng.permutation(len(reading.words)) for i in range(3)}
        for name, found in erase(model, reading, orders, 1).items():
            comprehensiveness, sufficiency = slow_erasure(model, text, orders[name], 1)
            assert found.comprehensiveness == pytest.approx(comprehensiveness, abs=1e-6)
            assert found.sufficiency == pytest.approx(sufficiency, abs=1e-6)


def test_the_explanation_has_the_same_values(model):
    for text in TEXTS:
        explanation = model.explain(text, methods="leave-one-out")
        target = model.labels.index(explanation.label)
        np.testing.assert_allclose(explanation.left_out, leave_one_out(model, read(model, text), target), atol=1e-7)


def test_effects_can_be_for_a_label_of_choice(tiny_model):
    text = TEXTS[0]
    good, bad = (tiny_model.explain(text, label=label, methods="leave-one-out") for label in ("good", "bad"))
    assert (good.target, bad.target, good.label) == ("good", "bad", bad.label)
    np.testing.assert_allclose(good.left_out, -bad.left_out, atol=1e-6)  # with two labels, p + q = 1


def test_a_text_without_words_has_no_effects(model):
    assert model.explain("", methods="leave-one-out").left_out.shape == (0,)


def test_shares_are_rounded_up():
    assert top_sizes(1) == [1, 1, 1, 1, 1]
    assert top_sizes(20) == [1, 1, 2, 4, 10]
    assert top_sizes(101) == [2, 6, 11, 21, 51]
    assert top_sizes(1000) == [10, 50, 100, 200, 500]


def test_the_order_is_by_value_and_equal_values_by_chance():
    values = np.array([0.1, 0.5, 0.1, 0.1, 0.9])
    orders = [order_of(values, np.random.default_rng(seed)).tolist() for seed in range(20)]
    assert all(order[:2] == [4, 1] for order in orders)
    assert len({tuple(order) for order in orders}) > 3


@pytest.mark.parametrize("methods", [("leave-one-out",), ("leave-one-out", "gradient", "integrated")])
def test_not_a_bit_of_an_explanation_depends_on_company(model, methods):
    together = model.explain(TEXTS, methods=methods)
    for text, one in zip(TEXTS, together, strict=True):
        alone = model.explain(text, methods=methods)
        assert alone.to_dict() == one.to_dict()
        assert alone.to_dict() == model.explain([TEXTS[2], text, "x y z"], methods=methods)[1].to_dict()


def test_a_text_too_long_for_leave_one_out_says_so(tiny_model, monkeypatch):
    monkeypatch.setattr("heedful.explain.attention.explain.MOST_CELLS", 10)
    explanation = tiny_model.explain("the parcel came on monday", methods="leave-one-out")
    assert explanation.left_out is None
    assert "Leave-one-out was not done" in explanation.notes[0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"methods": ("gradients",)}, "Did you mean gradient?"), ({"label": "goood"}, "Did you mean good?")],
)
def test_what_there_is_not_is_named(tiny_model, settings, message):
    with pytest.raises(Exception, match=message.replace("?", r"\?")):
        tiny_model.explain("the parcel", **settings)
