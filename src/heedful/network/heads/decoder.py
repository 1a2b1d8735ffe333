"""The half of a translator that writes: two LSTMs, and between them attention to what the encoder read."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from heedful.network.dropout import Dropout
from heedful.network.encoders.bilstm import begin_lstm
from heedful.network.masks import masked_softmax
from heedful.network.poolers.mean_max_last import MeanPooler
from heedful.network.scores.score import Score


class Memory(NamedTuple):
    """What the decoder keeps from one token to the next, each (batch, units)."""

    first: Tensor
    first_cell: Tensor
    second: Tensor
    second_cell: Tensor


class Decoder(nn.Module):
    """Says the next token from the tokens before it and from the states of an encoder.

    s = LSTM₁(tokens before); weights = softmax(score(s, states)), which is the alignment; c = weights · states;
    t = LSTM₂([s; c]); scores = table · tanh(W [t; c]). The second LSTM sees what was read and the first asks for it, so
    no step waits for the one before (as it does in Bahdanau 2015): a whole target is a few large products.
    The table of tokens is that of the input and of the output (Press & Wolf 2017).
    """

    def __init__(
        self, n_ids: int, width: int, units: int, key_width: int, score: Score, *, dropout: float = 0.0
    ) -> None:
        super().__init__()
        if score.query_width != units:
            raise ValueError(f"the score takes queries of width {score.query_width}, the decoder has {units} units")
        self.units = units
        self.table = nn.Parameter(torch.randn(n_ids, width) * 0.1)
        self.begin = nn.Linear(key_width, 2 * units)
        self.first = nn.LSTM(width, units, batch_first=True)
        self.score = score
        self.second = nn.LSTM(units + key_width, units, batch_first=True)
        self.join = nn.Linear(units + key_width, width)
        self.bias = nn.Parameter(torch.zeros(n_ids))
        self.drop, self.mean = Dropout(dropout), MeanPooler()
        for lstm in (self.first, self.second):
            begin_lstm(lstm, units)

    def forward(self, states: Tensor, mask: Tensor, before: Tensor) -> tuple[Tensor, Tensor]:
        """Map states (batch, time, width), mask (batch, time) and ids (batch, out) to outs and weights.

        Outs (batch, out, width) are what `scores` takes; weights are (batch, out, time).
        """
        outs, weights, _ = self.step(states, mask, before, self.memory(states, mask))
        return outs, weights

    def memory(self, states: Tensor, mask: Tensor) -> Memory:
        """Return what the decoder begins with: made of the mean state (batch, time, width) of each text."""
        mean, _ = self.mean(states, mask)
        first, second = torch.tanh(self.begin(mean[:, 0])).chunk(2, dim=-1)  # (batch, units)
        return Memory(first, torch.zeros_like(first), second, torch.zeros_like(second))

    def step(self, states: Tensor, mask: Tensor, before: Tensor, memory: Memory) -> tuple[Tensor, Tensor, Memory]:
        """Go on by some tokens, ids (batch, out): return outs, weights and the memory after them."""
        x = self.drop(nn.functional.embedding(before, self.table))  # (batch, out, width)
        asked, (first, first_cell) = self.first(x, (memory.first[None].contiguous(), memory.first_cell[None]))
        weights = masked_softmax(self.score(asked, states), mask[:, None, :])  # (batch, out, time)
        context = weights @ states  # (batch, out, key width)
        both = torch.cat([self.drop(asked), context], dim=-1)  # (batch, out, units + key width)
        t, (second, second_cell) = self.second(both, (memory.second[None].contiguous(), memory.second_cell[None]))
        outs = torch.tanh(self.join(self.drop(torch.cat([t, context], dim=-1))))  # (batch, out, width)
        return outs, weights, Memory(first[0], first_cell[0], second[0], second_cell[0])

    def scores(self, outs: Tensor) -> Tensor:
        """Map outs (…, width) to the scores (…, id) of the next token."""
        return nn.functional.linear(self.drop(outs), self.table, self.bias)
