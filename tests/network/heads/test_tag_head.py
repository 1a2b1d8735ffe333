"""The same answer for every row."""

import pytest
import torch

from heedful.network.heads.tag.crf import Crf
from heedful.network.heads.tag.tag_head import TagHead


@pytest.mark.parametrize("hidden", [0, 7])
def test_each_row_is_answered_by_itself(hidden):
    torch.manual_seed(0)
    head = TagHead(4, 3, hidden=hidden, dropout=0.5).eval()
    rows = torch.randn(2, 5, 4)
    found = head(rows)
    assert found.shape == (2, 5, 3)
    for i in range(5):
        assert torch.allclose(found[:, i], head(rows[:, i : i + 1])[:, 0], atol=1e-6)


def test_without_hidden_units_it_is_linear():
    torch.manual_seed(0)
    head = TagHead(4, 3).eval()
    rows = torch.randn(1, 2, 4)
    assert torch.allclose(head(rows), rows @ head.answer.weight.T + head.answer.bias)


def test_the_crf_is_kept_with_the_head_and_has_no_part_in_the_scores():
    torch.manual_seed(0)
    head, rows = TagHead(4, 3, crf=Crf(3)).eval(), torch.randn(1, 2, 4)
    before = head(rows)
    assert "crf.steps" in head.state_dict()
    with torch.no_grad():
        head.crf.steps.add_(1.0)
    assert torch.equal(head(rows), before)
