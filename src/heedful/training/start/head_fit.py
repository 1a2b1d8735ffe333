"""The best linear head for the vectors of the encoder that training starts from."""

from __future__ import annotations

from collections.abc import Sequence

from heedful.config import Config
from heedful.data.example import Example
from heedful.data.labels import label_numbers
from heedful.network.heads.heads import MappedHead
from heedful.network.heads.pair_heads import LikenessHead
from heedful.network.network import Network
from heedful.tasks.multilabel.goal import ManyGoal
from heedful.tasks.multilabel.metrics import truth_of
from heedful.tasks.pair.start import answer_pairs_by_probe, answer_pairs_by_ridge
from heedful.tasks.regress.goal import RegressGoal
from heedful.training.goal import Goal, LabelledSet
from heedful.training.goals import numbers_of
from heedful.training.start.fits import OnFit, ignore_fit
from heedful.training.start.from_encoder import answer_by_probe, answer_by_ridge, answer_many_by_probes


def fit_head(
    network: Network,
    goal: Goal,
    examples: Sequence[Example],
    config: Config,
    labels: Sequence[str],
    *,
    on_fit: OnFit = ignore_fit,
) -> None:
    """Fit the head to these examples, where it is linear: those to learn from, or all that the goal has."""
    if not isinstance(network.head, (MappedHead, LikenessHead)):
        return
    is_pair = isinstance(network.head, LikenessHead)
    features = goal.train if len(examples) == len(goal.train) else [*goal.train, *goal.valid]
    if isinstance(goal, RegressGoal):
        fit = answer_pairs_by_ridge if is_pair else answer_by_ridge
        fit(network, features, (numbers_of(examples) - goal.scale.mean) / goal.scale.spread)
        return
    if isinstance(goal, ManyGoal):
        truth = truth_of([e.label for e in examples])
        answer_many_by_probes(network, features, truth, seed=config.train.seed, on_fit=on_fit)
        return
    known = LabelledSet(features, label_numbers([e.label for e in examples], labels))
    is_balanced = config.train.class_weights == "balanced"
    probe = answer_pairs_by_probe if is_pair else answer_by_probe
    probe(network, known, n_classes=len(labels), balanced=is_balanced, seed=config.train.seed, on_fit=on_fit)
