"""From data to all that the training loop needs: config, featuriser, features, network and goal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol, cast

from torch import Tensor

from heedful.config import Config
from heedful.data.columns import Columns
from heedful.data.example import Example
from heedful.data.features import Features
from heedful.data.featuriser import Featuriser
from heedful.inputs import INPUTS
from heedful.lazy import imported
from heedful.network.build import build_network
from heedful.network.fronts.embed import Scaled
from heedful.network.network import Network
from heedful.tasks import task_of
from heedful.training.dataset import Pair, Sides, TrainingData
from heedful.training.featurise import data_facts, learned_featuriser, numbered, scale_to, texts_of
from heedful.training.goal import Goal, InMemoryGoal
from heedful.training.loop.checkpoint import weights_of
from heedful.training.loop.device import threads
from heedful.training.resolve import StartSettings, resolve
from heedful.training.start.choose_tuning import (
    CONTRAST,
    FOLDS,
    Fold,
    Ways,
    choose_tuning,
    divide_scores,
    fit_way,
    fold_positions,
)
from heedful.training.start.fits import OnFit, ignore_fit
from heedful.training.start.head_fit import has_linear_head
from heedful.training.start.ngrams.place_wide import start_head_at_zero
from heedful.training.start.ngrams.wide import give_wide, with_wide
from heedful.training.start.open_ways import ways_for
from heedful.training.start.vocab import place_vectors

SMALL_STEP = (
    1_000_000  # batch × units²: below this a second thread makes training slower, much slower on a busy machine
)


class Start(StartSettings, Protocol):
    """A model to start from."""

    @property
    def name(self) -> str:
        """The name for config.toml."""

    @property
    def can_be_tuned(self) -> bool:
        """Whether training may change the network, or only fits a head to its vectors."""

    @property
    def fits_head(self) -> bool:
        """Whether the head is fitted to the encoder's vectors before training."""

    def featuriser_for(self, config: Config) -> Featuriser:
        """Return the featuriser of the start, with the settings' limit of tokens."""

    def network(self, config: Config, labels: Sequence[str]) -> Network:
        """Return a network with the weights of the start."""

    def fingerprint(self) -> str:
        """Return a hash that identifies the start."""


@dataclass(frozen=True)
class Prepared:
    """All that a training needs."""

    config: Config  # complete
    labels: tuple[str, ...]
    featuriser: Featuriser
    network: Network
    goal: Goal
    facts: Mapping[str, Any]  # of the data, for display and for facts.json
    many: bool = False  # whether the labels are multilabel
    examples: Pair | None = None  # the examples of the goal, if a head is fitted to them
    trained_on: Mapping[str, Any] | None = None  # hashes of the rows, for facts.json
    start: str | None = None  # name of the model that training starts from
    folds: tuple[Callable[[], Fold], ...] = ()  # by which to choose what is fitted
    ways: Ways = field(default_factory=Ways)  # to choose among
    temperature: float = 1.0  # by which scores of a fitted network are divided
    fresh: Callable[[], Network] | None = None  # makes a network with the weights of the start
    notes: tuple[str, ...] = ()  # lines about what was chosen
    all_examples: Callable[[], InMemoryGoal] | None = None  # makes a goal with the validation set among the rest
    calibrates: bool = False  # whether the final scores are divided by a temperature


def prepare(config: Config, material: TrainingData, start: Start | None = None) -> Prepared:
    """Prepare the data and the network, and fit the head where the network starts from an encoder."""
    return start_head(prepare_data(config, material, start))


