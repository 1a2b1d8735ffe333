"""Where words look, as ONNX Runtime says, against torch and against sums by hand."""

from __future__ import annotations

import json
from itertools import groupby
from operator import attrgetter

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.data.batch import pad
from heedful.errors import HeedfulError
from heedful.explain.attention.model_input import read
from heedful.explain.steps.self_attention_maps import looks_of, token_looks
from heedful.torch_model.network import network_of

WORDS = ["the", "Parcel", "package", "came", "arrived", "monday", "zxqv", "未知", "🙂", "."]
texts = st.lists(st.sampled_from([*WORDS, "\n", "\x00"]), max_size=12).map(" ".join)
KINDS = ["transformer", "transformer subwords"]
TEXT = "The parcel came on Monday, zxqv"


def by_torch(model, ids):
    """Return the weights (layer, head, token, token) from the layers themselves."""
    network = network_of(model)
    encoder = getattr(network.encoder, "encoder", network.encoder)
    batch = torch.from_numpy(ids.astype(np.int64))[None]
    with torch.inference_mode():
        return encoder.looks(network.embed(batch), torch.ones_like(batch, dtype=torch.bool))[0].numpy()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("small", [False, True])
def test_the_graph_says_what_torch_says(encoder, kind, small):
    model = encoder(kind, small=small)
    reading = read(model, TEXT)
    found, expected = token_looks(model, reading), by_torch(model, reading.ids)
    assert found.shape == expected.shape == (*found.shape[:2], len(reading.ids), len(reading.ids))
    assert np.ptp(expected) > 0.01, "weights that are all alike would prove nothing"
    np.testing.assert_allclose(found, expected, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_pieces_are_folded_as_sums_over_what_is_looked_at_and_means_over_what_looks(encoder, kind):
    model = encoder(kind)
    reading = read(model, TEXT)
    by_token, found = token_looks(model, reading), looks_of(model, TEXT)
    groups, at = [], 0
    for _, pieces in groupby(model.featuriser.tokens(TEXT), key=attrgetter("word")):
        groups.append(range(at, at + len(list(pieces))))
        at = groups[-1].stop
    assert (max(map(len, groups)) > 1) == (kind == "transformer subwords")
    for i, rows in enumerate(groups):
        for j, columns in enumerate(groups):
            expected = sum(by_token[:, :, a, b] for a in rows for b in columns) / len(rows)
            np.testing.assert_allclose(found.weights[:, :, i, j], expected, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@given(text=texts)
@settings(max_examples=30)
def test_each_word_looks_with_all_of_its_weight(encoder, kind, text):
    found = encoder(kind).self_attention(text)
    n = len(found.words)
    assert found.weights.shape[2:] == (n, n) and found.weights.min(initial=0) >= 0
    np.testing.assert_allclose(found.weights.sum(-1), np.ones(found.weights.shape[:3]), atol=1e-5)
    assert [text[word.start : word.end] for word in found.words] == [word.text for word in found.words]


@pytest.mark.parametrize("kind", KINDS)
def test_pads_are_not_looked_at_and_company_changes_nothing(encoder, kind):
    model = encoder(kind)
    features = model.featurise([TEXT, "the", "came on monday"])
    batch = pad(features, [0, 1, 2])
    assert batch.padding > 0
    for together, name in zip(model._session.run(batch, model.looks_outputs), model.looks_outputs, strict=True):
        for row, n in enumerate(batch.lengths):
            assert np.all(together[row, :, :, n:] == 0), "exactly 0"
            (alone,) = model._session.run(pad(features, [row]), (name,))
            np.testing.assert_allclose(together[row, :, :n, :n], alone[0], atol=1e-6)


def test_not_asking_runs_no_other_node(encoder):
    """ONNX Runtime runs all nodes whatever is asked for: an output of its own would cost at each run."""
    import onnx

    model = encoder("transformer")
    graph = onnx.load_from_string((model.path / "model.onnx").read_bytes()).graph
    for name in model.looks_outputs:
        (maker,) = [node for node in graph.node if name in node.output]
        assert maker.op_type == "Softmax" and any(name in node.input for node in graph.node)


def test_top_is_what_a_word_looks_at_most(encoder):
    found = encoder("transformer").self_attention(TEXT)
    overall = found.weights[:, :, 2].mean(axis=(0, 1))
    assert found.top(2, 1) == [(found.words[int(overall.argmax())].text, pytest.approx(overall.max()))]
    one = found.weights[1, 2, 2]
    assert found.top(2, 1, layer=1, head=2) == [(found.words[int(one.argmax())].text, pytest.approx(one.max()))]


def test_plain_values_and_a_page(encoder):
    found = encoder("transformer subwords").self_attention("<b>the</b> parcel")
    plain = json.loads(json.dumps(found.to_dict()))
    assert np.array_equal(plain["weights"], found.weights)
    page = found.to_html()
    assert page.startswith("<!doctype html>") and "layer 3, head 2" in page and "<b>the" not in page
    with pytest.raises(HeedfulError, match="without words"):
        encoder("transformer").self_attention(" ").to_html()


def test_a_model_without_self_attention_is_told_apart(encoder):
    with pytest.raises(HeedfulError, match="has a bilstm encoder without self-attention"):
        encoder("bilstm").self_attention(TEXT)
