"""Self-attention and fully connected layers in turn."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from heedful.network.encoders.positions import positions
from heedful.network.encoders.self_attention import SelfAttention
from heedful.network.scores.score import SCALED_DOT, Score, build_score


class Transformer(nn.Module):
    """Layers in which each token first looks at all others, then is changed by itself (normalised before each).

    Places are sines and cosines of many wavelengths, so a text may be of any length. Without places it reads a set.
    """

    def __init__(
        self,
        width_in: int,
        units: int,
        *,
        n_layers: int,
        n_heads: int,
        inner_units: int,
        places: bool = True,
        self_score: str = SCALED_DOT,
    ) -> None:
        super().__init__()
        self.width, self.has_places = units, places
        self.enter = nn.Linear(width_in, units)
        sizes = {"n_heads": n_heads, "inner_units": inner_units}
        self.layers = nn.ModuleList([TransformerLayer(units, **sizes, score=self_score) for _ in range(n_layers)])
        self.leave = nn.LayerNorm(units)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Map (batch, time, width_in) to states (batch, time, width), 0 on pads."""
        states = self._entered(x)
        for layer in self.layers:
            states, _ = layer(states, mask, need_weights=False)
        return self.leave(states) * mask[:, :, None]  # type: ignore[no-any-return]

    def looks(self, x: Tensor, mask: Tensor) -> Tensor:
        """Return where each token looks: (batch, layer, head, time, time), exactly 0 where either is a pad."""
        states, by_layer = self._entered(x), []
        for layer in self.layers:
            states, weights = layer(states, mask)
            by_layer.append(weights)
        real = mask[:, None, None, :, None] & mask[:, None, None, None, :]
        return torch.stack(by_layer, dim=1) * real

    def _entered(self, x: Tensor) -> Tensor:
        entered: Tensor = self.enter(x)
        return entered + positions(x.shape[1], self.width).to(x) if self.has_places else entered


class TransformerLayer(nn.Module):
    """h ← h + attention(norm(h)); h ← h + connected(norm(h))."""

    def __init__(self, width: int, *, n_heads: int, inner_units: int, score: str = SCALED_DOT) -> None:
        super().__init__()
        self.norm_attention, self.norm_connected = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = SelfAttention(width, n_heads=n_heads, score=_score_of_heads(score, width // n_heads))
        self.widen, self.narrow = nn.Linear(width, inner_units), nn.Linear(inner_units, width)

    def forward(self, states: Tensor, mask: Tensor, *, need_weights: bool = True) -> tuple[Tensor, Tensor | None]:
        """Map (batch, time, width) to the same shape, with the weights of each head where they are needed."""
        seen, weights = self.attention(self.norm_attention(states), mask, need_weights=need_weights)
        states = states + seen
        return states + self.narrow(nn.functional.gelu(self.widen(self.norm_connected(states)))), weights


def _score_of_heads(name: str, width: int) -> Score | None:
    """Return the score function of a layer's heads; scaled dot products have none, for torch has a kernel for them."""
    return None if name == SCALED_DOT else build_score(name, query_width=width, key_width=width, width=width)
