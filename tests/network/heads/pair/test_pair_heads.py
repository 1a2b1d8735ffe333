"""The heads for two texts give what the formulas say."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.network.heads.pair.bilinear import BilinearHead
from heedful.network.heads.pair.concat import ConcatHead
from heedful.network.heads.pair.gated import GatedHead
from heedful.network.heads.pair.likeness import LikenessHead
from heedful.network.heads.pair.sides import sides

HOPS, WIDTH, CLASSES = 3, 5, 4
HEADS = {
    "gated": lambda: GatedHead(HOPS, WIDTH, CLASSES, gate_units=6, hidden=7),
    "bilinear": lambda: BilinearHead(HOPS, WIDTH, CLASSES, gate_units=6),
    "concat": lambda: ConcatHead(HOPS, WIDTH, CLASSES, hidden=7),
    "likeness": lambda: LikenessHead(HOPS, WIDTH, CLASSES, vector_width=6, directed=False),
    "directed likeness": lambda: LikenessHead(HOPS, WIDTH, CLASSES, vector_width=6, directed=True),
}


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


def pairs(n: int = 2) -> torch.Tensor:
    return torch.randn(2 * n, HOPS, WIDTH)


@torch.no_grad()
def test_the_gate_is_the_papers_hop_by_hop():
    head, rows = HEADS["gated"](), pairs()
    for i in range(2):
        first, second = rows[i], rows[2 + i]
        gate = torch.stack([(first[h] @ head.first[h]) * (second[h] @ head.second[h]) for h in range(HOPS)])
        expected = head.answer(head.inner(gate.reshape(-1)).relu())
        assert torch.allclose(head(rows)[i], expected, atol=1e-5)


@torch.no_grad()
def test_each_hop_of_the_gate_has_weights_of_its_own():
    head, rows = HEADS["gated"](), pairs()
    before = head(rows)
    head.first[1] += 1.0
    with_hop_silent = rows.clone()
    with_hop_silent[:, 1] = 0.0
    assert not torch.allclose(head(rows), before)
    after = head(with_hop_silent)
    head.first[1] -= 1.0
    assert torch.allclose(head(with_hop_silent), after, atol=1e-5), "the weights of hop 1 read hop 1 alone"


@torch.no_grad()
def test_an_empty_text_closes_the_gate():
    """Its rows are 0, so the answer is that of the biases, whatever the other text is."""
    head, rows = HEADS["gated"](), pairs()
    rows[2:] = 0.0
    assert torch.allclose(head(rows)[0], head(rows)[1])


@torch.no_grad()
def test_bilinear_scores_are_linear_terms_and_products_hop_by_hop():
    head, rows = HEADS["bilinear"](), pairs()
    weights = head.answer.weight.reshape(CLASSES, HOPS, 6)
    for i in range(2):
        first, second = rows[i], rows[2 + i]
        for c in range(CLASSES):
            score = head.answer.bias[c]
            score = (
                score + head.first_own.weight[c] @ first.reshape(-1) + head.second_own.weight[c] @ second.reshape(-1)
            )
            for h in range(HOPS):
                score = score + (first[h] @ head.first[h]) * (second[h] @ head.second[h]) @ weights[c, h]
            assert torch.allclose(head(rows)[i, c], score, atol=1e-5)


@torch.no_grad()
def test_bilinear_scores_are_linear_in_the_rows_of_either_text():
    head, rows = HEADS["bilinear"](), pairs(3)
    rows[3:] = rows[3]  # one second text
    rows[2] = 0.3 * rows[0] + 0.7 * rows[1]
    scores = head(rows)
    assert torch.allclose(scores[2], 0.3 * scores[0] + 0.7 * scores[1], atol=1e-5)


@torch.no_grad()
def test_concat_puts_both_side_by_side():
    head, rows = HEADS["concat"](), pairs()
    both = torch.cat([rows[1].reshape(-1), rows[3].reshape(-1)])
    assert torch.allclose(head(rows)[1], head.answer(head.inner(both).relu()), atol=1e-5)


@torch.no_grad()
def test_likeness_sees_the_difference_the_product_and_the_cosine():
    head, rows = HEADS["directed likeness"](), pairs()
    u, v = (head.vector(rows[i : i + 1])[0] for i in (0, 2))
    cosine = torch.dot(u, v) / (u.norm() * v.norm())
    u, v = (6**0.5 * x / x.norm() for x in (u, v))
    expected = torch.cat([u - v, (u - v).abs(), u * v, cosine[None]])
    assert torch.allclose(head.compared(rows)[0], expected, atol=1e-5)


@torch.no_grad()
@pytest.mark.parametrize(
    ("name", "is_equal"), [("likeness", True), ("directed likeness", False), ("gated", False), ("bilinear", False)]
)
def test_only_likeness_without_direction_ignores_the_order_of_the_texts(name, is_equal):
    head, rows = HEADS[name](), pairs()
    turned = torch.cat([rows[2:], rows[:2]])
    assert torch.allclose(head(rows), head(turned), atol=1e-5) is is_equal


@torch.no_grad()
@pytest.mark.parametrize("name", HEADS)
@given(n=st.integers(1, 5), seed=st.integers(0, 99))
@settings(deadline=None, max_examples=20)
def test_an_answer_does_not_depend_on_the_other_pairs(name, n, seed):
    torch.manual_seed(seed)
    head, rows = HEADS[name]().eval(), pairs(n)
    together = head(rows)
    assert together.shape == (n, CLASSES)
    for i in range(n):
        assert torch.allclose(together[i], head(rows[[i, n + i]])[0], atol=1e-4)


@pytest.mark.parametrize("name", HEADS)
def test_gradients_reach_every_parameter_of_a_pair_head(name):
    head = HEADS[name]()
    head(pairs(24)).square().sum().backward()
    for parameter_name, parameter in head.named_parameters():
        assert parameter.grad is not None and parameter.grad.abs().max() > 0, parameter_name


@torch.no_grad()
@pytest.mark.parametrize("name", HEADS)
def test_two_empty_texts_have_an_answer(name):
    assert torch.isfinite(HEADS[name]()(torch.zeros(2, HOPS, WIDTH))).all()


def test_half_a_pair_is_refused():
    with pytest.raises(ValueError, match="rows of 3 texts, expected an even number"):
        sides(torch.zeros(3, HOPS, WIDTH))
