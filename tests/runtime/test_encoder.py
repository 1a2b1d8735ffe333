"""A Model that gives vectors and has no labels."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from heedful.errors import HeedfulError

TEXTS = ["the parcel was great", "", "slow " * 30, "zxqv 未知 🙂", "awful", "my sister and it came on monday near town"]


def test_shapes_and_types_are_as_promised(pretrained):
    assert pretrained.task.name == "embed" and pretrained.labels == () and pretrained.width == 16
    assert pretrained.embed(TEXTS).shape == (6, 16) and pretrained.embed(TEXTS).dtype == np.float32
    assert pretrained.embed(TEXTS[0]).shape == (16,)
    assert pretrained.embed([]).shape == (0, 16)
    assert pretrained.embed([], width=4, dtype="int8").shape == (0, 4)
    assert "vectors of 16" in repr(pretrained)


@pytest.mark.parametrize("batch_size", [1, 2, 5, 256])
def test_a_text_has_the_same_vector_in_any_company(pretrained, batch_size):
    alone = np.stack([pretrained.embed(text) for text in TEXTS])
    assert np.abs(alone[0] - alone[4]).max() > 1e-3
    np.testing.assert_allclose(pretrained.embed(TEXTS, batch_size=batch_size), alone, atol=1e-5)
    np.testing.assert_allclose(pretrained.embed(TEXTS[::-1], batch_size=batch_size)[::-1], alone, atol=1e-5)


def test_a_text_without_words_is_the_vector_0(pretrained):
    assert not pretrained.embed(["", " \n"]).any()
    assert not pretrained.embed("", normalize=True).any() and not pretrained.embed("", dtype="int8").any()


def test_width_and_normalise_are_made_of_the_whole_vector(pretrained):
    whole = pretrained.embed(TEXTS)
    np.testing.assert_array_equal(pretrained.embed(TEXTS, width=5), whole[:, :5])
    short = pretrained.embed(TEXTS, width=5, normalize=True)
    lengths = np.linalg.norm(short, axis=1)
    np.testing.assert_allclose(lengths, np.linalg.norm(whole, axis=1) > 0, atol=1e-6)
    assert pretrained.embed(TEXTS[0], width=5).shape == (5,)


def test_bytes_keep_the_direction(pretrained):
    some = [text for text in TEXTS if text]
    floats, found = pretrained.embed(some), pretrained.embed(some, dtype="int8").astype(np.float32)
    cosines = (floats * found).sum(1) / (np.linalg.norm(floats, axis=1) * np.linalg.norm(found, axis=1))
    assert cosines.min() > 0.999


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"width": 0}, "width is 0, expected 1 to 16"),
        ({"width": 17}, "width is 17, expected 1 to 16"),
        ({"dtype": "float64"}, "dtype is 'float64', expected one of float32, int8"),
        ({"batch_size": 0}, "batch_size is 0, expected at least 1"),
    ],
)
def test_a_form_that_cannot_be_is_refused(pretrained, form, message):
    with pytest.raises(HeedfulError, match=message):
        pretrained.embed(TEXTS, **form)


def test_encode_takes_sentence_transformers_keywords(pretrained):
    keywords = {"show_progress_bar": False, "prompt_name": None, "prompt": None, "output_value": "sentence_embedding"}
    keywords |= {"convert_to_numpy": True, "device": "cpu", "task": None}
    expected = pretrained.embed(TEXTS, batch_size=2, normalize=True)
    np.testing.assert_array_equal(pretrained.encode(TEXTS, 2, **keywords), expected)
    lengths = np.linalg.norm(expected, axis=1)
    np.testing.assert_allclose(lengths[lengths > 0], 1.0, atol=1e-6)
    prompted = pretrained.embed([f"query: {text}" for text in TEXTS], normalize=True)
    np.testing.assert_array_equal(pretrained.encode(TEXTS, prompt="query: "), prompted)
    np.testing.assert_array_equal(
        pretrained.encode(TEXTS, batch_size=3, normalize_embeddings=True, truncate_dim=4),
        pretrained.embed(TEXTS, batch_size=3, normalize=True, width=4),
    )
    found = pretrained.encode(TEXTS, precision="int8")
    np.testing.assert_array_equal(found, pretrained.embed(TEXTS, dtype="int8"))
    for other in (pretrained.encode_query, pretrained.encode_document):
        np.testing.assert_array_equal(other(TEXTS), pretrained.embed(TEXTS, normalize=True))
    with pytest.raises(HeedfulError, match="dtype is 'ubinary'"):
        pretrained.encode(TEXTS, precision="ubinary")


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"normalize_embedding": True}, "no keyword 'normalize_embedding'. Did you mean normalize_embeddings"),
        ({"anything": 1}, "no keyword 'anything'."),
        ({"prompt_name": "query"}, "no named prompts"),
        ({"output_value": "token_embeddings"}, "expected 'sentence_embedding'"),
        ({"device": "cuda"}, "models run on the CPU"),
        ({"pool": {}}, "pool is not supported"),
    ],
)
def test_encode_refuses_other_keywords(pretrained, keywords, message):
    with pytest.raises(TypeError, match=message):
        pretrained.encode(TEXTS, **keywords)


def test_encode_shows_progress_on_stderr(pretrained, capsys):
    pretrained.encode(TEXTS, show_progress_bar=True)
    printed = capsys.readouterr()
    assert f"{len(TEXTS)}/{len(TEXTS)}" in printed.err and not printed.out


def test_encode_gives_a_tensor_where_asked(pretrained):
    import torch

    for texts in (TEXTS, TEXTS[0]):
        found = pretrained.encode(texts, convert_to_tensor=True)
        assert isinstance(found, torch.Tensor)
        np.testing.assert_array_equal(found.numpy(), pretrained.embed(texts, normalize=True))


def test_an_encoder_has_no_answers(pretrained):
    for name in ("predict", "predict_proba", "explain", "flip"):
        with pytest.raises(HeedfulError, match=f"encoder makes vectors and has no {name}"):
            getattr(pretrained, name)("a text")
        assert not hasattr(pretrained, name)
    with pytest.raises(AttributeError, match="has no attribute 'predikt'"):
        pretrained.predikt("a text")


def test_old_names_work_with_a_warning(pretrained, tiny_model):
    with pytest.warns(DeprecationWarning, match="is_encoder is deprecated"):
        assert pretrained.task.name == "embed" and not tiny_model.is_encoder
    with pytest.warns(DeprecationWarning):
        assert not tiny_model.is_regressor and not tiny_model.is_many
    with pytest.warns(DeprecationWarning, match="use normalize"):
        old = pretrained.embed("a text", normalise=True)
    assert np.array_equal(old, pretrained.embed("a text", normalize=True))


def test_what_is_not_a_text_is_refused(pretrained):
    for wrong in ([3], 3, [None]):
        with pytest.raises(HeedfulError, match="expected a text"):
            pretrained.embed(wrong)


def test_a_pickled_encoder_gives_the_same(pretrained):
    again = pickle.loads(pickle.dumps(pretrained))
    np.testing.assert_array_equal(again.embed(TEXTS), pretrained.embed(TEXTS))
