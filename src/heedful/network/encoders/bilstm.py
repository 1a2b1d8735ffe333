"""A bidirectional LSTM that is exact over padded batches."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from heedful.network.masks import reversal


class BiLstm(nn.Module):
    """Two LSTMs, one reading each text from its first token, one from its last (the paper's H, width 2u).

    Packing would also be exact, but trains 2.3 times slower at length 100 on a CPU. Here each text is reversed within
    its own length instead, so neither LSTM meets a pad before it has read the whole text; what it makes of the pads
    after that is set to 0.
    """

    def __init__(self, width_in: int, units: int) -> None:
        super().__init__()
        self.width = 2 * units
        self.forwards = nn.LSTM(width_in, units, batch_first=True)
        self.backwards = nn.LSTM(width_in, units, batch_first=True)
        for lstm in (self.forwards, self.backwards):
            begin_lstm(lstm, units)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Map (batch, time, width_in) to states (batch, time, 2 · units), 0 on pads."""
        order = reversal(mask)[:, :, None]  # (batch, time, 1)
        ahead, _ = self.forwards(x)
        back, _ = self.backwards(x.gather(1, order.expand_as(x)))
        states = torch.cat([ahead, back.gather(1, order.expand_as(back))], dim=-1)  # (batch, time, 2 · units)
        return states * mask[:, :, None]


def begin_lstm(lstm: nn.LSTM, units: int) -> None:
    """Start with orthogonal recurrences and an open forget gate: both make long texts learnable at once."""
    for name, weight in lstm.named_parameters():
        if name.startswith("weight_hh"):
            for gate in weight.data.chunk(4):
                nn.init.orthogonal_(gate)
        elif name.startswith("weight_ih"):
            nn.init.xavier_uniform_(weight)
        else:
            nn.init.zeros_(weight)
            if name.startswith("bias_ih"):
                weight.data[units : 2 * units] = 1.0
