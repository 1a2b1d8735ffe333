"""Which label follows which: a linear-chain conditional random field, exact, in log space."""

from __future__ import annotations

import torch
from torch import Tensor, nn

NEVER = -10_000.0  # the score of a step that is not allowed: e^NEVER is 0, and so is the gradient


class Crf(nn.Module):
    """p(labels | text) = exp(Σ scores of the labels + Σ steps between them) / the same, summed over all label rows.

    `steps[i, j]` is the score of label j after label i. The last row is for what begins a text, the last column for
    what ends it.
    """

    def __init__(self, n_labels: int) -> None:
        super().__init__()
        self.n_labels = n_labels
        self.steps = nn.Parameter(torch.zeros(n_labels + 1, n_labels + 1))

    def bar(self, steps: Tensor) -> None:
        """Never take some steps: (label + 1, label + 1), True where barred."""
        if steps.shape != self.steps.shape:
            raise ValueError(f"the barred steps are {tuple(steps.shape)}, expected {tuple(self.steps.shape)}")
        with torch.no_grad():
            self.steps.masked_fill_(steps, NEVER)

    def forward(self, scores: Tensor, truth: Tensor, mask: Tensor) -> Tensor:
        """Return −log p of the truth (batch, time) by scores (batch, time, label), for each text: (batch,).

        A label of -1 is not known: p is then that of all label rows which agree with what is known.
        """
        labels = torch.arange(self.n_labels, device=scores.device)
        others = (truth[:, :, None] >= 0) & (labels != truth[:, :, None])  # (batch, time, label)
        both = torch.cat([scores, scores.masked_fill(others, NEVER)])  # all label rows, and those that agree
        everything, agreeing = self.log_sum(both, mask.repeat(2, 1)).chunk(2)
        return everything - agreeing

    def log_sum(self, scores: Tensor, mask: Tensor) -> Tensor:
        """Return log Σ exp over all label rows of each text, (batch,); 0 for a text without tokens."""
        between, begin, end = self._parts()
        total = begin + scores[:, 0]  # (batch, label): of all rows so far that end in this label
        for t in range(1, scores.shape[1]):
            onward = torch.logsumexp(total[:, :, None] + between, dim=1) + scores[:, t]
            total = torch.where(mask[:, t, None], onward, total)
        return torch.logsumexp(total + end, dim=1) * mask[:, 0]

    def best(self, scores: Tensor, mask: Tensor) -> Tensor:
        """Return the most probable labels of each text (Viterbi): (batch, time), -1 on pads."""
        between, begin, end = self._parts()
        total = begin + scores[:, 0]  # (batch, label): of the best row so far that ends in this label
        stay = torch.arange(self.n_labels, device=scores.device).expand_as(total)
        back = []
        for t in range(1, scores.shape[1]):
            onward, came_from = (total[:, :, None] + between).max(dim=1)
            total = torch.where(mask[:, t, None], onward + scores[:, t], total)
            back.append(torch.where(mask[:, t, None], came_from, stay))
        path = [(total + end).argmax(dim=1)]
        for came_from in reversed(back):
            path.append(came_from.gather(1, path[-1][:, None])[:, 0])
        return torch.stack(path[::-1], dim=1).masked_fill(~mask, -1)

    def _parts(self) -> tuple[Tensor, Tensor, Tensor]:
        """Return the scores between labels (label, label), of the first (label,) and of the last (label,)."""
        return self.steps[:-1, :-1], self.steps[-1, :-1], self.steps[:-1, -1]
