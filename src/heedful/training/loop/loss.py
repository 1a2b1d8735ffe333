"""What training makes small: wrong answers, and hops that read the same words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from heedful.network.network import Output
from heedful.network.poolers.structured_attention import penalty


class Loss(NamedTuple):
    """The loss of a batch: of the answers, and the penalty. Each is a mean."""

    answer: Tensor
    penalty: Tensor  # a mean over the examples
    coefficient: float = 0.0  # of the penalty
    mass: Tensor | None = None  # what the answer's mean is over, where it is not the examples: tokens, or their weights

    @property
    def total(self) -> Tensor:
        """What is made small."""
        return self.answer + self.coefficient * self.penalty if self.coefficient else self.answer

    def share(self, of_answer: float, of_penalty: float) -> Tensor:
        """Return this batch's part in the total of a larger one, of which it has these shares."""
        return of_answer * self.answer + (of_penalty * self.coefficient) * self.penalty


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
        mass = None if self.class_weights is None else self.class_weights[truth].sum()
        return with_penalty(answer, output, self.coefficient, mass=mass)


def with_penalty(answer: Tensor, output: Output, coefficient: float, *, mass: Tensor | None = None) -> Loss:
    """Add the coefficient times Eq. 8 to the loss of an answer, where there is more than one hop."""
    if coefficient == 0.0 or output.weights.shape[1] == 1:
        return Loss(answer, torch.zeros(()), mass=mass)
    return Loss(answer, penalty(output.weights).mean(), coefficient, mass)


def balanced_weights(truth: NDArray[np.int64], n_classes: int) -> Tensor:
    """Return n / (classes · count) for each label, so that every label counts the same."""
    counts = np.bincount(truth, minlength=n_classes)
    return torch.tensor(len(truth) / (n_classes * np.maximum(counts, 1)), dtype=torch.float32)
