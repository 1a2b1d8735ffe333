"""The wide part of a network: the weight of each n-gram, straight into the scores."""

from __future__ import annotations

import torch
from torch import Tensor, nn

EPSILON = 1e-12  # for a text without known n-grams


class Wide(nn.Module):
    """Scores that are linear in the n-grams of a text, scaled to a vector of length 1.

    value[g] = count[g] · factor[g], score[c] = bias[c] + Σ_g value[g] / ‖value‖ · weight[g, c]. Row 0 is for the pad.
    The weights are fitted, not trained step by step: see `training/start/ngrams/wide_fit.py`.
    """

    factors: Tensor
    weight: Tensor
    bias: Tensor

    def __init__(self, n_ngrams: int, n_classes: int) -> None:
        super().__init__()
        self.register_buffer("factors", torch.zeros(n_ngrams))
        self.register_buffer("weight", torch.zeros(n_ngrams, n_classes))
        self.register_buffer("bias", torch.zeros(n_classes))

    def forward(self, ids: Tensor, counts: Tensor) -> Tensor:
        """Map n-grams (batch, n-gram) and their counts (batch, n-gram) to scores (batch, class)."""
        values = self.factors[ids] * counts  # (batch, n-gram)
        values = values / values.norm(dim=1, keepdim=True).clamp(min=EPSILON)
        return torch.einsum("bg,bgc->bc", values, self.weight[ids]) + self.bias
