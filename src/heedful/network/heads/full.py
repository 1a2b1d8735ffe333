"""The paper's head: a fully connected layer over all of M."""

from __future__ import annotations

from torch import Tensor, nn

from heedful.network.dropout import Dropout


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
