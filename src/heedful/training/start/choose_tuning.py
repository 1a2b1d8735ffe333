"""Choosing by cross-validation what few labels change: the head, the hops, or the encoder by a contrastive step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from heedful.data.batch import Batch, ordered_batches
from heedful.network.network import Network, Output
from heedful.network.tensors import tensors_of
from heedful.training.goal import InMemoryGoal
from heedful.training.start.contrast import fit_contrast
from heedful.training.start.fits import OnFit, ignore_fit
from heedful.training.start.linear_probe import best_temperature
from heedful.training.start.task_hops import fit_task_hops

ANSWER, HOPS, CONTRAST, CONTRAST_HOPS = "answer", "hops", "contrast", "contrast-hops"  # values of train.tune
NAMES = {ANSWER: "head", HOPS: "hops", CONTRAST: "contrastive step", CONTRAST_HOPS: "contrastive step and hops"}
FOLDS = 3
FEWEST_EACH = 12  # examples for each label: with fewer, the encoder's hops were better
FEWEST = 100  # examples: with fewer, cross-validation tells too little, and the encoder's hops stay
FEWEST_TO_CONTRAST = 100  # texts: with 50 of SST-2 cross-validation chose the step, which cost 6 points
ENOUGH = 400  # examples: with more, hops for the task were better on every set that we measured
GAIN = 0.01  # share of the loss that a way must save over those before it
EVAL_TEXTS, EVAL_CELLS = 256, 16_384


@dataclass(frozen=True)
class Fold:
    """A part of the training examples to learn from, and the rest to measure on."""

    goal: InMemoryGoal
    network: Network  # with the encoder's weights
    fit_head: Callable[[], None]


@dataclass(frozen=True)
class Ways:
    """What may be fitted, as values of train.tune, and the number of contrastive steps."""

    names: tuple[str, ...] = ()
    n_steps: int = 0
    note: str = ""  # why something is not tried


class HeldOut(NamedTuple):
    """The held-out examples of a fold, as one way of fitting answers them."""

    rank: float  # the metric by which the best epoch would be chosen
    scores: Tensor  # (example, label)
    truth: NDArray[np.int64] | None  # (example,), if each has one label


@dataclass(frozen=True)
class Tuning:
    """The way of fitting that was chosen, the temperature that suits held-out examples, and a line for the user."""

    way: str
    temperature: float
    note: str


def fit_way(
    network: Network,
    goal: InMemoryGoal,
    fit_head: Callable[[], None],
    way: str,
    *,
    n_steps: int,
    seed: int,
    on_fit: OnFit = ignore_fit,
) -> None:
    """Fit a network with the encoder's weights in one of the ways. `on_fit` is called while it is fitted."""
    if way in (CONTRAST, CONTRAST_HOPS):
        assert goal.truth is not None
        fit_contrast(network, goal.train, goal.truth[0], n_steps=n_steps, seed=seed, on_fit=on_fit)
        goal.is_contrasted = True
    fit_head()
    if way in (HOPS, CONTRAST_HOPS):
        fit_task_hops(network, goal, seed=seed, on_fit=on_fit)


def divide_scores(network: Network, temperature: float) -> None:
    """Divide the scores of a network with a linear head by a number."""
    head: Any = network.head
    parts = [*head.answer.parameters(), *([] if network.wide is None else [network.wide.weight, network.wide.bias])]
    with torch.no_grad():
        for part in parts:
            part.div_(temperature)


