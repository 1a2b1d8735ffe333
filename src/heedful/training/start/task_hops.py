"""Hops for a task: those of an encoder, trained further over its frozen states together with a linear head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from heedful.data.batch import Batch, ordered_batches, pad, training_batches
from heedful.data.features import Features
from heedful.data.input_spec import NGRAM_COUNTS, NGRAMS
from heedful.network.network import Network, Output, front_inputs
from heedful.network.tensors import tensors_of
from heedful.training.goal import InMemoryGoal
from heedful.training.start.fits import OnFit, ignore_fit, threads_for_work

EPOCHS, MOST_STEPS = 12, 3_000
BATCH, LR, DROPOUT = 16, 2e-3, 0.5
ALIGNMENT = 0.1  # weight of the loss that draws attention to the words that add to the right answer
RUN_TEXTS, RUN_CELLS = 256, 16_384
MOST_KEPT = 60_000_000  # numbers of states that are kept, as float16: 120 MB
MOST_OF_SLOW = 750_000_000  # the same of transformers, which take seconds for some hundred texts: 1.5 GB


def fit_task_hops(network: Network, goal: InMemoryGoal, *, seed: int = 0, on_fit: OnFit = ignore_fit) -> None:
    """Train the hops and the answers of a network that starts from an encoder; all else stays as it is.

    The network needs a fitted head. `on_fit` is called after each epoch.
    """
    head: Any = network.head
    pooler: Any = network.pooler
    trained = [*pooler.parameters(), *head.answer.parameters()]
    n_texts = len(goal.train)
    n_epochs = max(1, min(EPOCHS, MOST_STEPS * BATCH // max(1, n_texts)))
    network.eval()
    states, ngram_scores = FrozenStates(network, goal.train), scores_of_ngrams(network, goal.train)
    with threads_for_work(BATCH * states.longest * states.width), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        optimiser = torch.optim.AdamW(trained, lr=LR, weight_decay=0.0)
        n_steps, step = n_epochs * -(-n_texts // BATCH), 0
        for epoch in range(n_epochs):
            for positions in training_batches(goal.train, batch_size=BATCH, seed=seed, epoch=epoch):
                for group in optimiser.param_groups:
                    group["lr"] = LR * (1 - step / n_steps)
                h, mask = states.padded(positions)
                rows, weights = pooler(h, mask)
                scores = head(nn.functional.dropout(rows, DROPOUT))
                if ngram_scores is not None:
                    scores = scores + ngram_scores[torch.from_numpy(positions)]
                output = Output(scores, rows, weights)
                loss = goal.loss(output, positions).total
                loss = loss + ALIGNMENT * misplaced(head, h, weights, goal.direction(positions))
                optimiser.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                optimiser.step()
                step += 1
            on_fit(epoch + 1, n_epochs)


def scores_of_ngrams(network: Network, features: Sequence[Features]) -> Tensor | None:
    """Return the scores (input, label) of the wide part, which stays as it is; None if there is none."""
    if network.wide is None:
        return None
    scores = torch.zeros(len(features), len(network.wide.bias))
    with torch.no_grad():
        for batch in ordered_batches(features, max_texts=RUN_TEXTS, max_cells=RUN_CELLS):
            inputs, _ = tensors_of(batch)
            assert isinstance(inputs, Mapping)
            scores[torch.from_numpy(batch.positions)] = network.wide(inputs[NGRAMS], inputs[NGRAM_COUNTS])
    return scores


def misplaced(head: Any, h: Tensor, weights: Tensor, direction: Tensor) -> Tensor:
    """Return the cross-entropy of the mean attention with the contributions to the right answer.

    `direction` (batch, label) is 1 for the labels that are right. Words that add to their scores should be read.
    """
    with torch.no_grad():
        n_hops, width = weights.shape[1], h.shape[2]
        linear = (direction @ head.answer.weight) @ head.vector.map.weight  # (batch, hop · width)
        of_states = torch.bmm(linear.view(-1, n_hops, width), h.transpose(1, 2))  # (batch, hop, time)
        adds = (of_states * weights).sum(dim=1).clamp(min=0.0)  # (batch, time)
        adds = adds / adds.sum(dim=1, keepdim=True).clamp(min=1e-9)
    return -(adds * weights.mean(dim=1).clamp(min=1e-9).log()).sum(dim=1).mean()


class FrozenStates:
    """The states that the pooler reads, by a frozen encoder; kept in memory if they fit, else computed again."""

    def __init__(self, network: Network, features: Sequence[Features]) -> None:
        self._network, self._features = network, features
        self.width, self.longest = int(network.encoder.width), max(map(len, features), default=1)
        self._kept: list[Tensor] = []
        most = MOST_KEPT if network.is_fast else MOST_OF_SLOW
        if sum(map(len, features)) * self.width <= most:
            self._kept = [torch.zeros(0, self.width, dtype=torch.float16)] * len(features)
            for batch in ordered_batches(features, max_texts=RUN_TEXTS, max_cells=RUN_CELLS):
                h, mask = self._run(batch)
                for row, i in enumerate(batch.positions):
                    self._kept[int(i)] = h[row, mask[row]].half()

    def padded(self, positions: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
        """Return states (batch, time, width) and mask (batch, time) of some inputs."""
        if not self._kept:
            return self._run(pad(self._features, positions))
        chosen = [self._kept[int(i)] for i in positions]
        lengths = torch.tensor([len(each) for each in chosen])
        h = nn.utils.rnn.pad_sequence(chosen, batch_first=True).float()
        if not h.shape[1]:  # all are empty
            h = h.new_zeros(len(chosen), 1, self.width)
        return h, torch.arange(h.shape[1])[None] < lengths[:, None]

    def _run(self, batch: Batch) -> tuple[Tensor, Tensor]:
        inputs, mask = tensors_of(batch)
        with torch.no_grad():
            states = self._network.states(self._network.embed(front_inputs(inputs)), mask, inputs)
        return states, self._network.pooled_mask(mask)
