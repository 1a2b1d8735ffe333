"""What training makes small: wrong answers, and hops that read the same words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from heedful.layers.structured_attention import penalty
from heedful.training.network import Output


class Loss(NamedTuple):
    """The loss and its parts, each a mean over the batch."""

    total: Tensor
    answer: Tensor
    penalty: Tensor


class ClassifyLoss:
    """Cross-entropy, plus the coefficient times Eq. 8 where there is more than one hop."""

    def __init__(self, *, coefficient: float, class_weights: Tensor | None = None) -> None:
        self.coefficient, self.class_weights = coefficient, class_weights

    def to(self, device: torch.device) -> ClassifyLoss:
        """Return the same loss for another device."""
        weights = None if self.class_weights is None else self.class_weights.to(device)
        return ClassifyLoss(coefficient=self.coefficient, class_weights=weights)

    def __call__(self, output: Output, truth: Tensor) -> Loss:
        """Compare scores with label numbers (batch,)."""
        answer = nn.functional.cross_entropy(output.scores, truth, weight=self.class_weights)
        return with_penalty(answer, output, self.coefficient)


def with_penalty(answer: Tensor, output: Output, coefficient: float) -> Loss:
    """Add the coefficient times Eq. 8 to the loss of an answer, where there is more than one hop."""
    if coefficient == 0.0 or output.weights.shape[1] == 1:
        return Loss(answer, answer.detach(), torch.zeros(()))
    apart = penalty(output.weights).mean()
    return Loss(answer + coefficient * apart, answer.detach(), apart.detach())


def balanced_weights(truth: NDArray[np.int64], n_classes: int) -> Tensor:
    """Return n / (classes · count) for each label, so that every label counts the same."""
    counts = np.bincount(truth, minlength=n_classes)
    return torch.tensor(len(truth) / (n_classes * np.maximum(counts, 1)), dtype=torch.float32)
