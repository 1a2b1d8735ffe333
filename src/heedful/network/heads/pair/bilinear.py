"""A bilinear head: every score of a pair is a sum over words and pairs of words."""

from __future__ import annotations

from torch import Tensor, nn

from heedful.network.dropout import Dropout
from heedful.network.heads.pair.gate import gate_weights, gates
from heedful.network.heads.pair.sides import sides


class BilinearHead(nn.Module):
    """The paper's gate without the ReLU layer, and a linear term for either text.

    score[c] = bias[c] + U_p[c] · M_p + U_h[c] · M_h
             + Σ_hop Σ_g (M_p[hop] W_p[hop])_g (M_h[hop] W_h[hop])_g w[c, hop, g]

    M = A H, so each score is exactly bias + Σ_i (word of the first) + Σ_j (word of the second) + Σ_ij (pair of words).

    | formula    | here                                                                         |
    |------------|------------------------------------------------------------------------------|
    | M_p, M_h   | rows of the first and of the second text, (batch, hop, width) each           |
    | U_p, U_h   | `first_own`, `second_own`: weights (class, hop · width)                      |
    | W_p, W_h   | `first`, `second`: hop × width × gate_units                                  |
    | w, bias    | `answer`: weights (class, hop · gate_units) and bias                         |
    """

    def __init__(self, n_hops: int, width: int, n_classes: int, *, gate_units: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.first = nn.Parameter(gate_weights(n_hops, width, gate_units))
        self.second = nn.Parameter(gate_weights(n_hops, width, gate_units))
        self.drop = Dropout(dropout)
        self.first_own = nn.Linear(n_hops * width, n_classes, bias=False)
        self.second_own = nn.Linear(n_hops * width, n_classes, bias=False)
        self.answer = nn.Linear(n_hops * gate_units, n_classes)

    def forward(self, rows: Tensor) -> Tensor:
        """Map rows (2 · batch, hop, width), firsts then seconds, to scores (batch, class)."""
        first, second = sides(rows)
        together = gates(first, second, self.first, self.second).flatten(1)  # (batch, hop · gate)
        own = self.first_own(self.drop(first.flatten(1))) + self.second_own(self.drop(second.flatten(1)))
        return self.answer(self.drop(together)) + own  # type: ignore[no-any-return]
