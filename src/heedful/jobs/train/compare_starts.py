"""Comparing starts by cross-validation: n-grams, an encoder's vectors, and both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from heedful.config import Config
from heedful.data.labels import label_numbers
from heedful.inputs.text.known_ngrams import KnownNGrams
from heedful.inputs.text.wide import WideFeaturiser
from heedful.jobs.train.imbalance import MUCH
from heedful.training.dataset import TrainingData
from heedful.training.loop.loss import balanced_weights
from heedful.training.resolve import resolve
from heedful.training.start.fits import OnFit, ignore_fit
from heedful.training.start.from_encoder import EncoderStart
from heedful.training.start.ngrams.ngram_counts import NGramCounts
from heedful.training.start.ngrams.place_wide import texts_of_network
from heedful.training.start.ngrams.wide import USUAL, give_wide
from heedful.training.start.ngrams.wide_fit import Texts
from heedful.training.start.ngrams.wide_trials import MOST_TEXTS, Trial, Trials

FEWEST = 30  # texts: with fewer, cross-validation tells nothing
GAIN = 0.02  # share of the loss that an encoder for another language, or n-grams beside an encoder, must save
NGRAMS, BOTH = "tf-idf of n-grams", "both"


@dataclass(frozen=True)
class Comparison:
    """Logistic regression on n-grams, on the vectors of an encoder, and on both, each on held-out texts."""

    encoder: str
    trials: Mapping[str, Trial]  # by name: n-grams, the encoder, both
    n_texts: int
    more: tuple[str, ...] = ()  # lines about class weights

    @property
    def ngrams_help(self) -> bool:
        """Whether n-grams beside the encoder are better than the encoder alone."""
        return self.trials[BOTH].loss < (1 - GAIN) * self.trials[self.encoder].loss

    @property
    def loss(self) -> float:
        """The smallest loss with the encoder."""
        return min(self.trials[self.encoder].loss, self.trials[BOTH].loss)

    def encoder_is_better(self, *, is_its_language: bool) -> bool:
        """Return whether training should start from the encoder."""
        return self.loss <= (1 - (0.0 if is_its_language else GAIN)) * self.trials[NGRAMS].loss

    def min_texts(self, *, with_encoder: bool) -> int:
        """Return the number of texts that an n-gram must occur in."""
        return self.trials[BOTH if with_encoder else NGRAMS].strengths.fewest

    @property
    def notes(self) -> tuple[str, ...]:
        """Lines for the user."""
        metrics = ", ".join(f"{name} {trial.accuracy:.3f}" for name, trial in self.trials.items())
        return (f"{_on(self.n_texts)}: {metrics}", *self.more)


def _on(n_texts: int) -> str:
    return f"cross-validation on {n_texts:,} texts, accuracy of logistic regression"


def try_ngrams(config: Config, material: TrainingData, *, on_fit: OnFit = ignore_fit) -> tuple[Trial, list[str]]:
    """Try logistic regression on n-grams alone; return the trial and lines about it."""
    sample = _sample(config, material)
    known = KnownNGrams.learned([example.text for example in sample.train], most=USUAL)
    features = known.arrays_of([example.text for example in sample.train])
    texts = Texts(NGramCounts(features, len(known) + 1), _truth(sample), len(sample.labels))
    trial = Trials(texts, seed=config.train.seed).choose(on_fit=on_fit)
    line = f"{_on(len(texts))}: {NGRAMS} {trial.accuracy:.3f}"
    return trial, [line, *_effect_of_balance(texts, trial, config)]


def compare_starts(
    config: Config, material: TrainingData, start: EncoderStart, *, on_fit: OnFit = ignore_fit
) -> Comparison:
    """Compare logistic regression on n-grams (tf-idf), on the vectors of an encoder, and on both."""
    texts = _texts(config, _sample(config, material), start, n_texts=material.n_train)
    trials = Trials(texts, seed=config.train.seed)
    chosen = {
        NGRAMS: trials.choose(vectors=False, on_fit=on_fit),
        start.name: trials.choose(ngrams=False, on_fit=on_fit),
        BOTH: trials.choose(on_fit=on_fit),
    }
    best = min(chosen.values(), key=lambda trial: trial.loss)
    return Comparison(start.name, chosen, len(texts), tuple(_effect_of_balance(texts, best, config)))


def _effect_of_balance(texts: Texts, trial: Trial, config: Config) -> list[str]:
    """Return a line about the effect of balanced class weights, if one label has most of the texts."""
    counts = np.bincount(texts.truth, minlength=texts.n_classes)
    if config.train.class_weights != "none" or counts.max() < MUCH * len(texts):
        return []
    weights = balanced_weights(texts.truth, texts.n_classes)
    balanced = Trials(replace(texts, class_weights=weights), seed=config.train.seed).run(trial.strengths)
    return [
        f"with train.class_weights = balanced, in the same cross-validation: accuracy {trial.accuracy:.3f} becomes "
        f"{balanced.accuracy:.3f}, macro F1 {trial.macro_f1:.3f} becomes {balanced.macro_f1:.3f}"
    ]


def _sample(config: Config, material: TrainingData) -> TrainingData:
    """Return at most as many training texts as are compared."""
    chosen = np.random.default_rng([config.train.seed, 0xC0]).permutation(len(material.train))[:MOST_TEXTS]
    return replace(material, train=[material.train[i] for i in np.sort(chosen)])


def _truth(sample: TrainingData) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return label_numbers([example.label for example in sample.train], sample.labels)


def _texts(config: Config, sample: TrainingData, start: EncoderStart, *, n_texts: int) -> Texts:
    """Return texts with n-grams and the encoder's vectors."""
    config = resolve(config, n_texts=n_texts, start=start)
    known = KnownNGrams.learned([example.text for example in sample.train], most=USUAL)
    featuriser = WideFeaturiser(start.featuriser_for(config), known)
    network = start.network(config, sample.labels)
    give_wide(network, featuriser, len(sample.labels))
    features = featuriser.features_of([example.text for example in sample.train])
    return texts_of_network(network, features, _truth(sample), len(sample.labels))
