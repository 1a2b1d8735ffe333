"""Metrics of a model as it is saved: the folder is loaded and answers for the validation set."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import torch

from heedful.data.batch import Batch, ordered_batches
from heedful.network.network import Network, Output
from heedful.network.tensors import tensors_of
from heedful.runtime.model import load
from heedful.training.goal import Goal, Judged
from heedful.training.loop.trainer import EVAL_CELLS, EVAL_TEXTS

# Tolerances of the loss, which is continuous: accuracy can change with the last bit of a tied score. Parity of single
# outputs is checked in network/parity.py; this check finds a model that predicts differently as a whole.
ABSOLUTE, RELATIVE = 1e-3, 1e-2


class SavedModelError(RuntimeError):
    """The saved model differs from the trained network. A bug, not a user's fault."""


def judge_saved(folder: Path, goal: Goal, *, threads: int | None = None) -> Judged:
    """Load a model folder and return its metrics on the validation set of the goal."""
    model = load(folder, threads=threads)
    with torch.no_grad():  # a CRF is part of the goal
        return goal.inside.judge_model(model)


def judge_network(network: Network, goal: Goal) -> Judged:
    """Return the metrics of the network itself."""
    with torch.inference_mode():
        return goal.inside.judge(outputs_of(network, goal))


def outputs_of(network: Network, goal: Goal) -> Iterator[tuple[Batch, Output]]:
    """Yield the outputs of a network for the validation set."""
    network.eval()
    for batch in ordered_batches(goal.valid, max_texts=EVAL_TEXTS, max_cells=EVAL_CELLS):
        with torch.inference_mode():
            yield batch, network(*tensors_of(batch))


def check_same(trained: float, saved: float) -> None:
    """Raise if the loss of the saved model differs from that of the trained network."""
    if not abs(trained - saved) <= ABSOLUTE + RELATIVE * abs(trained):
        raise SavedModelError(
            f"the saved model has loss {saved:g} on the validation set, the trained network had {trained:g}"
        )
