"""A head that ends in a vector."""

from __future__ import annotations

from torch import Tensor, nn


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
