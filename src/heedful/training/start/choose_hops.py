"""Choosing between an encoder's own hops and hops for the task, by cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from heedful.data.batch import ordered_batches
from heedful.network.network import Network
from heedful.network.tensors import tensors_of
from heedful.training.goal import InMemoryGoal
from heedful.training.start.fits import OnFit, ignore_fit
from heedful.training.start.task_hops import fit_task_hops

FOLDS = 3
FEWEST_EACH = 12  # examples for each label: with fewer, the encoder's hops were better
FEWEST = 100  # examples: with fewer, cross-validation tells too little, and the encoder's hops stay
ENOUGH = 400  # examples: with more, hops for the task were better on every set that we measured
EVAL_TEXTS, EVAL_CELLS = 256, 16_384


@dataclass(frozen=True)
class Fold:
    """A part of the training examples to learn from, and the rest to measure on."""

    goal: InMemoryGoal
    network: Network  # with the encoder's weights
    fit_head: Callable[[], None]


def task_hops_are_better(folds: Sequence[Callable[[], Fold]], *, seed: int = 0, on_fit: OnFit = ignore_fit) -> bool:
    """Return whether hops for the task are at least as good as the encoder's on held-out examples."""
    ranks = []
    for i, make in enumerate(folds):
        fold = make()
        fold.fit_head()
        before = _rank(fold)
        fit_task_hops(fold.network, fold.goal, seed=seed)
        ranks.append((before, _rank(fold)))
        on_fit(i + 1, len(folds))
    own, task = np.mean(ranks, axis=0)
    return bool(task >= own)


def _rank(fold: Fold) -> float:
    """Return the metric by which the best epoch would be chosen, on the held-out examples."""
    network, goal = fold.network.eval(), fold.goal
    with torch.inference_mode():
        outputs = (
            (batch, network(*tensors_of(batch)))
            for batch in ordered_batches(goal.valid, max_texts=EVAL_TEXTS, max_cells=EVAL_CELLS)
        )
        return goal.judge(outputs).rank[0]


def fold_positions(n: int, *, seed: int) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the positions of the training and the held-out examples of each fold."""
    order = np.random.default_rng([seed, 0xF01D]).permutation(n)
    for i in range(FOLDS):
        held = sorted(order[i::FOLDS].tolist())
        yield sorted(set(range(n)) - set(held)), held
