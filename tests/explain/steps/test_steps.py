"""The six steps by NumPy against the graph, torch, and the formula."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
import torch

from heedful.errors import HeedfulError, ModelFolderError
from heedful.explain.attention.model_input import read
from heedful.explain.steps.numpy_transformer import passed
from heedful.explain.steps.self_attention_maps import token_looks
from heedful.explain.steps.steps import steps_of
from heedful.explain.steps.two_contexts import compare_word, cosine
from heedful.runtime.model import load
from heedful.torch_model.network import network_of, states_of

KINDS = ["transformer", "transformer subwords"]
TEXT = "The parcel came on Monday, zxqv"
A, B = "the parcel came today", "the package came broken"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("small", [False, True])
def test_by_hand_is_what_the_graph_and_torch_say(encoder, kind, small):
    model = encoder(kind, small=small)
    reading = read(model, TEXT)
    found = passed(model, reading.ids)
    weights = np.stack([layer.weights for layer in found.layers])
    np.testing.assert_allclose(weights, token_looks(model, reading), atol=1e-5)
    states, _ = states_of(network_of(model), reading.ids)
    assert float(states.std()) > 0.1
    width = model.config.model.units
    np.testing.assert_allclose(found.states, states[0, :, :width].numpy(), atol=1e-5)
    ((_, (by_graph,)),) = model.run([reading.ids], ("states",))
    np.testing.assert_allclose(found.states, by_graph[0, :, :width], atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("layer", "head"), [(1, 1), (2, 2)])
def test_steps_and_matrices_and_torchs_own_attention_are_equal(encoder, kind, layer, head):
    found = steps_of(encoder(kind), TEXT, word="came", layer=layer, head=head)
    assert TEXT[found.pieces[found.at].start :].startswith("c")
    assert found.difference < 1e-12
    q, k, v = (torch.from_numpy(part)[None] for part in (found.q, found.k, found.v))
    expected = torch.nn.functional.scaled_dot_product_attention(q, k, v)[0].numpy()
    np.testing.assert_allclose(found.product, expected, atol=1e-9)
    np.testing.assert_allclose(found.summed, expected[found.at], atol=1e-9)


def test_each_step_follows_from_the_one_before(encoder):
    found = steps_of(encoder("transformer"), TEXT, word="on")
    assert found.d_k == 2 and found.n_heads == 3 and found.n_layers == 2
    np.testing.assert_allclose(found.scores, found.k @ found.q[found.at], atol=1e-12)
    np.testing.assert_allclose(found.scaled, found.scores / 2**0.5, atol=1e-12)
    np.testing.assert_allclose(found.weights, np.exp(found.scaled) / np.exp(found.scaled).sum(), atol=1e-12)
    np.testing.assert_allclose(found.weighted, found.weights[:, None] * found.v, atol=1e-12)
    np.testing.assert_allclose(found.summed, found.weighted.sum(0), atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_queries_are_the_matrices_of_this_layer_and_head(encoder, kind):
    model = encoder(kind)
    found = steps_of(model, TEXT, layer=2, head=2)
    network = network_of(model)
    layer = getattr(network.encoder, "encoder", network.encoder).layers[1]
    columns = slice(found.d_k, 2 * found.d_k)
    x = torch.from_numpy(found.x).float()
    for name, own in (("queries", found.q), ("keys", found.k), ("values", found.v)):
        expected = layer.attention.get_submodule(name)(x)[:, columns].numpy()
        np.testing.assert_allclose(own, expected, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_the_heads_joined_are_what_attention_adds(encoder, kind):
    model = encoder(kind)
    found = steps_of(model, TEXT, word="monday", layer=2)
    network = network_of(model)
    layer = getattr(network.encoder, "encoder", network.encoder).layers[1]
    x = torch.from_numpy(found.x).float()[None]
    expected, _ = layer.attention(x, torch.ones(x.shape[:2], dtype=torch.bool))
    np.testing.assert_allclose(found.joined, expected[0, found.at].numpy(), atol=1e-5)
    by_join = layer.attention.join(torch.from_numpy(found.concatenated).float()).numpy()
    np.testing.assert_allclose(found.joined, by_join, atol=1e-5)


def test_a_word_in_pieces_is_followed_by_its_first(encoder):
    found = steps_of(encoder("transformer subwords"), "on great", word="GREAT")
    assert found.n_pieces > 1 and found.pieces[found.at].start == 3
    assert not found.pieces[found.at].is_inner and found.pieces[found.at + 1].is_inner


def test_one_word_alone_looks_at_itself(encoder):
    found = steps_of(encoder("transformer"), "parcel")
    assert found.weights.tolist() == [1.0] and found.difference < 1e-12
    np.testing.assert_allclose(found.summed, found.v[0])


def test_plain_values(encoder):
    found = steps_of(encoder("transformer"), TEXT, word="came", layer=2, head=3)
    plain = json.loads(json.dumps(found.to_dict()))
    assert (plain["layer"], plain["head"], plain["token"], plain["d_k"]) == (2, 3, 2, 2)
    np.testing.assert_allclose(plain["weights"], found.looks[1, 2])
    assert [TEXT[t["start"] : t["end"]] for t in plain["tokens"]] == [t["text"] for t in plain["tokens"]]


def test_faults_name_what_would_be_right(encoder, tmp_path, monkeypatch):
    model = encoder("transformer")
    for given, said in (
        ({"word": "parcl"}, "'parcl' is not a word of this text. Did you mean parcel?"),
        ({"layer": 3}, "layer is 3, expected 1 to 2"),
        ({"head": 0}, "head is 0, expected 1 to 3"),
    ):
        with pytest.raises(HeedfulError) as raised:
            steps_of(model, TEXT, **given)
        assert said in str(raised.value)
    with pytest.raises(HeedfulError, match="has no words"):
        steps_of(model, " ")
    monkeypatch.setattr("heedful.explain.steps.steps.LONGEST", 4)
    with pytest.raises(HeedfulError, match="the text has 7 tokens, expected at most 4"):
        steps_of(model, TEXT)
    monkeypatch.undo()
    with pytest.raises(HeedfulError, match="has a static encoder"):
        steps_of(encoder("static"), TEXT)
    shutil.copytree(model.path, tmp_path / "copy")
    (tmp_path / "copy" / "weights.safetensors").unlink()
    with pytest.raises(ModelFolderError, match=r"has no weights\.safetensors"):
        steps_of(load(tmp_path / "copy"), TEXT)


def test_weights_of_another_model_are_refused(encoder, tmp_path):
    model, other = encoder("transformer"), encoder("transformer subwords")
    shutil.copytree(model.path, tmp_path / "copy")
    shutil.copy(other.path / "weights.safetensors", tmp_path / "copy" / "weights.safetensors")
    with pytest.raises(ModelFolderError, match="does not match config"):
        steps_of(load(tmp_path / "copy"), TEXT)


@pytest.mark.parametrize("kind", KINDS)
def test_a_word_in_two_texts_enters_alike_and_leaves_apart(encoder, kind):
    found = compare_word(encoder(kind), A, B, word="came")
    assert found.is_same_place == (kind == "transformer")  # there each word is one token
    if found.is_same_place:
        assert found.stages[0].cosine == pytest.approx(1.0)
    assert found.stages[-1].cosine == pytest.approx(found.cosine) and found.cosine < 0.9999
    states = []
    for side in found.sides:
        own, _ = states_of(network_of(encoder(kind)), read(encoder(kind), side.text).ids)
        states.append(own[0, side.at, : encoder(kind).config.model.units].numpy().astype(np.float64))
    assert found.cosine == pytest.approx(cosine(*states), abs=1e-5)


def test_how_far_apart_each_head_is_is_the_length_of_what_it_adds_more(encoder):
    found = compare_word(encoder("transformer"), A, B, word="came")
    one, two = (side.through.layers[1] for side in found.sides)
    at = [side.at for side in found.sides]
    expected = np.linalg.norm(one.given[2, at[0]] - two.given[2, at[1]])
    assert found.apart.shape == (2, 3) and found.apart[1, 2] == pytest.approx(expected)


def test_the_scale_is_the_mean_cosine_with_the_other_words(encoder):
    found = compare_word(encoder("transformer"), A, "came came", word="came")
    side = found.sides[0]
    expected = [cosine(side.through.states[2], side.through.states[i]) for i in (0, 1, 3)]
    assert found.among_others == pytest.approx(np.mean(expected)), "the word itself is not counted"
    assert compare_word(encoder("transformer"), "came", "came").among_others is None


def test_the_word_compared_is_the_first_they_share(encoder):
    model = encoder("transformer")
    assert compare_word(model, ". , came on", ". , On came").word == "came"
    assert compare_word(model, "Monday came", "great monday").word == "Monday"
    with pytest.raises(HeedfulError, match="no word in common"):
        compare_word(model, "great", "awful")
    assert compare_word(model, A, A).cosine == pytest.approx(1.0)
