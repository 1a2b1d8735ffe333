"""Layers that answer from M."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from heedful.network.dropout import Dropout

EPSILON = 1e-12  # a vector shorter than this is not scaled: an empty text has the vector 0


class FullHead(nn.Module):
    """The paper's MLP: all of M, flat, into one ReLU layer. With r = 30 and 2u = 600 that is 18,000 numbers in."""

    def __init__(self, n_hops: int, width: int, n_classes: int, *, hidden: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.inner = nn.Linear(n_hops * width, hidden)
        self.drop = Dropout(dropout)
        self.answer = nn.Linear(hidden, n_classes)

    def forward(self, rows: Tensor) -> Tensor:
        """Map rows (batch, hop, width) to scores (batch, class)."""
        return self.answer(self.drop(self.inner(rows.flatten(1)).relu()))  # type: ignore[no-any-return]


class PrunedHead(nn.Module):
    """The pruned MLP of the appendix: M is a matrix, so its hidden units need not all see all of it.

    | paper | here                                                                     |
    |-------|--------------------------------------------------------------------------|
    | p     | `row_units` units for each row (hop) of M, which see only that row       |
    | q     | `column_units` units for each column of M, which see only that column    |

    Every row and every column has weights of its own.
    """

    def __init__(
        self, n_hops: int, width: int, n_classes: int, *, row_units: int, column_units: int, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.by_row = nn.Parameter(_uniform(n_hops, width, row_units))
        self.by_row_bias = nn.Parameter(torch.zeros(n_hops, row_units))
        self.by_column = nn.Parameter(_uniform(width, n_hops, column_units))
        self.by_column_bias = nn.Parameter(torch.zeros(width, column_units))
        self.drop = Dropout(dropout)
        self.answer = nn.Linear(n_hops * row_units + width * column_units, n_classes)

    def forward(self, rows: Tensor) -> Tensor:
        """Map rows (batch, hop, width) to scores (batch, class)."""
        from_rows = _by_group(rows.transpose(0, 1), self.by_row) + self.by_row_bias  # (batch, hop, p)
        from_columns = _by_group(rows.permute(2, 0, 1), self.by_column) + self.by_column_bias  # (batch, width, q)
        hidden = torch.cat([from_rows.flatten(1), from_columns.flatten(1)], dim=1).relu()  # (batch, hidden)
        return self.answer(self.drop(hidden))  # type: ignore[no-any-return]


class VectorHead(nn.Module):
    """A linear map of M to one vector, with no bias: the vector is then a sum over the words of the text.

    v = Σ_hop M[hop] U[hop] = Σ_word Σ_hop A[hop, word] · H[word] U[hop], so each word has a part in it, and the dot
    product of two vectors is a sum over pairs of words.
    """

    def __init__(self, n_hops: int, width: int, vector_width: int) -> None:
        super().__init__()
        self.n_hops, self.width = n_hops, width
        self.map = nn.Linear(n_hops * width, vector_width, bias=False)

    def forward(self, rows: Tensor) -> Tensor:
        """Map rows (batch, hop, width) to vectors (batch, vector_width)."""
        return self.map(rows.flatten(1))  # type: ignore[no-any-return]


class MappedHead(nn.Module):
    """A text's vector, scaled to length 1, and a linear answer to it: a start for few labels."""

    def __init__(self, n_hops: int, width: int, n_classes: int, *, vector_width: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.vector = VectorHead(n_hops, width, vector_width)
        self.drop = Dropout(dropout)
        self.answer = nn.Linear(vector_width, n_classes)

    def forward(self, rows: Tensor) -> Tensor:
        """Map rows (batch, hop, width) to scores (batch, class)."""
        return self.answer(self.drop(self.unit_vector(rows)))  # type: ignore[no-any-return]

    def unit_vector(self, rows: Tensor) -> Tensor:
        """Map rows (batch, hop, width) to vectors (batch, vector_width) of length 1."""
        return nn.functional.normalize(self.vector(rows), dim=1, eps=EPSILON)


def _by_group(x: Tensor, weights: Tensor) -> Tensor:
    """Map (group, batch, in) by weights (group, in, out) to (batch, group, out).

    The copies pay: forward and backward through a transposed `bmm` took 17 ms, through contiguous ones 7.
    """
    return torch.bmm(x.contiguous(), weights).transpose(0, 1).contiguous()


def _uniform(groups: int, n_in: int, n_out: int) -> Tensor:
    """Return weights (group, in, out), each group as `nn.Linear` would have them."""
    bound = 1.0 / math.sqrt(n_in)
    return torch.empty(groups, n_in, n_out).uniform_(-bound, bound)
