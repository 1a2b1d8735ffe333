"""The paper's formulas, and the traps that public ports fell into."""

import numpy as np
import torch

from heedful.network.masks import masked_softmax
from heedful.network.poolers.structured_attention import StructuredAttention, penalty


def by_hand(layer: StructuredAttention, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A = softmax(W_s2 tanh(W_s1 Hᵀ)), M = A H, for one text, in NumPy and in the paper's order."""
    w1, w2 = layer.inner.weight.detach().numpy(), layer.hops.weight.detach().numpy()
    scores = w2 @ np.tanh(w1 @ states.T)  # (hop, time)
    powers = np.exp(scores - scores.max(1, keepdims=True))
    a = powers / powers.sum(1, keepdims=True)
    return a @ states, a


def test_rows_and_weights_are_the_papers():
    torch.manual_seed(0)
    layer = StructuredAttention(5, n_hops=3, attention_width=4)
    states, lengths = torch.randn(2, 6, 5), [6, 2]
    mask = torch.arange(6) < torch.tensor(lengths)[:, None]
    rows, weights = layer(states, mask)
    for i, n in enumerate(lengths):
        m, a = by_hand(layer, states[i, :n].numpy())
        assert np.allclose(rows[i].detach(), m, atol=1e-6)
        assert np.allclose(weights[i, :, :n].detach(), a, atol=1e-6)


def test_the_mlp_has_no_bias():
    assert [name for name, _ in StructuredAttention(5, n_hops=3, attention_width=4).named_parameters()] == [
        "inner.weight",
        "hops.weight",
    ]


def test_hops_are_kept_apart_and_not_averaged():
    rows, _ = StructuredAttention(5, n_hops=3, attention_width=4)(
        torch.randn(2, 6, 5), torch.ones(2, 6, dtype=torch.bool)
    )
    assert rows.shape == (2, 3, 5)
    assert not torch.allclose(rows[:, 0], rows[:, 1])


def test_penalty_is_the_squared_frobenius_norm_of_each_example():
    weights = torch.softmax(torch.randn(4, 3, 6, generator=torch.Generator().manual_seed(0)), -1)
    for i, found in enumerate(penalty(weights)):
        a = weights[i].numpy()
        assert np.isclose(found, np.linalg.norm(a @ a.T - np.eye(3), "fro") ** 2, atol=1e-6)


def test_penalty_is_not_one_norm_over_the_batch():
    weights = torch.softmax(torch.randn(4, 3, 6), -1)
    alone = torch.cat([penalty(w[None]) for w in weights])
    assert torch.allclose(penalty(weights), alone)


def test_padding_does_not_change_the_penalty():
    weights = torch.softmax(torch.randn(2, 3, 6), -1)
    padded = torch.cat([weights, torch.zeros(2, 3, 9)], -1)
    assert torch.allclose(penalty(padded), penalty(weights))


def test_penalty_is_zero_when_each_hop_reads_one_word_of_its_own():
    assert penalty(torch.eye(3, 5)[None]).item() == 0.0


def test_penalty_is_largest_when_all_hops_read_the_same_word():
    same = torch.zeros(1, 3, 5)
    same[:, :, 2] = 1.0
    assert penalty(same).item() == 6.0  # six ones off the diagonal


def test_masked_softmax_of_equal_scores_is_equal_and_exactly_zero_on_pads():
    found = masked_softmax(torch.zeros(1, 4), torch.tensor([[True, True, False, False]]))
    assert found.tolist() == [[0.5, 0.5, 0.0, 0.0]]


def test_masked_softmax_of_huge_scores_is_finite():
    found = masked_softmax(torch.tensor([[1e30, -1e30, 3e38]]), torch.tensor([[True, True, False]]))
    assert found.tolist() == [[1.0, 0.0, 0.0]]
