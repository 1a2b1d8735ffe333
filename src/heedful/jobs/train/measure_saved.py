"""Metrics of a model as it is saved: the folder is loaded and answers for the validation set."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

from heedful.data.batch import Batch, ordered_batches
from heedful.network.network import Network, Output
from heedful.network.tensors import tensors_of
from heedful.runtime.model import MAX_CELLS, Model, load
from heedful.tasks.regress.goal import RegressGoal
from heedful.tasks.translate.model import Translator
from heedful.tasks.translate.read import TARGET
from heedful.training.goal import Goal, Judged
from heedful.training.loop.stream import StreamGoal
from heedful.training.loop.trainer import EVAL_CELLS, EVAL_TEXTS

# Of the loss, which is continuous: an accuracy may change with the last bit of two equal scores. Parity with the
# network is checked number by number in export/; this finds a model that answers otherwise as a whole.
ABSOLUTE, RELATIVE = 1e-3, 1e-2
_NOTHING = torch.zeros(0)


class SavedModelError(RuntimeError):
    """The saved model is not the one that was trained. A fault of ours, not the user's."""


def judge_saved(folder: Path, goal: Goal, *, threads: int | None = None) -> Judged:
    """Load a model folder and return its metrics on the validation set of the goal."""
    model = load(folder, threads=threads)
    goal = _plain(goal)
    if isinstance(goal, RegressGoal):
        numbers = np.zeros(len(goal.valid))
        for batch, (scores,) in model.run(goal.valid, ("scores",)):
            numbers[batch.positions] = scores[:, 0]
        return goal.judge_numbers(numbers)
    outputs = _translated(model, goal) if isinstance(model, Translator) else _outputs(model, goal)
    with torch.no_grad():  # a CRF is part of the goal
        return goal.judge(outputs)


def judge_network(network: Network, goal: Goal) -> Judged:
    """Return the metrics of the network itself."""
    network.eval()
    with torch.inference_mode():
        return _plain(goal).judge(
            (batch, network(*tensors_of(batch)))
            for batch in ordered_batches(goal.valid, max_texts=EVAL_TEXTS, max_cells=EVAL_CELLS)
        )


def check_same(trained: float, saved: float) -> None:
    """Raise where the loss of the saved model is not that of the trained network."""
    if not abs(trained - saved) <= ABSOLUTE + RELATIVE * abs(trained):
        raise SavedModelError(
            f"the saved model has loss {saved:g} on the validation set, the trained network had {trained:g}"
        )


def _plain(goal: Goal) -> Goal:
    return goal.inside if isinstance(goal, StreamGoal) else goal


def _outputs(model: Model, goal: Goal) -> Iterator[tuple[Batch, Output]]:
    name = "vector" if model.is_encoder else "scores"
    for batch, (scores,) in model.run(goal.valid, (name,)):
        yield batch, Output(torch.from_numpy(scores), _NOTHING, _NOTHING)


def _translated(model: Translator, goal: Goal) -> Iterator[tuple[Batch, Output]]:
    for batch in ordered_batches(goal.valid, max_texts=EVAL_TEXTS, max_cells=MAX_CELLS):
        target = batch.inputs[TARGET]
        scores = model.next_log_probabilities(batch, target)[target > 0]
        yield batch, Output(torch.from_numpy(scores), _NOTHING, _NOTHING)
