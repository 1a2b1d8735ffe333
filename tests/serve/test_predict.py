"""/predict for every kind of model."""

from __future__ import annotations

import pytest
from tests.serve.running import WORDS

pytestmark = pytest.mark.slow

TEXTS = ["the best parcel", "", WORDS, "it was slow 😀"]


def answers(server, name, given):
    found = server.post("/predict", {"model": name, "input": given})
    assert found.status == 200, found
    assert found.json["model"] == name
    assert [each.pop("index") for each in found.json["data"]] == list(range(len(found.json["data"])))
    return [{key: value for key, value in each.items() if key != "index"} for each in found.json["data"]]


@pytest.mark.parametrize("name", ["tiny", "many", "price", "tagger"])
def test_answers_are_those_of_the_model(server, models, name):
    expected = [each.values for each in models[name].answers(TEXTS)]
    for found, right in zip(answers(server, name, TEXTS), expected, strict=True):
        assert same(found, right)


def same(found, right):
    """Return whether two answers are the same but for the last digits of numbers."""
    if isinstance(right, dict):
        return found.keys() == right.keys() and all(same(found[key], right[key]) for key in right)
    if isinstance(right, (list, tuple)):
        return len(found) == len(right) and all(map(same, found, right))
    return found == (pytest.approx(right, abs=1e-5, rel=1e-4) if isinstance(right, float) else right)


def test_a_classifier_says_label_and_probabilities(server):
    found = server.post("/predict", {"input": "the best parcel"}).json
    (only,) = found["data"]
    assert set(only) == {"index", "label", "probabilities"}
    assert sum(only["probabilities"].values()) == pytest.approx(1)
    assert only["label"] == max(only["probabilities"], key=only["probabilities"].get)
    assert found["usage"] == {"prompt_tokens": 3, "total_tokens": 3}


def test_many_labels_are_a_list(server):
    (only,) = answers(server, "many", "late and lovely")
    assert set(only["probabilities"]) == {"late", "lovely"}
    assert only["labels"] == [label for label, p in only["probabilities"].items() if p >= 0.5]


def test_a_regressor_says_a_number_by_its_name(server, models):
    (only,) = answers(server, "price", "late and lovely")
    assert only == {"price": pytest.approx(float(models["price"].predict("late and lovely")), rel=1e-4)}


def test_a_model_of_pairs_takes_pairs(server, models):
    from heedful.data.example import TwoTexts

    pairs = [["the late parcel", "it was late"], ["my sister", ""]]
    expected = models["pair"].answers([TwoTexts(*pair) for pair in pairs])
    assert all(map(same, answers(server, "pair", pairs), [each.values for each in expected]))


def test_pairs_and_texts_are_not_mistaken_for_each_other(server):
    for name, given, said in (("pair", "a", "takes pairs"), ("tiny", [["a", "b"]], "takes texts")):
        found = server.post("/predict", {"model": name, "input": given})
        assert (found.status, found.error["param"]) == (400, "input")
        assert said in found.error["message"]


@pytest.mark.parametrize("bad", [[], [["a"]], [["a", "b", "c"]], ["a", ["b", "c"]], [1], 1, None, {}], ids=repr)
def test_what_is_neither_is_refused(server, bad):
    assert server.post("/predict", {"model": "tiny", "input": bad}).error["param"] == "input"
    found = server.post("/predict", {"model": "pair", "input": bad})
    assert (found.status, found.error["type"]) == (400, "invalid_request_error")


def test_an_encoder_has_no_answers(server):
    found = server.post("/predict", {"model": "en-tiny", "input": "a"})
    assert found.status == 400
    assert "These do: tiny" in found.error["message"]


def test_alone_or_among_others_the_answer_is_the_same(server):
    texts = [" ".join(WORDS.split()[:n]) for n in range(1, 14)]
    together = answers(server, "tiny", texts)
    for text, found in zip(texts, together, strict=True):
        assert same(answers(server, "tiny", text)[0], found)
