"""A linear answer to the vector of a text."""

from __future__ import annotations

from torch import Tensor, nn

from heedful.network.dropout import Dropout
from heedful.network.heads.vector import VectorHead

EPSILON = 1e-12  # a vector shorter than this is not scaled: an empty text has the vector 0


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
