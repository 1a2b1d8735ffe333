"""A tagger that begins from another: what words and letters are like is known, only the labels are new."""

from __future__ import annotations

import hashlib
from copy import copy
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from heedful.config import Config
from heedful.data.spelled import SpelledFeaturiser
from heedful.errors import ModelFolderError
from heedful.training.build import build_network
from heedful.training.network import Network

OWN = ("dropout", "penalty", "crf")  # settings of the network that need not be those of the start


@dataclass(frozen=True)
class TagStart:
    """A tagger to begin from."""

    name: str
    config: Config
    featuriser: SpelledFeaturiser
    weights: dict[str, NDArray[np.float32]]

    def settings_for(self, config: Config) -> Config:
        """Return the settings of a tagger that begins here: its words and its network are those of the start."""
        same = {**vars(self.config.text), **vars(self.config.model)}
        kept = {name: getattr(config.model, name) for name in OWN}
        max_tokens = min(config.text.max_tokens, self.config.text.max_tokens)
        more = {"max_tokens": max_tokens, "vectors": None, "start": self.name, "tune": "all"}
        more["tune_vectors"] = config.text.tune_vectors
        return config.changed(**{**same, **kept, **more})

    def featuriser_for(self, config: Config) -> SpelledFeaturiser:
        """Return the words and letters of the start, cut where the settings say."""
        featuriser = copy(self.featuriser)
        featuriser.max_tokens = config.text.max_tokens
        return featuriser

    def network(self, config: Config, n_classes: int) -> Network:
        """Return a network with all weights of the start but those that answer."""
        tune, seed = config.text.tune_vectors, config.train.seed
        network = build_network(config.model, shape=self.featuriser.shape, n_classes=n_classes, tune=tune, seed=seed)
        own = network.state_dict()
        for name in own:
            if name.startswith("head."):
                continue
            if name not in self.weights or own[name].shape != self.weights[name].shape:
                raise ModelFolderError(f"{self.name}: its weights do not fit its config.toml ({name})")
            own[name] = torch.from_numpy(self.weights[name])
        network.load_state_dict(own)
        return network

    def fingerprint(self) -> str:
        """Return a hash by which another start is noticed."""
        return hashlib.sha256(self.weights["embed.weight"].tobytes()).hexdigest()[:16]
