"""The gated head of the paper's pair model."""

from __future__ import annotations

from torch import Tensor, nn

from heedful.network.dropout import Dropout
from heedful.network.heads.pair.gate import gate_weights, gates
from heedful.network.heads.pair.sides import sides


class GatedHead(nn.Module):
    """The paper's pair model (appendix): the encoder half of a gated autoencoder, then one ReLU layer.

    | paper    | here                                                                        |
    |----------|-----------------------------------------------------------------------------|
    | M_p, M_h | rows of the first and of the second text, (batch, hop, width) each          |
    | W_p, W_h | `first`, `second`: hop × width × gate_units; every hop has weights of its own |
    | F        | F_p ⊙ F_h with F_p[i] = M_p[i] W_p[i], F_h[i] = M_h[i] W_h[i], no bias      |
    """

    def __init__(
        self, n_hops: int, width: int, n_classes: int, *, gate_units: int, hidden: int, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.first = nn.Parameter(gate_weights(n_hops, width, gate_units))
        self.second = nn.Parameter(gate_weights(n_hops, width, gate_units))
        self.inner = nn.Linear(n_hops * gate_units, hidden)
        self.drop = Dropout(dropout)
        self.answer = nn.Linear(hidden, n_classes)

    def forward(self, rows: Tensor) -> Tensor:
        """Map rows (2 · batch, hop, width), firsts then seconds, to scores (batch, class)."""
        first, second = sides(rows)
        together = gates(first, second, self.first, self.second)  # (batch, hop, gate)
        return self.answer(self.drop(self.inner(together.flatten(1)).relu()))  # type: ignore[no-any-return]
