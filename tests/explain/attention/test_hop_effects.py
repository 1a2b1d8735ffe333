"""What each hop adds to the answer, against the torch head with the hop's row set to 0."""

from __future__ import annotations

import json

import numpy as np
import onnx
import pytest
import torch
from tests.conftest import TINY, make_examples, train_tiny

from heedful import HeedfulError, load
from heedful.config import Config
from heedful.data.example import Example
from heedful.data.features import Item
from heedful.explain.attention import explain as attention
from heedful.explain.attention import hop_effects as effects
from heedful.explain.attention.hop_effects import hop_effects
from heedful.explain.attention.model_input import read
from heedful.jobs.train.train import train_model
from heedful.torch_model.network import network_of

CHECK = "leave-one-out"  # effects of hops come with it
TEXTS = ["The parcel was great, my sister says.", "awful", "slow and broken on Monday " * 9, "it came near town"]


@pytest.fixture(params=["words", "subwords"])
def model(request, tiny_model, subword_model):
    return tiny_model if request.param == "words" else subword_model


def answers_without(model, text):
    """Return the scores with all rows, and without each: (1 + hop, label)."""
    network = network_of(model)
    ((_, (rows,)),) = model.run([model.featurise([text])[0]], ("rows",))
    variants = np.repeat(rows, rows.shape[1] + 1, axis=0)
    for hop in range(rows.shape[1]):
        variants[hop + 1, hop] = 0.0
    with torch.inference_mode():
        return network.head(torch.from_numpy(variants)).double()


@pytest.mark.parametrize("target", [0, 1])
def test_effects_are_those_of_the_head_without_the_row(model, target):
    for text in TEXTS:
        shares = answers_without(model, text).softmax(-1).numpy()[:, target]
        found = hop_effects(model, read(model, text), target)
        assert found.shape == (3,) and np.abs(found).max() > 1e-4
        np.testing.assert_allclose(found, shares[0] - shares[1:], atol=1e-6)


def test_a_long_text_is_answered_in_parts(tiny_model, monkeypatch):
    whole = tiny_model.explain(TEXTS[2], methods=CHECK).hop_effects
    monkeypatch.setattr(effects, "AT_ONCE", 1)
    np.testing.assert_allclose(tiny_model.explain(TEXTS[2], methods=CHECK).hop_effects, whole, atol=1e-6)


def test_they_are_for_the_label_that_is_asked_about(tiny_model):
    good, bad = (tiny_model.explain(TEXTS[0], methods=CHECK, label=name).hop_effects for name in ("good", "bad"))
    np.testing.assert_allclose(good, -bad, atol=1e-6)
    own = tiny_model.explain(TEXTS[0], methods=CHECK)
    np.testing.assert_array_equal(own.hop_effects, good if own.label == "good" else bad)


def test_they_do_not_depend_on_company(model):
    for together, text in zip(model.explain(TEXTS, methods=CHECK), TEXTS, strict=True):
        assert together.hop_effects.shape == (3,)
        np.testing.assert_array_equal(together.hop_effects, model.explain(text, methods=CHECK).hop_effects)


def test_hops_that_read_nothing_add_nothing(tiny_model):
    assert tiny_model.explain("", methods=CHECK).hop_effects.tolist() == [0.0, 0.0, 0.0]


def test_contributions_alone_come_without_them(tiny_model):
    assert tiny_model.explain("great parcel").hop_effects is None
    assert tiny_model.explain("great parcel").hop_contributions.shape == (3, 2)
    assert tiny_model.explain("great parcel", methods=()).hop_effects is None
    assert tiny_model.explain("great parcel", methods=()).to_dict()["hop_effects"] is None


def test_a_text_that_would_take_too_long_is_left_alone(tiny_model, monkeypatch):
    monkeypatch.setattr(attention, "MOST_CELLS", 3 * 5)
    assert tiny_model.explain("one two three four five", methods=CHECK).hop_effects is not None
    assert tiny_model.explain("one two three four five six", methods=CHECK).hop_effects is None


def test_one_hop_has_its_own(tiny_model):
    whole = tiny_model.explain(TEXTS[0], methods=CHECK)
    one = whole.of_hop(2)
    assert one.hop_effects.tolist() == [whole.hop_effects[1]]
    assert tiny_model.explain(TEXTS[0], methods=()).of_hop(2).hop_effects is None


def test_they_go_through_json(model):
    explanation = model.explain(TEXTS[0], methods=CHECK)
    tree = json.loads(json.dumps(explanation.to_dict(), allow_nan=False))
    assert tree["hop_effects"] == explanation.hop_effects.tolist()


