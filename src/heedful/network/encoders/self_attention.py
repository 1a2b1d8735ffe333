"""Multi-head self-attention with queries, keys and values, by the formula and by torch's fused kernel."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from heedful.network.masks import masked_softmax
from heedful.network.scores.score import Score


class SelfAttention(nn.Module):
    """Each token takes from the others what they have to give: softmax(Q Kᵀ / √d_k) V in each head, then joined.

    | Vaswani et al. 2017 | here                                                            |
    |---------------------|-----------------------------------------------------------------|
    | X, n × d_model      | states, (batch, time, width)                                    |
    | W^Q, W^K, W^V       | `queries`, `keys`, `values`: the columns of all heads, and bias |
    | h, d_k = d_v        | n_heads, width of a head = width / n_heads                      |
    | Q, K, V             | q, k, v, (batch, head, time, width of a head)                   |
    | W^O                 | `join`                                                          |

    `fast` takes torch's fused kernel in place of the formula; both give the same. Any other score function may take
    the place of Q Kᵀ / √d_k, the same one in all heads; then the formula is all there is.
    """

    def __init__(self, width: int, *, n_heads: int, fast: bool = True, score: Score | None = None) -> None:
        super().__init__()
        if width % n_heads:
            raise ValueError(f"a width of {width} cannot be shared by {n_heads} heads")
        self.n_heads, self.fast, self.score = n_heads, fast and score is None, score
        self.queries, self.keys, self.values = (nn.Linear(width, width) for _ in range(3))
        self.join = nn.Linear(width, width)

    def forward(
        self, states: Tensor, mask: Tensor, *, need_weights: bool = True, added_scores: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None]:
        """Map (batch, time, width) to the same shape, and to weights (batch, head, time, time) where they are needed.

        A row of the weights is a token that looks, a column one that is looked at. In a text without tokens nothing
        is seen: zeros, and weights of 0. `added_scores` (head, time, time) are added to Q Kᵀ / √d_k.
        """
        q, k, v = (self._split(part(states)) for part in (self.queries, self.keys, self.values))
        if self.fast:
            seen = fast_attention(q, k, v, mask, added_scores)
            weights = attention_weights(q, k, mask, added_scores) if need_weights else None
        elif self.score is None:
            seen, weights = plain_attention(q, k, v, mask, added_scores)
        else:
            weights = scored_weights(self.score, q, k, mask)
            seen = weights @ v
        return self.join(seen.transpose(1, 2).flatten(2)), weights

    def _split(self, x: Tensor) -> Tensor:
        """Map (batch, time, width) to (batch, head, time, width of a head)."""
        batch, time, width = x.shape
        return x.view(batch, time, self.n_heads, width // self.n_heads).transpose(1, 2)


def plain_attention(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor, added_scores: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Return softmax(Q Kᵀ / √d_k) V, (batch, head, time, width of a head), and the weights."""
    weights = attention_weights(q, k, mask, added_scores)
    return weights @ v, weights


def fast_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor, added_scores: Tensor | None = None) -> Tensor:
    """Return the same without ever holding the weights of all pairs."""
    some = mask.any(1)[:, None]  # (batch, 1)
    open_to = (mask | ~some)[:, None, None, :]  # torch versions differ in rows where all is masked
    if added_scores is not None:
        open_to = added_scores.masked_fill(~open_to, torch.finfo(q.dtype).min)  # (batch, head, time, time)
    seen = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=open_to)
    return seen * some[:, :, None, None]


def attention_weights(q: Tensor, k: Tensor, mask: Tensor, added_scores: Tensor | None = None) -> Tensor:
    """Return softmax(Q Kᵀ / √d_k) over the real tokens: (batch, head, time, time), exactly 0 on pads."""
    scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[-1])  # (batch, head, time, time)
    scores = scores if added_scores is None else scores + added_scores
    return masked_softmax(scores, mask[:, None, None, :])


def scored_weights(score: Score, q: Tensor, k: Tensor, mask: Tensor) -> Tensor:
    """Return the weights by any score function: (batch, head, time, time), exactly 0 on pads."""
    scores = score(q.flatten(0, 1), k.flatten(0, 1))  # (batch · head, time, time)
    return masked_softmax(scores.view(*q.shape[:2], *scores.shape[1:]), mask[:, None, None, :])
