"""Hops and a linear head for a task, trained over the frozen states of an encoder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from heedful.data.batch import ordered_batches, training_batches
from heedful.data.features import Features
from heedful.network.network import Network, Output, front_inputs
from heedful.network.tensors import tensors_of
from heedful.training.goal import InMemoryGoal
from heedful.training.start.fits import OnFit, ignore_fit, threads_for_work, work_of

N_HOPS, ATTENTION_WIDTH = 4, 64
EPOCHS, LEAST_STEPS, MOST_STEPS = 20, 300, 3_000
BATCH, LR, DECAY, DROPOUT = 16, 2e-3, 1e-2, 0.3
RUN_TEXTS, RUN_CELLS = 256, 16_384
KEPT_CELLS = 60_000_000  # numbers of states that are kept in memory, as float16: 120 MB


def fit_task_hops(
    network: Network, goal: InMemoryGoal, *, batch_size: int = BATCH, seed: int = 0, on_fit: OnFit = ignore_fit
) -> None:
    """Train the hops and the linear head of a network to a goal; the encoder stays as it is."""
    states = States(network, goal.train)
    trained = [*network.pooler.parameters(), *network.head.parameters()]  # type: ignore[attr-defined]
    network.eval()
    with threads_for_work(work_of(network, batch_size, states.longest)), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        _restart(network)
        optimiser = torch.optim.AdamW(trained, lr=LR, weight_decay=DECAY)
        n_epochs = _epochs(len(goal.train), batch_size)
        schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.0, total_iters=n_epochs)
        for epoch in range(n_epochs):
            for positions in training_batches(goal.train, batch_size=batch_size, seed=seed, epoch=epoch):
                h, mask = states.padded(positions)
                rows, weights = network.pooler(h, mask)
                dropped = nn.functional.dropout(rows, DROPOUT)
                loss = goal.loss(Output(network.head(dropped), rows, weights), positions)
                optimiser.zero_grad()
                loss.total.backward()  # type: ignore[no-untyped-call]
                optimiser.step()
            schedule.step()
            on_fit(epoch + 1, n_epochs)


def _epochs(n_texts: int, batch_size: int) -> int:
    """Return the number of epochs: more for few texts, fewer for many."""
    steps = max(1, -(-n_texts // batch_size))
    return max(1, min(max(EPOCHS, -(-LEAST_STEPS // steps)), MOST_STEPS // steps or 1))


def _restart(network: Network) -> None:
    """Start from a head that answers nothing, so that the hops decide what it learns."""
    for module in network.pooler.modules():  # type: ignore[attr-defined]
        if hasattr(module, "reset_parameters"):
            module.reset_parameters()
    with torch.no_grad():
        for parameter in network.head.parameters():  # type: ignore[attr-defined]
            parameter.zero_()


class States:
    """The states of texts by a frozen encoder, kept in memory if they fit."""

    def __init__(self, network: Network, features: Sequence[Features]) -> None:
        self._network, self._features = network, features
        self._kept: list[Tensor] | None = None
        self.longest = max(map(len, features), default=1)
        if sum(map(len, features)) * int(network.encoder.width) <= KEPT_CELLS:
            self._kept = [torch.zeros(0)] * len(features)
            for batch in ordered_batches(features, max_texts=RUN_TEXTS, max_cells=RUN_CELLS):
                h, _ = self._run(batch)
                for row, i in enumerate(batch.positions):
                    self._kept[int(i)] = h[row, : int(batch.lengths[row])].half()

    def padded(self, positions: Sequence[int] | np.ndarray) -> tuple[Tensor, Tensor]:
        """Return states (batch, time, width) and mask (batch, time) of some texts."""
        if self._kept is None:
            from heedful.data.batch import pad

            return self._run(pad(self._features, positions))
        chosen = [self._kept[int(i)] for i in positions]
        h = nn.utils.rnn.pad_sequence(chosen, batch_first=True).float()
        lengths = torch.tensor([len(each) for each in chosen])
        return h, torch.arange(h.shape[1])[None] < lengths[:, None]

    def _run(self, batch) -> tuple[Tensor, Tensor]:  # type: ignore[no-untyped-def]
        with torch.inference_mode():
            inputs, mask = tensors_of(batch)
            h = self._network.states(self._network.embed(front_inputs(inputs)), mask, inputs)
        return h.clone(), mask.clone()