def start_head(prepared: Prepared, on_fit: OnFit = ignore_fit) -> Prepared:
    """Fit the head to the encoder that training starts from, and the hops if these are to be trained.

    Whether they are may depend on cross-validation: the config that is returned says it. `on_fit` is called after each
    fit.
    """
    if (examples := prepared.examples) is None:
        return prepared
    seed = prepared.config.train.seed
    if prepared.network.wide is not None:
        _fit_head(prepared, examples[0], on_fit)  # the folds fit with the strengths that are chosen here
    if prepared.folds:
        tuning = choose_tuning(prepared.folds, prepared.ways, seed=seed, on_fit=on_fit)
        config, temperature = prepared.config.changed(tune=tuning.way), 1.0
        if tuning.way.startswith(CONTRAST):
            temperature = tuning.temperature
        prepared = replace(prepared, config=config, temperature=temperature, notes=(*prepared.notes, tuning.note))
    _fit_all(prepared, examples[0], prepared.goal.inside, on_fit, has_head=prepared.network.wide is not None)
    return prepared


def answer_from_all(prepared: Prepared, on_fit: OnFit = ignore_fit) -> dict[str, Tensor]:
    """Return the weights with a head, and all else that was fitted, for the validation set too.

    They have been measured by then, and with few labels a tenth of them matters.
    """
    assert prepared.examples is not None
    goal = prepared.goal.inside if prepared.all_examples is None else prepared.all_examples()
    if prepared.fresh is not None and prepared.config.train.tune.startswith(CONTRAST):
        prepared.network.load_state_dict(prepared.fresh().state_dict())
    _fit_all(prepared, [*prepared.examples[0], *prepared.examples[1]], goal, on_fit)
    return weights_of(prepared.network)


def _fit_all(
    prepared: Prepared, examples: Sequence[Example], goal: InMemoryGoal, on_fit: OnFit, *, has_head: bool = False
) -> None:
    """Fit the head, and what else the config says, to examples, which are those that the goal trains on."""
    tune, inside = prepared.config.train.tune if prepared.start is not None else "", prepared.goal.inside
    with threads(prepared.config.train.threads):
        inside.is_contrasted = tune.startswith(CONTRAST)
        fit_way(
            prepared.network,
            goal,
            lambda: None if has_head and not inside.is_contrasted else _fit_head(prepared, examples, on_fit),
            tune,
            n_steps=prepared.ways.n_steps,
            seed=prepared.config.train.seed,
            on_fit=on_fit,
        )
    if prepared.temperature != 1.0:
        divide_scores(prepared.network, prepared.temperature)


def _fit_head(prepared: Prepared, examples: Sequence[Example], on_fit: OnFit) -> None:
    if not (has_linear_head(prepared.network) or prepared.network.wide):
        return
    with threads(prepared.config.train.threads):
        prepared.goal.inside.fit_head(prepared.network, examples, prepared.config, prepared.labels, on_fit)


def prepare_data(config: Config, material: TrainingData, start: Start | None = None) -> Prepared:
    """Learn the featuriser, make features, build the network; or take both from the model to start from."""
    is_auto = config.train.tune == "auto"
    config = resolve(
        _with_columns(config, material.columns),
        n_texts=material.n_train,
        start=start,
        mean_characters=material.mean_characters(),
    )
    if start is None:
        prepared = _prepare_fresh(config, material)
    else:
        prepared = _prepare_from(start, config, material, is_auto=is_auto)
    return cast("Prepared", material.prepared(prepared))


def _prepare_from(start: Start, config: Config, material: TrainingData, *, is_auto: bool) -> Prepared:
    """Start from another model: an encoder, or a tagger."""
    featuriser = start.featuriser_for(config)
    config, featuriser = _wide(config, featuriser, material)

    def fresh() -> Network:
        network = start.network(config, material.labels)
        give_wide(network, featuriser, len(material.labels))
        return network

    network = fresh()
    material, sides = numbered(config, material, featuriser)
    goal = goal_of(config, material, sides)
    goal.attach(network)
    facts = data_facts(material, featuriser, goal.train, None) | {"start": start.name, "vectors": start.fingerprint()}
    config, ways = ways_for(config, network, goal, start, is_auto=is_auto and material.is_whole)
    folds = _folds(fresh, config, material, sides, goal, n_folds=FOLDS if ways.names else 0)
    return Prepared(
        config,
        material.labels,
        featuriser,
        network,
        goal,
        facts,
        material.many,
        examples=(material.train, material.valid) if start.fits_head else None,
        start=start.name,
        folds=tuple(folds),
        ways=ways,
        fresh=fresh,
        notes=(ways.note,) if ways.note else (),
        all_examples=lambda: _goal_of_all(config, material, sides),
    )