@pytest.mark.parametrize("settings", [{"n_hops": 1}, {"pooler": "mean"}, {"pooler": "max"}])
def test_a_model_with_one_hop_has_none(tmp_path, settings):
    model = load(train_tiny(tmp_path / "model", epochs=1, **settings), threads=1)
    assert len(model.explain("great parcel").weights) == 1
    assert model.explain("great parcel", methods=CHECK).hop_effects is None


def test_of_a_number_they_are_differences_of_the_number(tmp_path):
    examples = [Example(e.text, str(100 + 20 * (e.label == "good"))) for e in make_examples(80)]
    config = Config().changed(**TINY, task="regress", start="none")
    train_model(config, tmp_path / "model", examples=(examples[:60], examples[60:]))
    model = load(tmp_path / "model", threads=1)
    numbers = model.in_units(answers_without(model, TEXTS[0]).numpy())[:, 0]
    np.testing.assert_allclose(model.explain(TEXTS[0], methods=CHECK).hop_effects, numbers[0] - numbers[1:], atol=1e-4)


def test_of_many_labels_each_is_a_question_of_its_own(tmp_path):
    examples = [Example(e.text, ("1" if e.label == "good" else "0", "01"[len(e.text) % 2])) for e in make_examples(80)]
    config = Config().changed(**TINY, start="none")
    train_model(config, tmp_path / "model", examples=(examples[:60], examples[60:]))
    model = load(tmp_path / "model", threads=1)
    assert model.task.name == "multilabel"
    shares = answers_without(model, TEXTS[0]).sigmoid().numpy()[:, 1]
    found = model.explain(TEXTS[0], methods=CHECK, label=model.labels[1])
    np.testing.assert_allclose(found.hop_effects, shares[0] - shares[1:], atol=1e-6)


def test_inputs_that_are_no_texts_have_them_too(tmp_path):
    rng = np.random.default_rng(0)
    made = [rng.normal(size=(4 + i % 3, 5)).astype(np.float32) + i % 2 for i in range(40)]
    examples = [Example(array, ("low", "high")[i % 2]) for i, array in enumerate(made)]
    config = Config().changed(**TINY, input="vectors")
    train_model(config, tmp_path / "model", examples=(examples[:30], examples[30:]))
    model = load(tmp_path / "model", threads=1)
    assert isinstance(model.featurise([made[0]])[0], Item)
    explanation = model.explain([made[0]], methods=CHECK)[0]
    shares = answers_without(model, made[0]).softmax(-1).numpy()[:, model.labels.index(explanation.label)]
    np.testing.assert_allclose(explanation.hop_effects, shares[0] - shares[1:], atol=1e-6)


def changed_graph(folder, change, reseal):
    """Write another graph into a model folder."""
    model = onnx.load(folder / "model.onnx")
    change(model.graph)
    onnx.save(model, folder / "model.onnx")
    reseal(folder)
    return load(folder, threads=1)


def without_keep(graph):
    """Make a graph as it was before: all rows are always there."""
    (keep,) = [value for value in graph.input if value.name == "keep"]
    graph.input.remove(keep)


def test_a_folder_from_before_gives_none_and_all_else_as_it_was(tiny_model, tiny_copy, reseal):
    changed = changed_graph(tiny_copy, without_keep, reseal)
    old, new = (each.explain(TEXTS[0], methods=CHECK) for each in (changed, tiny_model))
    assert new.hop_effects is not None and new.left_out is not None
    assert old.hop_effects is None and old.to_dict()["hop_effects"] is None
    np.testing.assert_array_equal(old.weights, new.weights)
    np.testing.assert_array_equal(old.left_out, new.left_out)
    np.testing.assert_array_equal(old.contributions, new.contributions)


def test_a_graph_that_leaves_out_something_else_is_not_asked(tiny_copy, reseal):
    def other(graph):
        (keep,) = [value for value in graph.input if value.name == "keep"]
        keep.type.tensor_type.shape.dim[1].dim_param = "any"

    assert changed_graph(tiny_copy, other, reseal).explain(TEXTS[0], methods=CHECK).hop_effects is None


def test_a_graph_that_needs_more_than_the_text_is_refused(tiny_copy, reseal):
    def needs(graph):
        (keep,) = [value for value in graph.initializer if value.name == "keep"]
        graph.initializer.remove(keep)

    with pytest.raises(HeedfulError, match="takes ids, keep, lengths; expected ids, lengths"):
        changed_graph(tiny_copy, needs, reseal)
