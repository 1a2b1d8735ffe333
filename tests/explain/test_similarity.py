from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.data.batch import pad
from heedful.errors import HeedfulError
from heedful.explain.similarity import explain_similarity, pair_similarity, word_parts

WORDS = ["the", "Parcel", "package", "came", "arrived", "on", "monday", "great", "awful", "zxqv", "未知", "🙂", "."]
texts = st.lists(st.sampled_from([*WORDS, "\n", "\x00"]), max_size=12).map(" ".join)
A, B = "The parcel came on Monday.", "the lovely package arrived, zxqv, today"


def cosine(a, b):
    a, b = a.astype(np.float64), b.astype(np.float64)
    size = np.linalg.norm(a) * np.linalg.norm(b)
    return float(a @ b / size) if size else 0.0


@given(first=texts, second=texts)
@settings(max_examples=60)
def test_the_parts_add_up_to_the_whole(tiny_encoder, first, second):
    found = tiny_encoder.similarity(first, second)
    assert found.texts == (first, second)
    assert found.matrix.shape == tuple(len(words) for words in found.words)
    expected = cosine(tiny_encoder.embed(first), tiny_encoder.embed(second))
    assert found.score == pytest.approx(expected, abs=1e-5)
    for total in (found.matrix.sum(), found.by_word[0].sum(), found.by_word[1].sum()):
        assert total == pytest.approx(found.score, abs=1e-6)


@given(text=texts)
@settings(max_examples=60)
def test_the_parts_of_a_texts_words_add_up_to_its_vector(tiny_encoder, text):
    (parts,) = word_parts(tiny_encoder, [text])
    assert parts.parts.shape == (len(parts.words), tiny_encoder.width)
    np.testing.assert_allclose(parts.vector, tiny_encoder.embed(text), atol=1e-6)


@given(first=texts, second=texts)
@settings(max_examples=40)
def test_the_other_way_round_is_the_transpose(tiny_encoder, first, second):
    there, back = tiny_encoder.similarity(first, second), tiny_encoder.similarity(second, first)
    assert there.score == pytest.approx(back.score, abs=1e-6)
    np.testing.assert_allclose(there.matrix, back.matrix.T, atol=1e-6)


@given(text=texts)
@settings(max_examples=40)
def test_a_text_is_wholly_like_itself(tiny_encoder, text):
    found = tiny_encoder.similarity(text, text)
    assert found.score == pytest.approx(1.0 if found.words[0] else 0.0, abs=1e-6)


def test_a_pairs_part_is_the_dot_product_of_the_two_words_parts(encoder):
    """Recomputed token by token from the session's outputs, with loops in place of einsum."""
    model = encoder("bilstm")
    (u,) = model._session.run(pad([np.array([0], np.int32)], [0]), ("map",))
    u = u.reshape(model.facts.n_hops, model.facts.width, -1)
    sides = []
    for text in (A, B):
        batch = pad([model.featuriser.ids(text)], [0])
        (weights,), (states,) = model._session.run(batch, ("weights", "states"))
        sides.append(
            [
                sum(weights[hop, t] * (states[t] @ u[hop]) for hop in range(len(weights)))
                for t in range(batch.lengths[0])
            ]
        )
    size = np.linalg.norm(np.sum(sides[0], axis=0)) * np.linalg.norm(np.sum(sides[1], axis=0))
    expected = np.array([[one @ two / size for two in sides[1]] for one in sides[0]])
    found = model.similarity(A, B)
    assert (found.matrix < 0).any() and (found.matrix > 0).any()
    np.testing.assert_allclose(found.matrix, expected, atol=1e-6)


def test_pieces_are_folded_back_to_words(encoder):
    model = encoder("static subwords")
    assert len(model.featuriser.tokens(A)) > 6, "no word is in pieces: the test would show nothing"
    assert [word.text for word in model.similarity(A, B).words[0]] == ["The", "parcel", "came", "on", "Monday", "."]


def test_a_small_graph_adds_up_too(encoder):
    model = encoder("bilstm", small=True)
    assert model.similarity(A, B).score == pytest.approx(cosine(*model.embed([A, B])), abs=1e-5)


def test_words_that_are_cut_off_have_no_part(encoder):
    model = encoder("static")
    long = "parcel " * 60 + "awful " * 20
    found = model.similarity(long, "the parcel")
    assert len(found.words[0]) == model.featuriser.max_tokens == 60
    assert found.score == pytest.approx(model.similarity("parcel " * 60, "the parcel").score, abs=1e-6)


def test_a_text_without_words_is_like_nothing(tiny_encoder):
    for first, second, shape in (("", A, (0, 6)), (A, " \n", (6, 0)), ("", "", (0, 0))):
        found = tiny_encoder.similarity(first, second)
        assert found.score == 0 and found.matrix.shape == shape and found.top() == []


def test_top_gives_the_pairs_that_add_most_first(tiny_encoder):
    found = tiny_encoder.similarity(A, B)
    parts = [part for _, _, part in found.top(4)]
    assert parts == sorted(found.matrix.reshape(-1), reverse=True)[:4]
    one, two, part = found.top(1)[0]
    i, j = np.unravel_index(found.matrix.argmax(), found.matrix.shape)
    assert (one, two, part) == (found.words[0][i].text, found.words[1][j].text, found.matrix[i, j])
    assert len(found.top(10_000)) == found.matrix.size


def test_many_texts_at_once_give_what_pairs_give(tiny_encoder):
    many = [A, "", B, "awful " * 30]
    parts = word_parts(tiny_encoder, many)
    for one, two in ((0, 2), (2, 3), (1, 0)):
        together, alone = pair_similarity(parts[one], parts[two]), tiny_encoder.similarity(many[one], many[two])
        np.testing.assert_allclose(together.matrix, alone.matrix, atol=1e-6)


def test_unknown_words_are_marked(encoder):
    words = encoder("static").similarity("the zxqv", "great").words[0]
    assert [(word.text, word.is_known) for word in words] == [("the", True), ("zxqv", False)]


def test_to_dict_goes_through_json_unchanged(tiny_encoder):
    for first, second in ((A, B), ("", A), ("half a pair \ud83d \x1b[31m", "未知 🙂")):
        found = tiny_encoder.similarity(first, second)
        plain = found.to_dict()
        written = json.dumps(plain, ensure_ascii=False, allow_nan=False).encode()
        assert json.loads(written) == plain
        assert plain["similarity"] == found.score
        assert np.array(plain["matrix"]).sum() == pytest.approx(found.score, abs=1e-6)
        for side in (0, 1):
            adds = [word["adds"] for word in plain["texts"][side]["words"]]
            assert sum(adds) == pytest.approx(found.score, abs=1e-6)


def test_a_classifier_is_told_what_is_needed(tiny_model):
    with pytest.raises(HeedfulError, match="is not an encoder\\. Similarity needs one"):
        tiny_model.similarity("a", "b")


def test_a_pooler_that_does_not_sum_is_refused(encoder):
    with pytest.raises(HeedfulError, match="with pooler max a vector is not a sum over words"):
        encoder("max").similarity("a", "b")


def test_what_is_not_a_text_is_refused(encoder):
    with pytest.raises(HeedfulError, match="found int 3, expected a text"):
        explain_similarity(encoder("static"), "a", 3)


def test_a_similarity_is_a_page(encoder):
    found = encoder("static").similarity(A, B)
    assert found.to_html().startswith("<!doctype html>") and "Monday" in found._repr_html_()