def _folds(
    fresh: Callable[[], Network],
    config: Config,
    material: TrainingData,
    sides: Sides,
    whole: InMemoryGoal,
    *,
    n_folds: int,
) -> Iterator[Callable[[], Fold]]:
    """Yield a function that makes each fold: only one is in memory at a time."""
    for kept, held in fold_positions(len(material.train), seed=config.train.seed, n_folds=n_folds):
        yield partial(_fold, fresh, config, material, sides[0], kept, held, whole)


def _fold(
    fresh: Callable[[], Network],
    config: Config,
    material: TrainingData,
    features: Sequence[Features],
    kept: Sequence[int],
    held: Sequence[int],
    whole: InMemoryGoal,
) -> Fold:
    examples = [[material.train[i] for i in positions] for positions in (kept, held)]
    part = replace(material, train=examples[0], valid=examples[1])
    goal = goal_of(config, part, ([features[i] for i in kept], [features[i] for i in held]))
    goal.fit_as(whole)
    network = fresh()
    return Fold(goal, network, lambda: goal.fit_head(network, part.train, config, part.labels, ignore_fit))


def _goal_of_all(config: Config, material: TrainingData, sides: Sides) -> InMemoryGoal:
    every = replace(material, train=[*material.train, *material.valid])
    return goal_of(config, every, ([*sides[0], *sides[1]], sides[1]))


def goal_of(config: Config, material: TrainingData, sides: Sides) -> InMemoryGoal:
    """Return the goal for these examples, whose features are in `sides`."""
    goal: InMemoryGoal = imported(task_of(config, many=material.many).goal)(config, material, sides)
    return goal


def _prepare_fresh(config: Config, material: TrainingData) -> Prepared:
    featuriser, start = learned_featuriser(config, material)
    if start is not None:
        config = config.changed(embed_width=int(start.values.shape[1]))
    config, featuriser = _wide(config, featuriser, material)
    material, sides = numbered(config, material, featuriser)
    network = _network(config, featuriser, len(material.labels))
    if network.wide is not None:
        start_head_at_zero(network)
    if start is not None:
        place_vectors(network, start)
    if hasattr(network.embed, "spread") and INPUTS[config.input].is_scaled:
        scale_to(cast("Scaled", network.embed), sides[0], but=getattr(featuriser, "marks", None))
    goal = goal_of(config, material, sides)
    goal.attach(network)
    facts = data_facts(material, featuriser, goal.train, start)
    examples = (material.train, material.valid) if network.wide is not None else None
    return Prepared(config, material.labels, featuriser, network, goal, facts, material.many, examples=examples)


def _wide(config: Config, featuriser: Featuriser, material: TrainingData) -> tuple[Config, Featuriser]:
    return with_wide(config, featuriser, texts_of(material.sources()), len(material.labels), many=material.many)


def _network(config: Config, featuriser: Featuriser, n_classes: int) -> Network:
    if build := task_of(config).network:
        network: Network = imported(build)(config, featuriser, n_classes)
        return network
    return build_network(
        config.model,
        shape=featuriser.shape,
        n_classes=n_classes,
        tune=config.text.tune_vectors,
        seed=config.train.seed,
    )


def _with_columns(config: Config, columns: Columns) -> Config:
    """Keep the names of the columns that were detected, for other runs on similar files."""
    return config if columns.text is None else config.changed(text=columns.text, label=columns.label)


def threads_for(config: Config) -> int:
    """Return the number of threads, 0 for torch's default. A small model trains faster with one."""
    is_small = config.train.batch_size * config.model.units**2 < SMALL_STEP
    return config.train.threads or (1 if is_small else 0)
