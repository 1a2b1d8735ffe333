from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest

from heedful import HeedfulError
from heedful.data.batch import pad

TEXTS = ["The parcel was great, my sister says.", "awful", "", "slow and broken on Monday " * 9, "it came"]


@pytest.fixture(params=["words", "subwords"])
def model(request, tiny_model, subword_model):
    return tiny_model if request.param == "words" else subword_model


def token_weights(model, text):
    """Return weights (hop, token), straight from the session."""
    batch = pad([model.featuriser.ids(text)], [0])
    return model._session.run(batch, ("weights",))[0][0]


def test_each_hops_weights_sum_to_one(model):
    for text in TEXTS:
        explanation = model.explain(text)
        assert explanation.weights.shape == (3, len(explanation.words))
        assert (explanation.weights >= 0).all()
        np.testing.assert_allclose(explanation.weights.sum(1), 1 if explanation.words else 0, atol=1e-5)


def test_overall_is_the_mean_of_the_hops(model):
    explanation = model.explain(TEXTS[0])
    np.testing.assert_allclose(explanation.overall, explanation.weights.mean(0), atol=1e-6)


@pytest.mark.parametrize("batch_size", [1, 2, 64])
def test_an_explanation_does_not_depend_on_company(model, batch_size):
    for together, text in zip(model.explain(TEXTS, batch_size=batch_size), TEXTS, strict=True):
        alone = model.explain(text)
        assert (together.text, together.words, together.label) == (text, alone.words, alone.label)
        np.testing.assert_allclose(together.weights, alone.weights, atol=1e-5)
        for label, share in alone.probabilities.items():
            assert together.probabilities[label] == pytest.approx(share, abs=1e-5)


def test_words_stand_where_they_say(model):
    for text in TEXTS:
        words = model.explain(text).words
        assert all(text[w.start : w.end] == w.text and w.text for w in words)
        assert all(a.end <= b.start for a, b in pairwise(words))


def test_words_are_those_of_the_text(model):
    assert [w.text for w in model.explain("The parcel was great.").words] == ["The", "parcel", "was", "great", "."]


def test_subwords_are_folded_back_to_words(subword_model):
    text = "The parcel was lovely"
    pieces = subword_model.featuriser.tokens(text)
    assert len(pieces) > 4, "no word is in pieces: the test would show nothing"
    raw = token_weights(subword_model, text)
    expected = np.zeros((3, 4))
    for j, piece in enumerate(pieces):
        expected[:, piece.word] += raw[:, j]
    explanation = subword_model.explain(text)
    assert [w.text for w in explanation.words] == ["The", "parcel", "was", "lovely"]
    np.testing.assert_allclose(explanation.weights, expected, atol=1e-6)


def test_words_have_the_weights_of_their_tokens(tiny_model):
    np.testing.assert_allclose(tiny_model.explain(TEXTS[0]).weights, token_weights(tiny_model, TEXTS[0]), atol=1e-6)


def test_the_answer_is_that_of_predict(model):
    for explanation, label, shares in zip(
        model.explain(TEXTS), model.predict(TEXTS), model.predict_proba(TEXTS), strict=True
    ):
        assert explanation.label == label
        assert list(explanation.probabilities) == list(model.labels)
        np.testing.assert_allclose(list(explanation.probabilities.values()), shares, atol=1e-5)


def test_unknown_words_are_marked(tiny_model):
    words = tiny_model.explain("the zxqv parcel").words
    assert [(w.text, w.is_known) for w in words] == [("the", True), ("zxqv", False), ("parcel", True)]


def test_what_was_not_read_is_told(tiny_model):
    most = tiny_model.config.text.max_tokens
    explanation = tiny_model.explain("word " * most + "and more")
    assert len(explanation.words) == most
    assert explanation.text[explanation.read_to :].strip() == "and more"
    assert tiny_model.explain("short text ").read_to == len("short text ")


def test_top_gives_the_largest_weights_first(tiny_model):
    explanation = tiny_model.explain("the parcel was great and it came on monday")
    order = sorted(range(len(explanation.words)), key=lambda i: -explanation.weights[1, i])
    found = explanation.top(3, hop=1)
    assert [word for word, _ in found] == [explanation.words[i].text for i in order[:3]]
    np.testing.assert_allclose([weight for _, weight in found], explanation.weights[1, order[:3]])
    assert len(explanation.top(100)) == len(explanation.words)


def test_to_dict_goes_through_json_unchanged(model):
    for text in [*TEXTS, "control \x00\x1b[31m and half a pair \ud83d", "未知 🙂"]:
        explanation = model.explain(text)
        plain = explanation.to_dict()
        written = json.dumps(plain, ensure_ascii=False, allow_nan=False).encode()
        assert json.loads(written) == plain
        assert [w["text"] for w in plain["words"]] == [w.text for w in explanation.words]
        np.testing.assert_allclose(np.array(plain["hops"]), explanation.weights)
        np.testing.assert_allclose([w["weight"] for w in plain["words"]], explanation.overall)


def test_a_text_without_words_has_an_answer_and_no_weights(model):
    explanation = model.explain("")
    assert explanation.words == () and explanation.weights.shape == (3, 0)
    assert explanation.top() == []
    assert sum(explanation.probabilities.values()) == pytest.approx(1, abs=1e-6)


def test_the_verdict_says_that_nothing_was_audited(tiny_model):
    assert "Not audited" in tiny_model.explain("great").to_dict()["verdict"]


def test_a_text_of_unknown_words_is_warned_of(tiny_model):
    assert tiny_model.explain("the parcel was great").warning is None
    assert tiny_model.explain("qqq zzz the").warning.startswith("The model knows 1 of the 3 words")
    assert tiny_model.explain("").warning.startswith("There are no words in this text")


def test_attention_may_be_named_among_the_methods_or_alone(tiny_model):
    assert not tiny_model.explain("great parcel", methods=["attention"]).effects
    assert list(tiny_model.explain("great parcel", methods="attention, leave-one-out").effects) == ["leave-one-out"]


@pytest.mark.parametrize("wrong", [None, 3])
def test_what_is_no_text_is_named(tiny_model, wrong):
    with pytest.raises(HeedfulError, match="expected a text or a list of texts"):
        tiny_model.explain(wrong)


def test_the_words_that_change_the_answer_are_a_method_of_the_model(tiny_model):
    assert tiny_model.flip("great parcel").sentence
