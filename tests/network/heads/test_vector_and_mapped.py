"""The heads that make one vector of a text."""

from __future__ import annotations

import pytest
import torch

from heedful.network.heads.mapped import MappedHead
from heedful.network.heads.vector import VectorHead
from heedful.network.poolers.structured_attention import StructuredAttention

HOPS, WIDTH, OUT = 3, 5, 7


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


def test_the_vector_is_linear_and_has_no_bias():
    head = VectorHead(HOPS, WIDTH, OUT)
    a, b = torch.randn(2, 4, HOPS, WIDTH)
    torch.testing.assert_close(head(2 * a - 3 * b), 2 * head(a) - 3 * head(b))
    assert head(torch.zeros(1, HOPS, WIDTH)).abs().max() == 0
    assert [name for name, _ in head.named_parameters()] == ["map.weight"]


def test_the_vector_is_a_sum_over_the_words():
    """v = Σ_word Σ_hop A[hop, word] · H[word] U[hop], as the docstring says, by loops."""
    pooler, head = StructuredAttention(WIDTH, n_hops=HOPS, attention_width=6), VectorHead(HOPS, WIDTH, OUT)
    states = torch.randn(2, 6, WIDTH)
    mask = torch.arange(6) < torch.tensor([6, 4])[:, None]
    rows, weights = pooler(states, mask)
    u = head.map.weight.view(OUT, HOPS, WIDTH)
    for text in range(2):
        parts = [
            sum(weights[text, hop, word] * (u[:, hop] @ states[text, word]) for hop in range(HOPS)) for word in range(6)
        ]
        torch.testing.assert_close(head(rows)[text], sum(parts), atol=1e-5, rtol=1e-5)


def test_the_mapped_head_answers_to_the_unit_vector():
    head, rows = MappedHead(HOPS, WIDTH, 4, vector_width=OUT).eval(), torch.randn(6, HOPS, WIDTH)
    vectors = rows.flatten(1) @ head.vector.map.weight.T
    unit = vectors / vectors.norm(dim=1, keepdim=True)
    torch.testing.assert_close(head.unit_vector(rows), unit)
    torch.testing.assert_close(head(rows), unit @ head.answer.weight.T + head.answer.bias)


def test_the_mapped_head_does_not_mind_the_length_of_a_text_vector():
    head, rows = MappedHead(HOPS, WIDTH, 4, vector_width=OUT).eval(), torch.randn(6, HOPS, WIDTH)
    torch.testing.assert_close(head(rows), head(100 * rows))


def test_an_empty_text_gets_the_bias_and_a_finite_gradient():
    head, rows = MappedHead(HOPS, WIDTH, 4, vector_width=OUT).eval(), torch.zeros(1, HOPS, WIDTH, requires_grad=True)
    scores = head(rows)
    assert torch.equal(scores[0], head.answer.bias)
    scores.sum().backward()
    assert all(torch.isfinite(p.grad).all() for p in head.parameters())


def test_dropout_is_for_training_only():
    head, rows = MappedHead(HOPS, WIDTH, 4, vector_width=40, dropout=0.5), torch.randn(2, HOPS, WIDTH)
    assert not torch.equal(head.train()(rows), head.train()(rows))
    assert torch.equal(head.eval()(rows), head.eval()(rows))
