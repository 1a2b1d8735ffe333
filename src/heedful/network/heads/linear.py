"""A linear head: every score is a sum over tokens."""

from __future__ import annotations

from torch import Tensor, nn

from heedful.network.dropout import Dropout


class LinearHead(nn.Module):
    """Scores that are linear in M = A H, so that each one is a bias and a sum over tokens.

    score[c] = bias[c] + Σ_t Σ_hop A[hop, t] · (H[t] · W[c, hop]), with `answer.weight` as W (class, hop · width).
    """

    def __init__(self, n_hops: int, width: int, n_classes: int, *, dropout: float = 0.0) -> None:
        super().__init__()
        self.drop = Dropout(dropout)
        self.answer = nn.Linear(n_hops * width, n_classes)

    def forward(self, rows: Tensor) -> Tensor:
        """Map rows (batch, hop, width) to scores (batch, class)."""
        return self.answer(self.drop(rows.flatten(1)))  # type: ignore[no-any-return]
