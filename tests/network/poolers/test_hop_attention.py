"""Hops by any score function: learned queries over the states."""

import numpy as np
import pytest
import torch

from heedful.config import Config, config_from_dict
from heedful.network.build import build_network
from heedful.network.poolers.hop_attention import HopAttention, hops_of
from heedful.network.poolers.structured_attention import StructuredAttention
from heedful.network.scores.additive import Additive
from heedful.network.scores.parts import SCORES
from heedful.network.scores.products import General
from heedful.network.scores.score import KEY_SIZE

WIDTH, HOPS, INSIDE = 6, 3, 5
OTHERS = [name for name in SCORES if name != "additive"]


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


def hops(score, **settings):
    return hops_of(WIDTH, **{"score": score, "n_hops": HOPS, "attention_width": INSIDE, **settings})


@pytest.mark.parametrize("name", OTHERS)
def test_rows_are_the_states_weighed_by_the_softmax_of_each_hops_scores(name):
    layer, states, lengths = hops(name), torch.randn(2, 7, WIDTH), [7, 3]
    mask = torch.arange(7) < torch.tensor(lengths)[:, None]
    rows, weights = layer(states, mask)
    assert isinstance(layer, HopAttention) and rows.shape == (2, HOPS, WIDTH) and weights.shape == (2, HOPS, 7)
    for i, n in enumerate(lengths):
        for hop in range(HOPS):
            scores = layer.score(layer.queries[hop][None, None], states[i : i + 1, :n])[0, 0].detach().numpy()
            powers = np.exp(scores - scores.max())
            shares = powers / powers.sum()
            np.testing.assert_allclose(weights[i, hop, :n].detach(), shares, atol=1e-6)
            np.testing.assert_allclose(rows[i, hop].detach(), shares @ states[i, :n].numpy(), atol=1e-6)


@pytest.mark.parametrize("name", OTHERS)
def test_queries_are_as_wide_as_the_attention_where_the_score_allows_it(name):
    layer = hops(name)
    assert layer.queries.shape == (HOPS, WIDTH if SCORES[name].one_width else INSIDE)


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("width", [8, 300])
def test_hops_begin_apart_and_undecided(name, width):
    layer = hops_of(width, score=name, n_hops=8, attention_width=100)
    _, weights = layer(KEY_SIZE * torch.randn(4, 30, width), torch.ones(4, 30, dtype=torch.bool))
    assert 0.05 < weights.max(-1).values.mean() < 0.7, "1/30 is flat, 1 is decided"
    assert torch.pdist(weights[0]).min() > 0.03, "two hops begin alike"


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("size", [0.1, 1.0])
def test_hops_begin_undecided_over_small_and_large_states(name, size):
    layer = hops_of(200, score=name, n_hops=8, attention_width=100)
    _, weights = layer(size * torch.randn(4, 30, 200), torch.ones(4, 30, dtype=torch.bool))
    assert 0.04 < weights.max(-1).values.mean() < 0.8


def test_an_additive_score_can_be_used_like_any_other():
    layer = HopAttention(Additive(4, WIDTH, width=INSIDE), n_hops=HOPS)
    rows, weights = layer(torch.randn(2, 7, WIDTH), torch.ones(2, 7, dtype=torch.bool))
    assert rows.shape == (2, HOPS, WIDTH)
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, HOPS))


def test_additive_hops_are_the_papers_layer_with_its_names():
    assert isinstance(hops("additive"), StructuredAttention)
    names = {name for name, _ in build_network(Config().model, n_ids=5, n_classes=2).named_parameters()}
    assert {"pooler.inner.weight", "pooler.hops.weight"} == {name for name in names if name.startswith("pooler.")}


def test_settings_from_before_scores_are_the_papers():
    tree = Config().to_dict()
    assert tree["model"].pop("score") == "additive"
    assert config_from_dict(tree, source="old config.toml") == Config()


def test_the_paper_is_one_case_of_general_hops_without_its_tanh():
    """One formula, two layers: with W the identity and small numbers, tanh is as good as not there."""
    paper = StructuredAttention(WIDTH, n_hops=HOPS, attention_width=WIDTH)
    layer = HopAttention(General(WIDTH, WIDTH), n_hops=HOPS)
    states, mask = 1e-3 * torch.randn(2, 7, WIDTH), torch.ones(2, 7, dtype=torch.bool)
    with torch.no_grad():
        paper.hops.weight.mul_(1e3)
        layer.queries.copy_(paper.hops.weight)
        layer.score.map.weight.copy_(paper.inner.weight.T)
    (_, ours), (_, papers) = layer(states, mask), paper(states, mask)
    assert (papers - 1 / 7).abs().max() > 0.01, "flat weights would show nothing"
    torch.testing.assert_close(ours, papers, atol=1e-4, rtol=0)


@pytest.mark.parametrize("name", SCORES)
def test_every_score_learns_where_to_look(name):
    """The answer is the sign of one state: the marked one, or for the score that sees places only, the third.

    Only the row's first number is read: from the mark beside it the answer could be told without looking there.
    """
    layer = hops(name, n_hops=1)
    optimiser = torch.optim.Adam(layer.parameters(), lr=0.05)
    mask = torch.ones(64, 7, dtype=torch.bool)
    for _ in range(300):
        states, answers, at = marked(64, fixed=name == "location")
        rows, weights = layer(states, mask)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(3 * rows[:, 0, 0], answers)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert (weights[:, 0].argmax(-1) == at).float().mean() > 0.95


def marked(n, *, fixed):
    """Return states (n, 7, width), of which one counts: its first number says the answer, its last two mark it."""
    states = 0.5 * torch.randn(n, 7, WIDTH)
    at = torch.full((n,), 2) if fixed else torch.randint(7, (n,))
    states[:, :, 0] = torch.randn(n, 7).sign()
    states[:, :, 4:] = -1.0
    states[torch.arange(n), at, 4:] = -1.0 if fixed else 1.0
    return states, (states[torch.arange(n), at, 0] > 0).float(), at
