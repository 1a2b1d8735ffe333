"""The paper's model as the public ports write it: the rival of `train_speed`.

Batches are random and padded to their longest text, the LSTM is packed, the softmax is over the padded length with the
pads masked (most ports forget even that), the head is the full MLP over all of M, and one dense Adam updates
everything, the whole table of vectors included.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class PortStyle(nn.Module):
    """BiLSTM, two linear layers of attention, an MLP."""

    def __init__(
        self, n_ids: int, width: int, *, units: int, inner: int, hops: int, hidden: int, n_classes: int
    ) -> None:
        super().__init__()
        self.embed = nn.Embedding(n_ids, width, padding_idx=0)
        self.lstm = nn.LSTM(width, units, batch_first=True, bidirectional=True)
        self.w1, self.w2 = nn.Linear(2 * units, inner, bias=False), nn.Linear(inner, hops, bias=False)
        self.hidden, self.answer = nn.Linear(hops * 2 * units, hidden), nn.Linear(hidden, n_classes)
        self.drop = nn.Dropout(0.4)

    def forward(self, ids: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Map padded ids to scores and attention."""
        packed = pack_padded_sequence(self.drop(self.embed(ids)), lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=ids.shape[1])
        scores = self.w2(torch.tanh(self.w1(states))).transpose(1, 2)
        scores = scores.masked_fill((ids == 0)[:, None, :], -1e9)
        weights = scores.softmax(-1)
        rows = weights @ states
        hidden = torch.relu(self.hidden(self.drop(rows.flatten(1))))
        return self.answer(self.drop(hidden)), weights


def port_penalty(weights: Tensor) -> Tensor:
    """Return Eq. 8, which the better ports have right."""
    eye = torch.eye(weights.shape[1])
    return (weights @ weights.transpose(1, 2) - eye).square().sum((1, 2)).mean()
