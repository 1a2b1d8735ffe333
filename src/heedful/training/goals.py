"""What the settings ask to be learned, as a goal for the loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.config import Config
from heedful.data.example import Example, TwoTexts
from heedful.data.features import Features, Two
from heedful.data.featuriser import Featuriser
from heedful.data.labels import label_numbers
from heedful.errors import ConfigError, DataError, HeedfulError
from heedful.tasks.multilabel.goal import ManyGoal, ManySet
from heedful.tasks.regress.goal import NumberedSet, RegressGoal
from heedful.tasks.tag.goal import TaggedSet, TagGoal
from heedful.tasks.translate.goal import TranslateGoal
from heedful.tasks.translate.read import TwoLanguages
from heedful.training.dataset import Material, has_numbers
from heedful.training.goal import ClassifyGoal, Goal, LabelledSet
from heedful.training.loop.loss import ClassifyLoss, balanced_weights

Sides = tuple[Sequence[Features], Sequence[Features]]  # of the training and the valid examples


def goal_of(config: Config, material: Material, sides: Sides) -> Goal:
    """Return the goal for these examples, whose features are in `sides`."""
    if has_numbers(config):
        return _regress(config, material, sides)
    if material.many:
        return _many(config, material, sides)
    goal: Goal = GOALS[config.task](config, material, sides)
    return goal


def features_at(example: Example, featuriser: Featuriser, source: str) -> Features:
    """Return the features of one example, or say in which line it cannot be read."""
    try:
        if isinstance(example.text, TwoTexts):
            return Two(featuriser.features(example.text.first), featuriser.features(example.text.second))
        if isinstance(featuriser, TwoLanguages):
            return featuriser.both(example.text, example.label)
        return featuriser.features(example.text)
    except DataError as error:
        raise DataError(source, f"{error.path}: {error.problem}", line=example.line) from None
    except HeedfulError as error:
        raise DataError(source, str(error), line=example.line) from None


def _classify(config: Config, material: Material, sides: Sides) -> ClassifyGoal:
    known, checked = (
        LabelledSet(features, label_numbers([e.label for e in some], material.labels))
        for features, some in zip(sides, (material.train, material.valid), strict=True)
    )
    return classify_goal(config, known, checked, material.labels)


def _regress(config: Config, material: Material, sides: Sides) -> RegressGoal:
    known, checked = (
        NumberedSet(features, numbers_of(some))
        for features, some in zip(sides, (material.train, material.valid), strict=True)
    )
    by_order = config.task == "pair"  # likeness has no unit: its custom is Spearman's
    return RegressGoal(known, checked, coefficient=config.model.penalty, by_order=by_order)


def _many(config: Config, material: Material, sides: Sides) -> ManyGoal:
    known, checked = (
        ManySet.of(features, [e.label for e in some])
        for features, some in zip(sides, (material.train, material.valid), strict=True)
    )
    return ManyGoal(known, checked, labels=material.labels, coefficient=config.model.penalty)


def _translate(config: Config, _: Material, sides: Sides) -> TranslateGoal:
    known, checked = sides
    return TranslateGoal(known, checked, smoothing=config.model.smoothing)  # type: ignore[arg-type]


def _tag(config: Config, material: Material, sides: Sides) -> TagGoal:
    known, checked = (
        TaggedSet.of(features, [e.label for e in some], material.labels)
        for features, some in zip(sides, (material.train, material.valid), strict=True)
    )
    return TagGoal(known, checked, labels=material.labels, miss_cost=config.train.miss_cost)


GOALS: dict[str, Callable[[Config, Material, Sides], Any]] = {
    "classify": _classify,
    "pair": _classify,
    "tag": _tag,
    "translate": _translate,
}


def classify_goal(config: Config, train: LabelledSet, valid: LabelledSet, labels: Sequence[str]) -> ClassifyGoal:
    """Return the goal of a classifier."""
    if config.train.figure == "roc_auc" and len(labels) != 2:
        raise ConfigError([f"train.figure is roc_auc, which is for two labels; there are {len(labels)}."])
    is_balanced = config.train.class_weights == "balanced"
    error = ClassifyLoss(
        coefficient=config.model.penalty,
        class_weights=balanced_weights(train.truth, len(labels)) if is_balanced else None,
    )
    return ClassifyGoal(train, valid, labels=labels, error=error, figure=config.train.figure)


def labelled_set(examples: Sequence[Example], featuriser: Featuriser, labels: Sequence[str]) -> LabelledSet:
    """Make numbers of inputs and of their labels."""
    features = [featuriser.features(example.text) for example in examples]
    return LabelledSet(features, label_numbers([example.label for example in examples], labels))


def numbers_of(examples: Sequence[Example]) -> NDArray[np.float64]:
    """Return the labels, which are numbers."""
    return np.array([float(example.label) for example in examples])
