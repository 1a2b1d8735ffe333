"""Training that starts from an encoder."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray

from heedful.config import Config
from heedful.errors import ModelFolderError
from heedful.inputs.text.featuriser import TextFeaturiser
from heedful.lazy import imported
from heedful.network.build import build_network
from heedful.network.encoders.parts import ENCODERS
from heedful.network.network import Network
from heedful.tasks import task_of

HEAD_BEFORE, HEAD_NOW = "head.map.", "head.vector.map."
START_LR = 5e-4  # a pretrained network needs smaller steps
FEW_TO_TUNE = 1_500  # texts: below this, training only the head was as good or better on dev
HEADS_WITHOUT_VECTOR = ("gated", "bilinear", "concat")  # which do not use the encoder's map from rows to a vector


@dataclass(frozen=True)
class EncoderStart:
    """An encoder to start from."""

    name: str
    path: Path
    config: Config
    featuriser: TextFeaturiser
    weights: dict[str, NDArray[np.float32]]
    can_be_tuned: bool = True  # whether training may change the network, or only fits a head to its vectors
    fits_head: ClassVar[bool] = True  # before training

    def defaults(self, config: Config) -> dict[str, Any]:
        """Return the task's defaults for an encoder's vectors, and a small learning rate."""
        is_usual = config.train.lr == Config().train.lr
        own = ENCODERS[self.config.model.encoder].tuning
        return {**task_of(config).start_defaults, **({"lr": START_LR} if is_usual else {}), **own}

    def settings_for(self, config: Config) -> Config:
        """Return the settings of a model that starts here: text and network are the encoder's."""
        model, text, asked = self.config.model, self.config.text, config.model
        kept = {name: getattr(asked, name) for name in ("dropout", "penalty")}
        kept |= {name: getattr(config.text, name) for name in ("ngrams", "min_texts")}
        same = {name: value for section in (model, text) for name, value in vars(section).items()}
        max_tokens = min(config.text.max_tokens, text.max_tokens)
        task = task_of(config)
        head = imported(task.start_head)(config) if task.start_head else {"head": "mapped"}
        more = {**head, "max_tokens": max_tokens, "start": self.name}
        return config.changed(**{**same, **kept, **more})

    def featuriser_for(self, config: Config) -> TextFeaturiser:
        """Return the encoder's featuriser with the config's max_tokens."""
        featuriser = copy(self.featuriser)
        featuriser.max_tokens = config.text.max_tokens
        return featuriser

    def tuned(self, config: Config, n_texts: int) -> Config:
        """Choose whether the whole network is trained: a few texts do not improve an encoder."""
        tune = config.train.tune
        if tune == "auto":
            is_linear = config.model.head not in HEADS_WITHOUT_VECTOR  # other heads cannot be fitted in closed form
            tune = "answer" if is_linear and (n_texts < FEW_TO_TUNE or not self.can_be_tuned) else "all"
        return config.changed(tune=tune)

    def network(self, config: Config, labels: Sequence[str]) -> Network:
        """Return a network with the encoder's weights and a fresh head."""
        shape, seed = self.featuriser.shape, config.train.seed
        network = build_network(config.model, shape=shape, n_classes=len(labels), seed=seed)
        own = network.state_dict()
        weights = self.weights
        if config.model.head in HEADS_WITHOUT_VECTOR:
            weights = {name: value for name, value in weights.items() if not name.startswith("head.")}
        expected = {name for name in own if not name.startswith("head.") or name.startswith(HEAD_NOW)}
        if missing := expected - {name.replace(HEAD_BEFORE, HEAD_NOW) for name in weights}:
            raise ModelFolderError(f"{self.name}: its weights lack {min(missing)}")
        for name, value in weights.items():
            target = name.replace(HEAD_BEFORE, HEAD_NOW)
            if target not in own or own[target].shape != value.shape:
                raise ModelFolderError(f"{self.name}: its weights {name} {value.shape} fit no layer of its config.toml")
            own[target] = torch.from_numpy(value)
        network.load_state_dict(own)
        return network

    def fingerprint(self) -> str:
        """Return a hash that identifies the start."""
        return hashlib.sha256(self.weights["embed.weight"].tobytes()).hexdigest()[:16]
