"""Each score function against its formula, one number at a time."""

import math

import numpy as np
import pytest
import torch

from heedful.network.masks import masked_softmax
from heedful.network.scores.additive import Additive
from heedful.network.scores.content import SHARPNESS, Content, unit
from heedful.network.scores.location import Location
from heedful.network.scores.parts import SCORES
from heedful.network.scores.products import Dot, General, ScaledDot
from heedful.network.scores.score import build_score

BATCH, QUERIES, KEYS, WIDTH = 3, 4, 5, 6


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


def made(name):
    """Return a score with a width inside that is no other width, and the width of its queries."""
    query_width = WIDTH if SCORES[name].one_width else 7
    return build_score(name, query_width=query_width, key_width=WIDTH, width=8), query_width


def weight(linear):
    return linear.weight.detach().double().numpy()


def additive(score, q, k, _):
    inner = [math.tanh(a @ q + b @ k) for a, b in zip(weight(score.from_query), weight(score.from_key), strict=True)]
    return sum(v * x for v, x in zip(weight(score.weigh)[0], inner, strict=True))


def dot(_, q, k, __):
    return sum(a * b for a, b in zip(q, k, strict=True))


def scaled_dot(_, q, k, __):
    return dot(_, q, k, __) / math.sqrt(len(k))


def general(score, q, k, _):
    w = weight(score.map).T  # W of q · W k: (query width, key width)
    return sum(q[i] * w[i, j] * k[j] for i in range(len(q)) for j in range(len(k)))


def content(score, q, k, _):
    sharpness = math.exp(score.log_sharpness.item())
    return sharpness * dot(score, q, k, _) / math.sqrt(dot(score, q, q, _) * dot(score, k, k, _))


def location(score, q, _, t):
    asked = weight(score.map) @ q
    n = len(asked)
    angles = [t / 10_000 ** ((i - i % 2) / n) for i in range(n)]
    return sum(a * (math.cos(x) if i % 2 else math.sin(x)) for i, (a, x) in enumerate(zip(asked, angles, strict=True)))


BY_HAND = {
    "additive": additive,
    "dot": dot,
    "scaled_dot": scaled_dot,
    "general": general,
    "content": content,
    "location": location,
}


def by_hand(name, score, queries, keys):
    """Score each query and key of one text alone."""
    q, k = queries.double().numpy(), keys.double().numpy()
    return np.array([[BY_HAND[name](score, one, key, t) for t, key in enumerate(k)] for one in q])


def test_every_score_has_a_formula_here():
    assert set(BY_HAND) == set(SCORES)


@pytest.mark.parametrize("name", SCORES)
def test_a_score_is_its_formula(name):
    score, width = made(name)
    queries, keys = torch.randn(BATCH, QUERIES, width), torch.randn(BATCH, KEYS, WIDTH)
    found = score(queries, keys).detach()
    assert found.shape == (BATCH, QUERIES, KEYS) and found.std() > 0.01
    for i in range(BATCH):
        np.testing.assert_allclose(found[i], by_hand(name, score, queries[i], keys[i]), atol=1e-5)


@pytest.mark.parametrize("name", SCORES)
def test_queries_of_one_batch_go_with_every_text(name):
    score, width = made(name)
    queries, keys = torch.randn(1, QUERIES, width), torch.randn(BATCH, KEYS, WIDTH)
    found = score(queries, keys)
    assert found.shape == (BATCH, QUERIES, KEYS)
    torch.testing.assert_close(found, score(queries.expand(BATCH, -1, -1), keys))


@pytest.mark.parametrize("name", SCORES)
def test_keys_of_one_batch_go_with_every_query(name):
    score, width = made(name)
    queries, keys = torch.randn(BATCH, QUERIES, width), torch.randn(1, KEYS, WIDTH)
    found = score(queries, keys)
    assert found.shape == (BATCH, QUERIES, KEYS)
    torch.testing.assert_close(found, score(queries, keys.expand(BATCH, -1, -1)))


@pytest.mark.parametrize("name", SCORES)
def test_heads_are_one_more_axis(name):
    score, width = made(name)
    queries, keys = torch.randn(BATCH, 2, QUERIES, width), torch.randn(BATCH, 2, KEYS, WIDTH)
    found = score(queries, keys)
    assert found.shape == (BATCH, 2, QUERIES, KEYS)
    for head in range(2):
        torch.testing.assert_close(found[:, head], score(queries[:, head], keys[:, head]))


@pytest.mark.parametrize("name", SCORES)
def test_one_query_at_a_time_gives_what_all_at_once_give(name):
    score, width = made(name)
    queries, keys = torch.randn(BATCH, QUERIES, width), torch.randn(BATCH, KEYS, WIDTH)
    together = score(queries, keys)
    for i in range(QUERIES):
        torch.testing.assert_close(score(queries[:, i : i + 1], keys), together[:, i : i + 1])