def choose_tuning(
    folds: Sequence[Callable[[], Fold]], ways: Ways, *, seed: int = 0, on_fit: OnFit = ignore_fit
) -> Tuning:
    """Return the way that is best on held-out examples; of nearly equal ones the first."""
    held_out: dict[str, list[HeldOut]] = {way: [] for way in ways.names}
    chains = [chain for chain in ((ANSWER, HOPS), (CONTRAST, CONTRAST_HOPS)) if set(chain) & set(ways.names)]
    n_fits = len(folds) * len(chains)
    for i, make in enumerate(folds):
        for j, (first, then) in enumerate(chains):
            fold = make()
            fit_way(fold.network, fold.goal, fold.fit_head, first, n_steps=ways.n_steps, seed=seed)
            if first in held_out:
                held_out[first].append(_measured(fold))
            if then in held_out:
                fit_task_hops(fold.network, fold.goal, seed=seed)
                held_out[then].append(_measured(fold))
            on_fit(i * len(chains) + j + 1, n_fits)
    best = ways.names[0]
    for way in ways.names[1:]:
        best = way if _is_better(held_out[way], held_out[best]) else best
    return Tuning(best, _temperature(held_out[best]), _note(held_out, best))


def fold_positions(n: int, *, seed: int, n_folds: int = FOLDS) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the positions of the training and the held-out examples of some of the folds."""
    order = np.random.default_rng([seed, 0xF01D]).permutation(n)
    for i in range(n_folds):
        held = sorted(order[i::FOLDS].tolist())
        yield sorted(set(range(n)) - set(held)), held


def _measured(fold: Fold) -> HeldOut:
    """Return how the network of a fold answers the held-out examples."""
    network, goal = fold.network.eval(), fold.goal
    scores: list[Tensor] = [torch.zeros(0)] * len(goal.valid)

    def outputs() -> Iterator[tuple[Batch, Output]]:
        for batch in ordered_batches(goal.valid, max_texts=EVAL_TEXTS, max_cells=EVAL_CELLS):
            output = network(*tensors_of(batch))
            for row, position in enumerate(batch.positions):
                scores[int(position)] = output.scores[row]
            yield batch, output

    with torch.inference_mode():
        rank = goal.judge(outputs()).rank[0]
        return HeldOut(rank, torch.stack(scores), None if goal.truth is None else goal.truth[1])


def _pooled(trials: Sequence[HeldOut]) -> tuple[Tensor, NDArray[np.int64]]:
    """Return the scores of all folds and the labels."""
    truth = [each.truth for each in trials if each.truth is not None]
    return torch.cat([each.scores for each in trials]), np.concatenate(truth)


def _temperature(trials: Sequence[HeldOut]) -> float:
    return 1.0 if trials[0].truth is None else best_temperature(*_pooled(trials))


def _is_better(trials: Sequence[HeldOut], best: Sequence[HeldOut]) -> bool:
    """Return whether a way saves a share of the loss that is more than the standard error of what it saves.

    On some ten texts chance alone often makes one way look better: SST-2 with 50 texts fell from 68.8 to 62.8
    without this. Where an example has no single label, the metric decides.
    """
    if trials[0].truth is None:
        return bool(np.mean([each.rank for each in trials]) >= np.mean([each.rank for each in best]))
    before, after = _losses(best), _losses(trials)
    saved = before - after
    return bool(saved.mean() > max(GAIN * before.mean(), saved.std() / len(saved) ** 0.5))


def _losses(trials: Sequence[HeldOut]) -> NDArray[np.float64]:
    """Return the cross-entropy (example,) at the best temperature."""
    scores, truth = _pooled(trials)
    losses = torch.nn.functional.cross_entropy(scores / _temperature(trials), torch.from_numpy(truth), reduction="none")
    return losses.double().numpy()


def _note(held_out: Mapping[str, Sequence[HeldOut]], best: str) -> str:
    """Return a line about what was compared and what was chosen."""
    n = sum(len(each.scores) for each in held_out[best])
    metrics = ", ".join(
        f"{NAMES[way]} {np.mean([each.rank for each in trials]):.3f}" for way, trials in held_out.items()
    )
    chosen = f"; chosen: {NAMES[best]}" if len(held_out) > 1 else ""
    return f"cross-validation on {n:,} texts, metric by what is fitted to the labels: {metrics}{chosen}"
