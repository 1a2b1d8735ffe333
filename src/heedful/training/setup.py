"""Material to what the loop takes: a featuriser, numbers, a network, and the goal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from heedful.config import Config
from heedful.data.columns import Columns
from heedful.data.example import Example, TwoTexts
from heedful.data.features import Features, Item
from heedful.data.featuriser import Featuriser
from heedful.errors import DataError
from heedful.inputs.featurisers import featuriser_class, kind_of
from heedful.network.build import build_network
from heedful.network.fronts.embed import Scaled
from heedful.network.network import Network
from heedful.tasks.tag.goal import TagGoal, join_crf
from heedful.tasks.tag.start import TagStart
from heedful.tasks.tag.vocab import make_spelled
from heedful.tasks.translate.goal import build_translator
from heedful.tasks.translate.read import TwoLanguages
from heedful.training.dataset import Material, Pair
from heedful.training.defaults import with_defaults
from heedful.training.goal import Goal
from heedful.training.goals import Sides, features_at, goal_of
from heedful.training.loop.checkpoint import weights_of
from heedful.training.loop.device import threads
from heedful.training.loop.stream import Streamed, StreamGoal, streamed_facts
from heedful.training.start.fits import OnFit, ignore_fit
from heedful.training.start.from_encoder import Start
from heedful.training.start.head_fit import fit_head
from heedful.training.start.vocab import StartVectors, make_featuriser, place_vectors

COUNTED = 4  # times the vocab: different words that are counted in a stream
FEW_TO_TUNE = 1_500  # texts: below this, training only the answer was as good or better on dev
SMALL_STEP = (
    1_000_000  # batch × units²: below this a second thread costs more than it brings, much more on a busy machine
)


@dataclass(frozen=True)
class Prepared:
    """All that a training needs."""

    config: Config  # with nothing left to choose
    labels: tuple[str, ...]
    featuriser: Featuriser
    network: Network
    goal: Goal
    facts: Mapping[str, Any]  # of the data, for people and for facts.json
    many: bool = False  # whether each label is a question of its own
    examples: Pair | None = None  # those of the goal, where a head is fitted to them
    trained_on: Mapping[str, Any] | None = None  # hashes of the rows, for facts.json


def prepare(config: Config, material: Material, start: Start | TagStart | None = None) -> Prepared:
    """Prepare the data and the network, and fit the head where the network starts from an encoder."""
    prepared = prepare_data(config, material, start)
    start_head(prepared)
    return prepared


def start_head(prepared: Prepared, on_fit: OnFit = ignore_fit) -> None:
    """Fit the head to the vectors of the encoder that training starts from. `on_fit` is called after each fit."""
    if prepared.examples is not None:
        _fit_head(prepared, prepared.examples[0], on_fit)


def answer_from_all(prepared: Prepared, on_fit: OnFit = ignore_fit) -> dict[str, Tensor]:
    """Return the weights with a head that was fitted to the validation set too.

    It was needed to measure the head, and with few labels a tenth of them is worth having.
    """
    assert prepared.examples is not None
    _fit_head(prepared, [*prepared.examples[0], *prepared.examples[1]], on_fit)
    return weights_of(prepared.network)


def _fit_head(prepared: Prepared, examples: Sequence[Example], on_fit: OnFit) -> None:
    goal = prepared.goal.inside if isinstance(prepared.goal, StreamGoal) else prepared.goal
    with threads(prepared.config.train.threads):
        fit_head(prepared.network, goal, examples, prepared.config, prepared.labels, on_fit=on_fit)


def prepare_data(config: Config, material: Material, start: Start | TagStart | None = None) -> Prepared:
    """Learn what is to be known of the inputs, make numbers of them, make the network; or begin from an encoder."""
    if isinstance(material, Streamed):
        held = _prepared(config, material, start)
        facts = streamed_facts(material, held.facts)
        return replace(held, goal=StreamGoal(material, held.featuriser, held.goal), facts=facts)
    return _prepared(config, material, start)


def _prepared(config: Config, material: Material, start: Start | TagStart | None) -> Prepared:
    if isinstance(start, TagStart):
        return _prepare_tags_from(start, config, material)
    return _prepare_fresh(config, material) if start is None else _prepare_from(start, config, material)


def _prepare_tags_from(start: TagStart, config: Config, material: Material) -> Prepared:
    """Begin with another tagger, or an encoder of texts."""
    config = sized(_with_columns(start.settings_for(config), material.columns), material.n_train)
    featuriser = start.featuriser_for(config)
    network = start.network(config, tuple(material.labels))
    material, sides = numbered(config, material, featuriser)
    goal = goal_of(config, material, sides)
    assert isinstance(goal, TagGoal)
    join_crf(goal, network)
    facts = _facts(material, featuriser, goal.train, None) | {"start": start.name, "vectors": start.fingerprint()}
    return Prepared(config, material.labels, featuriser, network, goal, facts)


def _prepare_from(start: Start, config: Config, material: Material) -> Prepared:
    """Begin with an encoder and the best linear answer to its vectors."""
    config = sized(_with_columns(start.settings_for(config), material.columns), material.n_train)
    config = tuned(config, material.n_train)
    featuriser = start.featuriser_for(config)
    network = start.network(config, len(material.labels))
    material, sides = numbered(config, material, featuriser)
    goal = goal_of(config, material, sides)
    facts = _facts(material, featuriser, goal.train, None) | {"start": start.name, "vectors": start.fingerprint()}
    examples = (material.train, material.valid)
    return Prepared(config, material.labels, featuriser, network, goal, facts, material.many, examples)


def tuned(config: Config, n_texts: int) -> Config:
    """Choose whether the whole network is trained: a few texts are too few to teach an encoder anything."""
    tune = config.train.tune
    if tune == "auto":
        is_linear = config.model.head not in ("gated", "concat")  # else there is no best answer to begin with
        tune = "answer" if n_texts < FEW_TO_TUNE and is_linear else "all"
    return config.changed(tune=tune)


def _prepare_fresh(config: Config, material: Material) -> Prepared:
    config = sized(_with_columns(config.changed(start="none"), material.columns), material.n_train)
    config = with_defaults(config)
    featuriser, start = learned_featuriser(config, _sources(config, material))
    if start is not None:
        config = config.changed(embed_width=int(start.values.shape[1]))
    material, sides = numbered(config, material, featuriser)
    network = _network(config, featuriser, len(material.labels))
    if start is not None:
        place_vectors(network, start)
    if isinstance(network.embed, Scaled) and config.input in ("audio", "vectors", "graph"):
        scale_to(network.embed, sides[0], but=getattr(featuriser, "marks", None))
    goal = goal_of(config, material, sides)
    if isinstance(goal, TagGoal):
        join_crf(goal, network)
    facts = _facts(material, featuriser, goal.train, start)
    return Prepared(config, material.labels, featuriser, network, goal, facts, material.many)


def _network(config: Config, featuriser: Featuriser, n_classes: int) -> Network:
    seed = config.train.seed
    if isinstance(featuriser, TwoLanguages):
        n_target_ids = len(featuriser.target)
        return build_translator(config.model, n_ids=len(featuriser), n_target_ids=n_target_ids, seed=seed)
    return build_network(
        config.model, shape=featuriser.shape, n_classes=n_classes, tune=config.text.tune_vectors, seed=seed
    )


def _sources(config: Config, material: Material) -> Iterable[Any]:
    """Return what a featuriser learns from: the inputs, and of texts to be translated the translations too.

    Pieces of words are learned from what is held: to learn them from a stream would hold all its texts.
    """
    if config.task == "translate":
        return [(e.text, e.label) for e in material.train]
    return material.sources() if config.text.tokens == "words" else [e.text for e in material.train]


def learned_featuriser(config: Config, sources: Iterable[Any]) -> tuple[Featuriser, StartVectors | None]:
    """Return what makes numbers of such inputs, and vectors that tokens begin with."""
    kind = kind_of(config)
    if kind is None:
        most = COUNTED * config.text.vocab_size if config.data.stream else None
        return make_featuriser(texts_of(sources), config.text, most=most)
    if kind == "tag":
        return make_spelled(list(sources), config.text)
    return featuriser_class(kind).learned(list(sources), config), None


def texts_of(sources: Iterable[Any]) -> Iterator[str]:
    """Yield texts; of pairs, both of each."""
    for source in sources:
        if isinstance(source, TwoTexts):
            yield from source
        else:
            yield source


def numbered(config: Config, material: Material, featuriser: Featuriser) -> tuple[Material, Sides]:
    """Return the features of all examples; those that cannot be read are a fault, or are left out."""
    kept: list[list[Example]] = []
    sides: list[list[Features]] = []
    for examples, source in ((material.train, config.data.train), (material.valid, config.data.valid)):
        good: list[Example] = []
        features: list[Features] = []
        for example in examples:
            try:
                found = features_at(example, featuriser, source or config.data.train or "the training texts")
            except DataError as error:
                material.faults.take(error)
                continue
            good.append(example)
            features.append(found)
        kept.append(good)
        sides.append(features)
    if not sides[0] or not sides[1]:
        reason = material.faults.first[0] if material.faults.first else "there are none"
        raise DataError(config.data.train or "the training texts", f"no example is left to learn from: {reason}")
    return replace(material, train=kept[0], valid=kept[1]), (sides[0], sides[1])


def scale_to(front: Scaled, features: Sequence[Features], *, but: NDArray[np.bool_] | None = None) -> None:
    """Let each column of the vectors that come in have mean 0 and spread 1 in training, `but` for some (width,)."""
    every = np.concatenate([cast("Item", one).arrays["vectors"] for one in features]).astype(np.float64)
    kept = np.zeros(every.shape[1], dtype=np.bool_) if but is None else but
    spread = np.where(kept, 1.0, every.std(axis=0))
    front.mean.copy_(torch.from_numpy(np.where(kept, 0.0, every.mean(axis=0))))
    front.spread.copy_(torch.from_numpy(np.where(spread > 0, spread, 1.0)))


def _with_columns(config: Config, columns: Columns) -> Config:
    """Keep the names of the columns that were found, so that a run on a like file finds them too."""
    return config if columns.text is None else config.changed(text=columns.text, label=columns.label)


def _facts(
    material: Material, featuriser: Featuriser, train: Sequence[Features], start: StartVectors | None
) -> dict[str, Any]:
    lengths = [len(one) for one in train]
    full = [e.text for e, n in zip(material.train, lengths, strict=True) if n == featuriser.max_tokens]
    facts: dict[str, Any] = {
        "train_texts": len(train),
        "valid_texts": len(material.valid),
        "mean_tokens": sum(lengths) / len(lengths),
        "cut_texts": sum(any(map(featuriser.is_cut, texts_of([text]))) for text in full),
        "empty_texts": sum(n == 0 for n in lengths),
    }
    if featuriser.shape.n_ids:
        facts["known_tokens"] = featuriser.shape.n_ids
    if material.faults.n:
        facts["bad_rows"] = material.faults.n
    if start is not None:
        facts |= {"words_found": start.found_words, "tokens_found": start.found_tokens, "vectors": start.fingerprint()}
    return facts


def sized(config: Config, n_texts: int) -> Config:
    """Choose batch size and epochs where they are 0: few texts need small steps, and many of them."""
    batch_size, epochs = (16, 20) if n_texts < 5_000 else (32, 10) if n_texts < 50_000 else (64, 5)
    settings = config.train
    return config.changed(batch_size=settings.batch_size or batch_size, epochs=settings.epochs or epochs)


def threads_for(config: Config) -> int:
    """Return how many threads to train with, 0 for as many as torch likes: a small model is slowed by more than one."""
    is_small = config.train.batch_size * config.model.units**2 < SMALL_STEP
    return config.train.threads or (1 if is_small else 0)
