"""The full and the pruned head."""

import numpy as np
import torch

from heedful.network.heads.full import FullHead
from heedful.network.heads.pruned import PrunedHead


def test_pruned_head_equals_a_loop_over_rows_and_columns():
    torch.manual_seed(0)
    head, rows = PrunedHead(3, 5, 2, row_units=4, column_units=2), torch.randn(2, 3, 5)
    m = rows.numpy()
    w = {name: p.detach().numpy() for name, p in head.named_parameters()}
    for b in range(2):
        from_rows = [m[b, i] @ w["by_row"][i] + w["by_row_bias"][i] for i in range(3)]
        from_columns = [m[b, :, j] @ w["by_column"][j] + w["by_column_bias"][j] for j in range(5)]
        hidden = np.maximum(np.concatenate(from_rows + from_columns), 0)
        expected = w["answer.weight"] @ hidden + w["answer.bias"]
        assert np.allclose(head(rows)[b].detach(), expected, atol=1e-6)


def test_pruned_weights_are_not_shared_across_rows():
    """Exchanging two rows of M must change the answer."""
    torch.manual_seed(0)
    head, rows = PrunedHead(3, 5, 2, row_units=4, column_units=2), torch.randn(1, 3, 5)
    assert not torch.allclose(head(rows), head(rows[:, [1, 0, 2]]))


def test_pruned_units_see_only_their_row_or_column():
    head = PrunedHead(3, 5, 2, row_units=4, column_units=2)
    rows = torch.randn(1, 3, 5, requires_grad=True)
    inner = torch.bmm(rows.transpose(0, 1), head.by_row)  # (hop, batch, p)
    inner[1].sum().backward()
    assert rows.grad[0, [0, 2]].abs().max() == 0
    assert rows.grad[0, 1].abs().min() > 0


def test_pruning_saves_what_the_appendix_says():
    """Yelp: 54M to 2.7–2.9M hidden weights with p=150, q=10."""
    pruned = PrunedHead(30, 600, 5, row_units=150, column_units=10)
    assert pruned.by_row.numel() + pruned.by_column.numel() == 2_880_000
    assert 30 * 600 * 3000 == 54_000_000


def test_full_head_equals_the_formula():
    torch.manual_seed(0)
    head, rows = FullHead(3, 5, 2, hidden=7), torch.randn(4, 3, 5)
    hidden = (rows.reshape(4, 15) @ head.inner.weight.T + head.inner.bias).clamp(min=0)
    assert torch.allclose(head(rows), hidden @ head.answer.weight.T + head.answer.bias, atol=1e-6)
