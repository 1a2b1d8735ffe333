"""Material to what the loop takes: a featuriser, numbers, and a network that starts from word vectors if given."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from heedful.config import Config, TextSettings
from heedful.data.columns import Columns
from heedful.data.example import Example
from heedful.data.featurise import Featuriser, Ids, SubwordFeaturiser, WordFeaturiser, count_words, label_numbers
from heedful.data.subwords import SubwordTokeniser
from heedful.data.vocab import UNKNOWN, Vocab
from heedful.data.word_vectors import read_word_vectors
from heedful.data.words import WordTokeniser
from heedful.errors import ConfigError
from heedful.training.build import build_network
from heedful.training.checkpoint import weights_of
from heedful.training.goal import ClassifyGoal, Goal, LabelledSet
from heedful.training.loss import ClassifyLoss, balanced_weights
from heedful.training.material import Material
from heedful.training.network import Network
from heedful.training.regress import NumberedSet, RegressGoal
from heedful.training.start import Start, answer_by_probe, answer_by_ridge

FEW_TO_TUNE = 1_500  # texts: below this, training only the answer was as good or better on dev
SMALL_STEP = (
    1_000_000  # batch × units²: below this a second thread costs more than it brings, much more on a busy machine
)


@dataclass(frozen=True)
class StartVectors:
    """Rows of the table that do not start from noise."""

    ids: NDArray[np.int64]
    values: NDArray[np.float32]  # (id, width)
    found_words: float  # share of the different words of the training texts
    found_tokens: float  # share of all their words

    def fingerprint(self) -> str:
        """Return a hash by which a changed file is noticed."""
        return hashlib.sha256(self.values.tobytes()).hexdigest()[:16]


@dataclass(frozen=True)
class Prepared:
    """All that a training needs."""

    config: Config  # with nothing left to choose
    labels: tuple[str, ...]
    featuriser: Featuriser
    network: Network
    goal: Goal
    facts: Mapping[str, Any]  # of the data, for people and for facts.json


def prepare(config: Config, material: Material, start: Start | None = None) -> Prepared:
    """Learn the vocab, number the texts, make the network; or take all of these from an encoder."""
    return _prepare_fresh(config, material) if start is None else _prepare_from(start, config, material)


def _prepare_from(start: Start, config: Config, material: Material) -> Prepared:
    """Begin with an encoder and the best linear answer to its vectors."""
    config = sized(_with_columns(start.settings_for(config), material.columns), len(material.train))
    config = tuned(config, len(material.train))
    featuriser = start.featuriser_for(config)
    network = start.network(config, len(material.labels))
    goal = goal_of(config, material, featuriser)
    _answer_linearly(network, goal, material.train, config, material.labels)
    facts = _facts(material, featuriser, goal.train, None) | {"start": start.name, "vectors": start.fingerprint()}
    return Prepared(config, material.labels, featuriser, network, goal, facts)


def _answer_linearly(
    network: Network, goal: Goal, examples: Sequence[Example], config: Config, labels: Sequence[str]
) -> None:
    """Let the network begin with the best linear answer to its vectors."""
    features = goal.train if len(examples) == len(goal.train) else [*goal.train, *goal.valid]
    if isinstance(goal, RegressGoal):
        answer_by_ridge(network, features, (numbers_of(examples) - goal.scale.mean) / goal.scale.spread)
        return
    known = LabelledSet(features, label_numbers([e.label for e in examples], labels))
    is_balanced = config.train.class_weights == "balanced"
    answer_by_probe(network, known, n_classes=len(labels), balanced=is_balanced, seed=config.train.seed)


def answer_from_all(prepared: Prepared, material: Material) -> dict[str, Tensor]:
    """Return the weights of an answer to fixed vectors that has learned from the texts kept back too.

    They were needed to measure it, and with few labels a tenth of them is worth having.
    """
    everything = [*material.train, *material.valid]
    _answer_linearly(prepared.network, prepared.goal, everything, prepared.config, material.labels)
    return weights_of(prepared.network)


def tuned(config: Config, n_texts: int) -> Config:
    """Choose whether the whole network is trained: a few texts are too few to teach an encoder anything."""
    tune = config.train.tune
    if tune == "auto":
        tune = "answer" if n_texts < FEW_TO_TUNE else "all"
    return config.changed(tune=tune)


def _prepare_fresh(config: Config, material: Material) -> Prepared:
    config = sized(_with_columns(config.changed(start="none"), material.columns), len(material.train))
    featuriser, start = make_featuriser([e.text for e in material.train], config.text)
    if start is not None:
        config = config.changed(embed_width=int(start.values.shape[1]))
    network = build_network(
        config.model,
        n_ids=len(featuriser),
        n_classes=len(material.labels),
        tune=config.text.tune_vectors,
        seed=config.train.seed,
    )
    if start is not None:
        place_vectors(network, start)
    goal = goal_of(config, material, featuriser)
    facts = _facts(material, featuriser, goal.train, start)
    return Prepared(config, material.labels, featuriser, network, goal, facts)


def goal_of(config: Config, material: Material, featuriser: Featuriser) -> ClassifyGoal | RegressGoal:
    """Return what the settings ask to be learned from these texts."""
    if config.task == "regress":
        train, valid = (
            NumberedSet([featuriser.ids(e.text) for e in some], numbers_of(some))
            for some in (material.train, material.valid)
        )
        return RegressGoal(train, valid, coefficient=config.model.penalty)
    known, checked = (labelled_set(some, featuriser, material.labels) for some in (material.train, material.valid))
    return classify_goal(config, known, checked, material.labels)


def numbers_of(examples: Sequence[Example]) -> NDArray[np.float64]:
    """Return the labels, which are numbers."""
    return np.array([float(example.label) for example in examples])


def classify_goal(config: Config, train: LabelledSet, valid: LabelledSet, labels: Sequence[str]) -> ClassifyGoal:
    """Return the goal of a classifier."""
    is_balanced = config.train.class_weights == "balanced"
    error = ClassifyLoss(
        coefficient=config.model.penalty,
        class_weights=balanced_weights(train.truth, len(labels)) if is_balanced else None,
    )
    return ClassifyGoal(train, valid, labels=labels, error=error, figure=config.train.figure)


def _with_columns(config: Config, columns: Columns) -> Config:
    """Keep the names of the columns that were found, so that a run on a like file finds them too."""
    return config if columns.text is None else config.changed(text=columns.text, label=columns.label)


def _facts(
    material: Material, featuriser: Featuriser, train: Sequence[Ids], start: StartVectors | None
) -> dict[str, Any]:
    lengths = [len(ids) for ids in train]
    full = [e.text for e, n in zip(material.train, lengths, strict=True) if n == featuriser.max_tokens]
    facts: dict[str, Any] = {
        "train_texts": len(train),
        "valid_texts": len(material.valid),
        "known_tokens": len(featuriser),
        "mean_tokens": sum(lengths) / len(lengths),
        "cut_texts": sum(featuriser.is_cut(text) for text in full),
        "empty_texts": sum(n == 0 for n in lengths),
    }
    if start is not None:
        facts |= {"words_found": start.found_words, "tokens_found": start.found_tokens, "vectors": start.fingerprint()}
    return facts


def make_featuriser(texts: Sequence[str], settings: TextSettings) -> tuple[Featuriser, StartVectors | None]:
    """Learn the vocab from the training texts; with word vectors, know their words too."""
    if settings.vectors is None and not settings.tune_vectors:
        raise ConfigError(["text.tune_vectors is false, but there are no text.vectors: noise would stay noise."])
    if settings.tokens == "subwords":
        if settings.vectors is not None:
            raise ConfigError(["text.vectors are for words; with tokens = subwords leave them out."])
        subwords = SubwordTokeniser.trained(
            texts, size=settings.vocab_size, min_count=settings.min_count, lowercase=settings.lowercase
        )
        return SubwordFeaturiser(subwords, max_tokens=settings.max_tokens), None
    tokeniser = WordTokeniser(lowercase=settings.lowercase)
    counts = count_words(texts, tokeniser)
    vocab = Vocab.from_counts(counts, size=settings.vocab_size, min_count=settings.min_count)
    start: StartVectors | None = None
    if settings.vectors is not None:
        vocab, start = _with_vectors(settings, tokeniser, vocab, counts)
    return WordFeaturiser(tokeniser, vocab, max_tokens=settings.max_tokens), start


def _with_vectors(
    settings: TextSettings, tokeniser: WordTokeniser, vocab: Vocab, counts: dict[str, int]
) -> tuple[Vocab, StartVectors]:
    """Extend the vocab by words of the file, so that words not in the training texts are understood as well."""
    assert settings.vectors is not None
    room = settings.vocab_size - len(vocab)
    extra: set[str] = set()

    def keep(word: str, _: int) -> bool:
        form = tokeniser.form(word)
        if form not in vocab and form not in extra and len(extra) < room:
            extra.add(form)
        return form in vocab or form in extra

    read = read_word_vectors(settings.vectors, keep=keep)
    first: dict[str, int] = {}  # cased files have The and the: the first, more frequent, stands for both
    for i, word in enumerate(read.words):
        first.setdefault(tokeniser.form(word), i)
    known = sum(word in first for word in counts)
    covered = sum(n for word, n in counts.items() if word in first)
    vocab = vocab.extended((form for form in first if form in extra), size=settings.vocab_size)
    pairs = [(vocab.id(form), i) for form, i in first.items() if vocab.id(form) != UNKNOWN]
    return vocab, StartVectors(
        ids=np.array([i for i, _ in pairs], dtype=np.int64),
        values=read.values[[i for _, i in pairs]],
        found_words=known / max(1, len(counts)),
        found_tokens=covered / max(1, sum(counts.values())),
    )


def place_vectors(network: Network, start: StartVectors) -> None:
    """Put word vectors into the network's table."""
    with torch.no_grad():
        network.embed.weight[torch.from_numpy(start.ids)] = torch.from_numpy(start.values)


def labelled_set(examples: Sequence[Example], featuriser: Featuriser, labels: Sequence[str]) -> LabelledSet:
    """Featurise texts and number their labels."""
    features = [featuriser.ids(example.text) for example in examples]
    return LabelledSet(features, label_numbers([example.label for example in examples], labels))


def sized(config: Config, n_texts: int) -> Config:
    """Choose batch size and epochs where they are 0: few texts need small steps, and many of them."""
    batch_size, epochs = (16, 20) if n_texts < 5_000 else (32, 10) if n_texts < 50_000 else (64, 5)
    settings = config.train
    return config.changed(batch_size=settings.batch_size or batch_size, epochs=settings.epochs or epochs)


def threads_for(config: Config) -> int:
    """Return how many threads to train with, 0 for as many as torch likes: a small model is slowed by more than one."""
    is_small = config.train.batch_size * config.model.units**2 < SMALL_STEP
    return config.train.threads or (1 if is_small else 0)
