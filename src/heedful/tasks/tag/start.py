"""Taggers that start from another tagger or from an encoder of texts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast

import numpy as np
import torch
from numpy.typing import NDArray

from heedful.config import Config
from heedful.data.featuriser import Featuriser
from heedful.errors import ConfigError, ModelFolderError
from heedful.inputs.text.featuriser import SubwordFeaturiser
from heedful.network.build import build_network
from heedful.network.network import Network
from heedful.settings import TextSettings
from heedful.tasks.tag.featuriser import WordCharFeaturiser
from heedful.tasks.tag.word_pieces import Pieces
from heedful.text.vocab import Vocab
from heedful.text.word_tokeniser import WordTokeniser
from heedful.training.check_fits import check_fits
from heedful.training.resolve import defaults_of
from heedful.training.start.vocab import StartVectors, place_vectors, with_vectors

OWN = ("dropout", "input_dropout", "penalty", "crf")  # settings of the network that need not be those of the start
LETTERS = "".join(map(chr, range(33, 127)))  # the known characters
ENCODER, TABLE, HOME = "encoder.", "embed.weight", "embed.pieces."  # names of weights: before, before, and now
HEAD, ANSWER, STEPS = "head.", "head.answer.", "head.crf.steps"
_NO_WORDS = WordCharFeaturiser(WordTokeniser(), Vocab([]), max_tokens=1)
Weights = dict[str, NDArray[np.float32]]


@dataclass(frozen=True)
class TagStart:
    """A tagger to start from."""

    name: str
    config: Config
    featuriser: WordCharFeaturiser
    weights: Weights
    labels: tuple[str, ...]
    can_be_tuned: ClassVar[bool] = True
    fits_head: ClassVar[bool] = False

    def defaults(self, config: Config) -> dict[str, Any]:
        """Return none: the network is that of the start."""
        del config
        return {}

    def tuned(self, config: Config, n_texts: int) -> Config:
        """Train the whole network, always."""
        del n_texts
        return config

    def settings_for(self, config: Config) -> Config:
        """Return the settings of a tagger that starts here: words and network are those of the start."""
        same = {**vars(self.config.text), **vars(self.config.model)}
        kept = {name: getattr(config.model, name) for name in OWN}
        max_tokens = min(config.text.max_tokens, self.config.text.max_tokens)
        more = {"max_tokens": max_tokens, "vectors": None, "start": self.name, "tune": "all"}
        more["tune_vectors"] = config.text.tune_vectors
        return config.changed(**{**same, **kept, **more})

    def featuriser_for(self, config: Config) -> WordCharFeaturiser:
        """Return the featuriser of the start with the config's max_tokens."""
        featuriser = copy(self.featuriser)
        featuriser.max_tokens = config.text.max_tokens
        return featuriser

    def network(self, config: Config, labels: Sequence[str]) -> Network:
        """Return a network with all weights of the start; of those that answer, the ones of labels that it knows."""
        network = _fresh(config, self.featuriser, len(labels))
        names = [name for name in network.state_dict() if not name.startswith(HEAD)]
        place_weights(network, {name: self.weights[name] for name in names if name in self.weights}, names, self.name)
        if shared := [label for label in labels if label in self.labels]:
            self._place_answers(network, [self.labels.index(x) for x in shared], [labels.index(x) for x in shared])
        return network

    def _place_answers(self, network: Network, before: list[int], now: list[int]) -> None:
        """Give labels that were numbered otherwise before the weights that they had."""
        own = network.state_dict()
        for name in [name for name in own if name.startswith(HEAD) and name in self.weights]:
            value, n = torch.from_numpy(self.weights[name]), len(self.labels)
            expected = (n + 1, n + 1) if name == STEPS else own[name].shape
            expected = (n, *own[name].shape[1:]) if name.startswith(ANSWER) else expected
            if tuple(value.shape) != tuple(expected):
                raise ModelFolderError(f"{self.name}: its weights do not fit its config.toml ({name})")
            if name == STEPS:  # (label + 1, label + 1), the last for where texts begin and end
                here, there = torch.tensor([*now, -1]), torch.tensor([*before, -1])
                own[name][here[:, None], here] = value[there[:, None], there]
            elif name.startswith(ANSWER):  # (label, …)
                own[name][now] = value[before]
            else:
                own[name] = value
        network.load_state_dict(own)

    def fingerprint(self) -> str:
        """Return a hash that identifies the start."""
        return hashlib.sha256(self.weights["embed.weight"].tobytes()).hexdigest()[:16]


