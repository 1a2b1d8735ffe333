"""Self-attention and fully connected layers in turn."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from heedful.layers.masks import masked_softmax


class Transformer(nn.Module):
    """Layers in which each token first looks at all others, then is changed by itself (normalised before each).

    Places are sines and cosines of many wavelengths, so a text may be of any length.
    """

    def __init__(self, width_in: int, width: int, *, n_layers: int, n_heads: int, inner: int) -> None:
        super().__init__()
        self.width = width
        self.enter = nn.Linear(width_in, width)
        self.layers = nn.ModuleList([TransformerLayer(width, n_heads=n_heads, inner=inner) for _ in range(n_layers)])
        self.leave = nn.LayerNorm(width)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Map (batch, time, width_in) to states (batch, time, width), 0 on pads."""
        states = self.enter(x) + places(x.shape[1], self.width).to(x)
        for layer in self.layers:
            states = layer(states, mask)
        return self.leave(states) * mask[:, :, None]  # type: ignore[no-any-return]


class TransformerLayer(nn.Module):
    """h ← h + attention(norm(h)); h ← h + connected(norm(h))."""

    def __init__(self, width: int, *, n_heads: int, inner: int) -> None:
        super().__init__()
        if width % n_heads:
            raise ValueError(f"a width of {width} cannot be shared by {n_heads} heads")
        self.n_heads = n_heads
        self.norm_attention, self.norm_connected = nn.LayerNorm(width), nn.LayerNorm(width)
        self.queries, self.keys, self.values = (nn.Linear(width, width) for _ in range(3))
        self.join = nn.Linear(width, width)
        self.widen, self.narrow = nn.Linear(width, inner), nn.Linear(inner, width)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """Map (batch, time, width) to the same shape."""
        seen, _ = self.attend(self.norm_attention(states), mask)
        states = states + seen
        return states + self.narrow(nn.functional.gelu(self.widen(self.norm_connected(states))))  # type: ignore[no-any-return]

    def attend(self, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return what each token takes from the others, and the weights (batch, head, time, time)."""
        q, k, v = (self._split(layer(states)) for layer in (self.queries, self.keys, self.values))
        scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[-1])  # (batch, head, time, time)
        weights = masked_softmax(scores, mask[:, None, None, :])
        return self.join((weights @ v).transpose(1, 2).flatten(2)), weights

    def _split(self, x: Tensor) -> Tensor:
        """Map (batch, time, width) to (batch, head, time, width of a head)."""
        batch, time, width = x.shape
        return x.view(batch, time, self.n_heads, width // self.n_heads).transpose(1, 2)


def places(time: int, width: int) -> Tensor:
    """Return (time, width): sines in the even columns, cosines in the odd ones."""
    steps = torch.arange(time, dtype=torch.float32)[:, None]
    speeds = torch.exp(torch.arange(0, width, 2) * (-math.log(10_000.0) / width))
    table = torch.zeros(time, width)
    table[:, 0::2] = torch.sin(steps * speeds)
    table[:, 1::2] = torch.cos(steps * speeds)[:, : width // 2]
    return table
