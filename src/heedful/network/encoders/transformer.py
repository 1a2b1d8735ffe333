"""Self-attention and fully connected layers in turn."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from heedful.network.encoders.positions import places
from heedful.network.encoders.self_attention import SelfAttention
from heedful.network.scores import Score


class Transformer(nn.Module):
    """Layers in which each token first looks at all others, then is changed by itself (normalised before each).

    Places are sines and cosines of many wavelengths, so a text may be of any length. Without places it reads a set.
    `score` makes the score function of a layer from the width of a head; without it, scaled dot products.
    """

    def __init__(
        self,
        width_in: int,
        width: int,
        *,
        n_layers: int,
        n_heads: int,
        inner: int,
        places: bool = True,
        score: Callable[[int], Score] | None = None,
    ) -> None:
        super().__init__()
        self.width, self.has_places = width, places
        self.enter = nn.Linear(width_in, width)
        self.layers = nn.ModuleList(
            [TransformerLayer(width, n_heads=n_heads, inner=inner, score=score) for _ in range(n_layers)]
        )
        self.leave = nn.LayerNorm(width)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Map (batch, time, width_in) to states (batch, time, width), 0 on pads."""
        states = self._entered(x)
        for layer in self.layers:
            states, _ = layer(states, mask, need_weights=False)
        return self.leave(states) * mask[:, :, None]  # type: ignore[no-any-return]

    def looks(self, x: Tensor, mask: Tensor) -> Tensor:
        """Return where each token looks: (batch, layer, head, time, time), exactly 0 where either is a pad."""
        states, found = self._entered(x), []
        for layer in self.layers:
            states, weights = layer(states, mask)
            found.append(weights)
        real = mask[:, None, None, :, None] & mask[:, None, None, None, :]
        return torch.stack(found, dim=1) * real

    def _entered(self, x: Tensor) -> Tensor:
        entered: Tensor = self.enter(x)
        return entered + places(x.shape[1], self.width).to(x) if self.has_places else entered


class TransformerLayer(nn.Module):
    """h ← h + attention(norm(h)); h ← h + connected(norm(h))."""

    def __init__(self, width: int, *, n_heads: int, inner: int, score: Callable[[int], Score] | None = None) -> None:
        super().__init__()
        self.norm_attention, self.norm_connected = nn.LayerNorm(width), nn.LayerNorm(width)
        of_heads = score(width // n_heads) if score is not None else None
        self.attention = SelfAttention(width, n_heads=n_heads, score=of_heads)
        self.widen, self.narrow = nn.Linear(width, inner), nn.Linear(inner, width)

    def forward(self, states: Tensor, mask: Tensor, *, need_weights: bool = True) -> tuple[Tensor, Tensor | None]:
        """Map (batch, time, width) to the same shape, with the weights of each head where they are needed."""
        seen, weights = self.attention(self.norm_attention(states), mask, need_weights=need_weights)
        states = states + seen
        return states + self.narrow(nn.functional.gelu(self.widen(self.norm_connected(states)))), weights