@dataclass(frozen=True)
class EncoderTagStart(TagStart):
    """An encoder of texts to start from: it reads the subwords of words, and a new network reads its states.

    Words also have cased characters and, if there are word vectors, a vector of their own.
    """

    pieces: Pieces
    _read: dict[str, tuple[Vocab, StartVectors]] = field(
        default_factory=dict, repr=False
    )  # word vectors, by their file

    def defaults(self, config: Config) -> dict[str, Any]:
        """Return the defaults of a tagger that is trained from scratch."""
        return defaults_of(config)

    def settings_for(self, config: Config) -> Config:
        """Return the settings of a tagger that starts here: its own, with the width of the word vectors."""
        check_fits(config)
        _check(config, self.name)
        known = self._words(config.text)
        width = 1 if known is None else int(known[1].values.shape[1])  # without vectors all words are one
        max_tokens = min(config.text.max_tokens, self.config.text.max_tokens)
        return config.changed(embed_width=width, max_tokens=max_tokens, start=self.name, tune="all")

    def featuriser_for(self, config: Config) -> WordCharFeaturiser:
        """Return a featuriser of words, characters and subwords, which needs no training texts."""
        text, known = config.text, self._words(config.text)
        return WordCharFeaturiser(
            WordTokeniser(lowercase=text.lowercase),
            Vocab([]) if known is None else known[0],
            LETTERS,
            letter_width=text.letters,
            max_tokens=text.max_tokens,
            pieces=self.pieces,
        )

    def network(self, config: Config, labels: Sequence[str]) -> Network:
        """Return a fresh network over the encoder's states."""
        network = _fresh(config, self.featuriser_for(config), len(labels))
        if (known := self._words(config.text)) is not None:
            place_vectors(network, known[1])
        names = [name for name in network.state_dict() if name.startswith(HOME)]
        place_weights(network, _in_its_home(self.weights), names, self.name)
        return network

    def _words(self, text: TextSettings) -> tuple[Vocab, StartVectors] | None:
        """Return the words of the vectors file, read once; None without a file."""
        if text.vectors is None:
            return None
        if text.vectors not in self._read:
            tokeniser = WordTokeniser(lowercase=text.lowercase)
            self._read[text.vectors] = with_vectors(text, tokeniser, Vocab([]), {})
        return self._read[text.vectors]


def tag_start(name: str, config: Config, featuriser: Featuriser, weights: Weights, labels: tuple[str, ...]) -> TagStart:
    """Return the start of a tagger from this model. Raise a ModelFolderError if it is not one."""
    if config.input == "text" and config.task == "tag":
        return TagStart(name, config, cast("WordCharFeaturiser", featuriser), weights, labels)
    if config.task != "embed":
        raise ModelFolderError(f"{name} has task {config.task}; a tagger starts from a tagger of words or an encoder")
    if config.model.encoder != "bilstm" or not isinstance(featuriser, SubwordFeaturiser):
        wrong = f"{config.model.encoder} over {config.text.tokens}"
        raise ModelFolderError(
            f"{name} is an encoder of another kind ({wrong}); a tagger starts from bilstm over subwords"
        )
    pieces = Pieces(featuriser.tokeniser, config.model.embed_width, config.model.units)
    return EncoderTagStart(name, config, _NO_WORDS, weights, (), pieces)


def place_weights(network: Network, weights: Mapping[str, NDArray[np.float32]], names: list[str], source: str) -> None:
    """Copy weights into the network under all these names. Raise if one is missing or does not fit."""
    own = network.state_dict()
    for name in names:
        if name not in weights or own[name].shape != weights[name].shape:
            raise ModelFolderError(f"{source}: its weights do not fit its config.toml ({name})")
        own[name] = torch.from_numpy(weights[name])
    network.load_state_dict(own)


def _fresh(config: Config, featuriser: WordCharFeaturiser, n_classes: int) -> Network:
    tune, seed = config.text.tune_vectors, config.train.seed
    return build_network(config.model, shape=featuriser.shape, n_classes=n_classes, tune=tune, seed=seed)


def _in_its_home(weights: Weights) -> Weights:
    """Return the encoder's table and LSTMs by the names they have inside a tagger."""
    renamed = {HOME + TABLE: weights[TABLE]} if TABLE in weights else {}
    for name, value in weights.items():
        if name.startswith(ENCODER):
            renamed[HOME + ENCODER + name.removeprefix(ENCODER).removeprefix(ENCODER)] = value
    return renamed


def _check(config: Config, name: str) -> None:
    text, faults = config.text, []
    if text.tokens != "words" or text.one_hot:
        faults.append(f"a tagger that starts from {name} reads words: leave out text.tokens and text.one_hot.")
    if not text.letters:
        faults.append(
            f"a tagger that starts from {name} needs characters, since the encoder ignores case: text.letters is 0."
        )
    if faults:
        raise ConfigError(faults)
