from __future__ import annotations

import numpy as np
import pytest

from heedful import load
from heedful.errors import HeedfulError

STRANGE = {
    "empty": "",
    "spaces": " \n\t ",
    "one token": "great",
    "10,000 tokens": "the parcel came late " * 2500,
    "unknown words": "zxqv wplk ünbekannt 未知",
    "control characters": "great\x00\x1b[31m\x07\u202e\u200b parcel",
    "half a surrogate pair": "great \ud83d parcel",
    "one long word": "a" * 50_000,
}


@pytest.fixture(params=["words", "subwords"])
def model(request, tiny_model, subword_model):
    return tiny_model if request.param == "words" else subword_model


@pytest.fixture
def texts(examples):
    """Texts of many lengths, so that batches are not in the order given."""
    found = [example.text for example in examples(23, seed=5)]
    assert [len(t.split()) for t in found] != sorted(len(t.split()) for t in found)
    return found


def test_one_text_and_a_list_of_one_agree(model):
    text = "the parcel was great"
    assert model.predict(text) == model.predict([text])[0]
    np.testing.assert_array_equal(model.predict_proba(text), model.predict_proba([text])[0])
    np.testing.assert_array_equal(model.embed(text), model.embed([text])[0])
    assert model.explain(text).to_dict() == model.explain([text])[0].to_dict()


def test_shapes_and_types_are_as_promised(model, texts):
    n = len(texts)
    assert model.labels == ("bad", "good")
    assert model.width == model.facts.n_hops * model.facts.width == 3 * (16 + 12)
    assert len(model.predict(texts)) == n
    assert model.predict_proba(texts).shape == (n, 2)
    assert model.embed(texts).shape == (n, model.width)
    assert model.embed(texts).dtype == model.predict_proba(texts).dtype == np.float32
    assert model.embed(texts[0]).shape == (model.width,)


@pytest.mark.parametrize("batch_size", [1, 2, 7, 64])
def test_batch_size_changes_neither_order_nor_values(model, texts, batch_size):
    alone_vectors = np.stack([model.embed(text) for text in texts])
    alone_shares = np.stack([model.predict_proba(text) for text in texts])
    assert np.abs(alone_vectors[0] - alone_vectors[1]).max() > 1e-3
    np.testing.assert_allclose(model.embed(texts, batch_size=batch_size), alone_vectors, atol=1e-5)
    np.testing.assert_allclose(model.predict_proba(texts, batch_size=batch_size), alone_shares, atol=1e-5)


def test_encode_is_embed(model, texts):
    np.testing.assert_array_equal(model.encode(texts), model.embed(texts))


def test_predict_is_the_label_of_the_largest_probability(model, texts):
    shares = model.predict_proba(texts)
    np.testing.assert_allclose(shares.sum(1), 1, atol=1e-6)
    assert model.predict(texts) == [("bad", "good")[int(row[1] > row[0])] for row in shares]


def test_the_model_has_learned_its_texts(examples, tmp_path, tiny_settings):
    from heedful import train

    made = examples(120)
    lines = ["text\tlabel", *(f"{e.text}\t{e.label}" for e in made)]
    (tmp_path / "train.tsv").write_text("\n".join(lines))
    model = train(tmp_path / "train.tsv", tmp_path / "model", **{**tiny_settings, "epochs": 8})
    fresh = examples(60, seed=9)
    assert np.mean([a == e.label for a, e in zip(model.predict([e.text for e in fresh]), fresh, strict=True)]) > 0.9


def test_normalised_vectors_have_length_one(model, texts):
    plain, unit = model.embed(texts), model.embed(texts, normalize=True)
    np.testing.assert_allclose(np.linalg.norm(unit, axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(unit, plain / np.sqrt((plain**2).sum(1, keepdims=True)), atol=1e-5)
    assert np.isfinite(model.embed("", normalize=True)).all()


@pytest.mark.parametrize("text", STRANGE.values(), ids=STRANGE.keys())
def test_strange_texts_have_finite_answers(model, text):
    assert model.predict(text) in model.labels
    assert np.isfinite(model.predict_proba(text)).all()
    assert np.isfinite(model.embed(text)).all()
    explanation = model.explain(text)
    assert np.isfinite(explanation.weights).all() and np.isfinite(explanation.overall).all()


def test_strange_company_changes_no_answer(model, texts):
    among = model.embed([*STRANGE.values(), *texts])[len(STRANGE) :]
    np.testing.assert_allclose(among, model.embed(texts), atol=1e-5)


def test_nothing_in_nothing_out(model):
    assert model.predict([]) == [] and model.explain([]) == []
    assert model.predict_proba([]).shape == (0, 2)
    assert model.embed([]).shape == (0, model.width)


def test_any_iterable_of_texts_will_do(model, texts):
    expected = model.predict(texts)
    assert model.predict(tuple(texts)) == model.predict(t for t in texts) == model.predict(np.array(texts)) == expected
    assert [e.label for e in model.explain(t for t in texts)] == expected


@pytest.mark.parametrize("wrong", [None, 3, b"bytes", ["a list"], float("nan")])
def test_what_is_not_a_text_is_shown_back(model, wrong):
    for method in (model.predict, model.predict_proba, model.embed, model.explain):
        with pytest.raises(HeedfulError, match=type(wrong).__name__):
            method(["fine", wrong])


def test_a_batch_size_below_one_is_refused(model):
    with pytest.raises(HeedfulError, match="batch_size is 0, expected at least 1"):
        model.embed(["a"], batch_size=0)


def test_the_vector_is_the_weights_times_the_states(tiny_model):
    """With one token the weight is 1, so all rows of M are that token's state and equal."""
    rows = tiny_model.embed("great").reshape(3, 28)
    np.testing.assert_allclose(tiny_model.explain("great").weights, 1, atol=1e-6)
    np.testing.assert_allclose(rows, np.broadcast_to(rows[0], rows.shape), atol=1e-6)
    assert np.abs(rows).max() > 0


def test_loading_again_gives_equal_answers(model, texts):
    again = load(str(model.path), threads=1)
    np.testing.assert_array_equal(again.embed(texts), model.embed(texts))
    assert again.predict(texts) == model.predict(texts)


def test_the_models_answers_are_those_of_the_network(tiny_model, texts):
    """Rebuild the network from config.toml and weights.safetensors, and run it in torch."""
    import safetensors.torch
    import torch

    from heedful.data.batch import pad
    from heedful.network.build import build_network
    from heedful.network.masks import mask_of

    n_ids = len(tiny_model.featuriser)
    network = build_network(tiny_model.config.model, n_ids=n_ids, n_classes=2, tune=True, seed=0)
    network.load_state_dict(safetensors.torch.load_file(tiny_model.path / "weights.safetensors"))
    batch = pad([tiny_model.featuriser.ids(text) for text in texts], range(len(texts)))
    ids, lengths = torch.from_numpy(batch.ids), torch.from_numpy(batch.lengths)
    with torch.inference_mode():
        output = network.eval()(ids, mask_of(lengths, ids.shape[1]))
    np.testing.assert_allclose(tiny_model.embed(texts), output.rows.flatten(1).numpy(), atol=1e-5)
    np.testing.assert_allclose(tiny_model.predict_proba(texts), output.scores.softmax(1).numpy(), atol=1e-5)


def test_repr_says_what_it_is(tiny_model):
    assert repr(tiny_model) == "<heedful model tiny: bilstm, 3 hops, 2 labels>"