@pytest.mark.parametrize("name", SCORES)
def test_weights_of_a_fully_masked_row_are_zero_and_its_gradients_finite(name):
    score, width = made(name)
    queries = torch.randn(BATCH, QUERIES, width, requires_grad=True)
    keys = torch.randn(BATCH, KEYS, WIDTH, requires_grad=True)
    mask = torch.ones(BATCH, QUERIES, KEYS, dtype=torch.bool).tril()
    mask[0, 1] = False  # of one query, as in self-attention, not of a whole text
    weights = masked_softmax(score(queries, keys), mask)
    assert weights[0, 1].abs().max() == 0 and weights[~mask].abs().max() == 0
    torch.testing.assert_close(weights.sum(-1)[1:], torch.ones(BATCH - 1, QUERIES))
    weights.square().sum().backward()
    leaves = [queries, *score.parameters(), *([keys] if name != "location" else [])]
    assert all(leaf.grad is not None and torch.isfinite(leaf.grad).all() for leaf in leaves)


@pytest.mark.parametrize("name", SCORES)
def test_no_keys_and_no_queries_are_no_fault(name):
    score, width = made(name)
    assert score(torch.randn(2, 3, width), torch.randn(2, 0, WIDTH)).shape == (2, 3, 0)
    assert score(torch.randn(2, 0, width), torch.randn(2, 5, WIDTH)).shape == (2, 0, 5)


@pytest.mark.parametrize("name", SCORES)
def test_vectors_of_zeros_give_finite_scores_and_gradients(name):
    score, width = made(name)
    queries, keys = torch.randn(1, 2, width), torch.randn(1, 3, WIDTH)
    queries[0, 0], keys[0, 1] = 0.0, 0.0
    queries.requires_grad_()
    keys.requires_grad_()
    found = score(queries, keys)
    assert torch.isfinite(found).all()
    found.softmax(-1).square().sum().backward()
    for leaf in (queries, *([keys] if name != "location" else [])):
        assert torch.isfinite(leaf.grad).all() and leaf.grad.abs().max() < 100


def test_a_vector_of_zeros_has_cosine_zero_and_drowns_no_other_gradient():
    keys = torch.tensor([[[0.0, 0.0], [3.0, 4.0]]], requires_grad=True)
    assert unit(keys).tolist()[0][0] == [0.0, 0.0]
    unit(keys).sum().backward()
    assert keys.grad[0, 0].tolist() == [0.0, 0.0]
    np.testing.assert_allclose(keys.grad[0, 1], [16 / 125 - 12 / 125, 9 / 125 - 12 / 125], atol=1e-6)


def test_content_looks_at_directions_only():
    score, queries, keys = Content(4, 4), torch.randn(1, 2, 4), torch.randn(1, 3, 4)
    torch.testing.assert_close(score(5 * queries, 0.01 * keys), score(queries, keys))
    own = score(queries, queries)
    torch.testing.assert_close(own.diagonal(dim1=1, dim2=2), torch.full((1, 2), SHARPNESS))


def test_one_key_that_fits_outweighs_a_thousand_that_do_not():
    query, others = torch.eye(1, 8)[None], torch.zeros(1, 1000, 8)
    others[:, :, 1] = 1.0
    keys = torch.cat([query, others], dim=1)
    assert Content(8, 8)(query, keys).softmax(-1)[0, 0, 0] > 0.9
    cosines = Content(8, 8)(query, keys) / SHARPNESS
    assert cosines.softmax(-1)[0, 0, 0] < 0.01, "a cosine alone would do: sharpness is not needed"


def test_location_sees_places_and_no_contents():
    score, queries = Location(5, width=6), torch.randn(1, 2, 5)
    first, second = torch.randn(2, 9, 4), torch.randn(2, 9, 4)
    assert torch.equal(score(queries, first), score(queries, second))
    torch.testing.assert_close(score(queries, torch.randn(2, 400, 4))[:, :, :9], score(queries, first))


def test_the_other_scores_see_contents_and_no_places():
    for name in set(SCORES) - {"location"}:
        score, width = made(name)
        queries, keys = torch.randn(1, 2, width), torch.randn(1, KEYS, WIDTH)
        torch.testing.assert_close(score(queries, keys.flip(1)), score(queries, keys).flip(2))


def test_the_sharpness_is_learned_and_stays_above_zero():
    score = Content(4, 4)
    score.log_sharpness.data.fill_(-50.0)
    assert (score(torch.ones(1, 1, 4), torch.ones(1, 1, 4)) > 0).all()


@pytest.mark.parametrize(
    ("kind", "name"), [(Dot, "dot"), (ScaledDot, "scaled_dot"), (Content, "content")], ids=["dot", "scaled", "content"]
)
def test_widths_that_differ_are_named(kind, name):
    with pytest.raises(ValueError, match=f"{name} needs queries and keys of one width, found 4 and 6"):
        kind(4, 6)


def test_other_scores_take_queries_and_keys_of_any_widths():
    for score in (Additive(4, 6, width=3), General(4, 6), Location(4, width=3)):
        assert score.query_width == 4
        assert score(torch.randn(2, 3, 4), torch.randn(2, 5, 6)).shape == (2, 3, 5)
