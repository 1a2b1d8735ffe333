"""The encoder of BERT and its relatives: learned positions, and a normalisation after each part of a layer."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from heedful.network.dropout import Dropout
from heedful.network.encoders.self_attention import SelfAttention


class Bert(nn.Module):
    """Token vectors plus learned positions, normalised, then layers of self-attention and feed-forward parts.

    | BERT (Devlin et al. 2019)        | here                                                               |
    |----------------------------------|--------------------------------------------------------------------|
    | position and segment embeddings  | `positions.weight`, (position, width): their sum, for one segment  |
    | embeddings.LayerNorm             | `norm_enter`                                                       |
    | relative_attention_bias of MPNet | `distances.weight`, (distance, head), added to the scores          |

    RoBERTa, XLM-R, DistilBERT, MiniLM and E5 are the same network; MPNet also has distances. Tokens past the table of
    positions share its last row, and pairs that are further apart than the table of distances its first or last row.
    """

    def __init__(
        self,
        width_in: int,
        units: int,
        *,
        n_layers: int,
        n_heads: int,
        inner_units: int,
        n_positions: int,
        n_distances: int = 0,
        norm_epsilon: float = 1e-12,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.width = units
        self.enter = nn.Linear(width_in, units) if width_in != units else nn.Identity()
        self.positions = nn.Embedding(n_positions, units)
        self.distances = nn.Embedding(2 * n_distances + 1, n_heads) if n_distances else None
        self.norm_enter = nn.LayerNorm(units, eps=norm_epsilon)
        self.layers = nn.ModuleList(
            [BertLayer(units, n_heads, inner_units, epsilon=norm_epsilon, dropout=dropout) for _ in range(n_layers)]
        )
        self.drop = Dropout(dropout)
        nn.init.normal_(self.positions.weight, std=0.02)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Map (batch, time, width_in) to states (batch, time, width), 0 on pads."""
        states, scores = self._entered(x), self._scores_of_distances(x.shape[1])
        for layer in self.layers:
            states, _ = layer(states, mask, scores, need_weights=False)
        return states * mask[:, :, None]

    def looks(self, x: Tensor, mask: Tensor) -> Tensor:
        """Return the attention weights (batch, layer, head, time, time), exactly 0 where either is a pad."""
        states, scores, by_layer = self._entered(x), self._scores_of_distances(x.shape[1]), []
        for layer in self.layers:
            states, weights = layer(states, mask, scores)
            by_layer.append(weights)
        real = mask[:, None, None, :, None] & mask[:, None, None, None, :]
        return torch.stack(by_layer, dim=1) * real

    def _entered(self, x: Tensor) -> Tensor:
        """Add the positions to vectors (batch, time, width_in): (batch, time, width)."""
        at = torch.arange(x.shape[1], device=x.device).clamp(max=self.positions.num_embeddings - 1)
        entered: Tensor = self.drop(self.norm_enter(self.enter(x) + self.positions(at)))
        return entered

    def _scores_of_distances(self, time: int) -> Tensor | None:
        """Return what a distance adds to the score of a pair: (head, time, time)."""
        if self.distances is None:
            return None
        most = self.distances.num_embeddings // 2
        at = torch.arange(time, device=self.distances.weight.device)
        apart = (at[None, :] - at[:, None]).clamp(-most, most) + most  # (query, key)
        return self.distances(apart).permute(2, 0, 1)  # type: ignore[no-any-return]


class BertLayer(nn.Module):
    """h ← norm(h + attention(h)); h ← norm(h + connected(h))."""

    def __init__(self, width: int, n_heads: int, inner_units: int, *, epsilon: float, dropout: float) -> None:
        super().__init__()
        self.attention = SelfAttention(width, n_heads=n_heads)
        self.norm_attention, self.norm_connected = nn.LayerNorm(width, eps=epsilon), nn.LayerNorm(width, eps=epsilon)
        self.widen, self.narrow = nn.Linear(width, inner_units), nn.Linear(inner_units, width)
        self.drop = Dropout(dropout)

    def forward(
        self, states: Tensor, mask: Tensor, scores: Tensor | None = None, *, need_weights: bool = True
    ) -> tuple[Tensor, Tensor | None]:
        """Map (batch, time, width) to the same shape, with the weights of each head if they are needed."""
        seen, weights = self.attention(states, mask, need_weights=need_weights, added_scores=scores)
        states = self.norm_attention(states + self.drop(seen))
        inner = nn.functional.gelu(self.widen(states))  # (batch, time, inner_units)
        return self.norm_connected(states + self.drop(self.narrow(inner))), weights
