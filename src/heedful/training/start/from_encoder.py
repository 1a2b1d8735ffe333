"""Beginning from an encoder instead of from noise."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from heedful.config import Config
from heedful.data.batch import ordered_batches
from heedful.data.features import Features
from heedful.errors import ModelFolderError
from heedful.inputs.text.featuriser import TextFeaturiser
from heedful.network.build import build_network
from heedful.network.heads.heads import MappedHead
from heedful.network.masks import mask_of
from heedful.network.network import Network
from heedful.tasks.pair.start import encoder_weights, pair_settings
from heedful.tasks.regress.goal import fit_ridge
from heedful.training.goal import LabelledSet
from heedful.training.loop.loss import balanced_weights
from heedful.training.start.fits import OnFit, ignore_fit, threads_for_work, work_of
from heedful.training.start.linear_probe import fit_many_probes, fit_probe

HEAD_BEFORE, HEAD_NOW = "head.map.", "head.vector.map."
START_LR = 5e-4  # a network that knows something is changed by smaller steps
RUN_TEXTS, RUN_CELLS = 256, 16_384


@dataclass(frozen=True)
class Start:
    """An encoder to begin from."""

    name: str
    path: Path
    config: Config
    featuriser: TextFeaturiser
    weights: dict[str, NDArray[np.float32]]

    def settings_for(self, config: Config) -> Config:
        """Return the settings of a classifier that begins here: its text and network are the encoder's."""
        model, text, asked = self.config.model, self.config.text, config.model
        kept = {name: getattr(asked, name) for name in ("dropout", "penalty")}
        same = {name: value for section in (model, text) for name, value in vars(section).items()}
        max_tokens = min(config.text.max_tokens, text.max_tokens)
        is_chosen = "lr" in config.given or config.train.lr != Config().train.lr
        lr = config.train.lr if is_chosen else START_LR
        head = pair_settings(config) if config.task == "pair" else {"head": "mapped"}
        more = {**head, "max_tokens": max_tokens, "start": self.name, "lr": lr}
        return config.changed(**{**same, **kept, **more})

    def featuriser_for(self, config: Config) -> TextFeaturiser:
        """Return the encoder's tokens, cut where the settings say."""
        featuriser = copy(self.featuriser)
        featuriser.max_tokens = config.text.max_tokens
        return featuriser

    def network(self, config: Config, n_classes: int) -> Network:
        """Return a network with the encoder's weights and a fresh answer."""
        network = build_network(config.model, n_ids=len(self.featuriser), n_classes=n_classes, seed=config.train.seed)
        own = network.state_dict()
        weights = encoder_weights(self.weights, head=config.model.head)
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
        """Return a hash by which another start is noticed."""
        return hashlib.sha256(self.weights["embed.weight"].tobytes()).hexdigest()[:16]


def answer_by_probe(
    network: Network,
    train: LabelledSet,
    *,
    n_classes: int,
    balanced: bool,
    seed: int,
    on_fit: OnFit = ignore_fit,
) -> None:
    """Let the head begin with the best linear answer to the encoder's vectors as they are."""
    assert isinstance(network.head, MappedHead)
    weights = balanced_weights(train.truth, n_classes) if balanced else None
    vectors = vectors_of(network, train.features)
    found = fit_probe(vectors, train.truth, n_classes, class_weights=weights, seed=seed, on_fit=on_fit)
    with torch.no_grad():
        network.head.answer.weight.copy_(found[0])
        network.head.answer.bias.copy_(found[1])


def answer_many_by_probes(
    network: Network,
    features: Sequence[Features],
    truth: NDArray[np.int8],
    *,
    seed: int,
    on_fit: OnFit = ignore_fit,
) -> None:
    """Let the head begin with the best linear answer for each label."""
    assert isinstance(network.head, MappedHead)
    found = fit_many_probes(vectors_of(network, features), truth, seed=seed, on_fit=on_fit)
    with torch.no_grad():
        network.head.answer.weight.copy_(found[0])
        network.head.answer.bias.copy_(found[1])


def answer_by_ridge(network: Network, features: Sequence[Features], truth: NDArray[np.float64]) -> None:
    """Let the head begin with the best linear number for the encoder's vectors as they are."""
    assert isinstance(network.head, MappedHead)
    weight, bias = fit_ridge(vectors_of(network, features), truth)
    with torch.no_grad():
        network.head.answer.weight.copy_(weight)
        network.head.answer.bias.copy_(bias)


def vectors_of(network: Network, features: Sequence[Features]) -> NDArray[np.float32]:
    """Return the vectors of length 1 that the head's answer is made from."""
    head = network.head
    assert isinstance(head, MappedHead)
    network.eval()
    found = np.zeros((len(features), head.answer.in_features), dtype=np.float32)
    with torch.inference_mode(), threads_for_work(work_of(network, RUN_TEXTS, RUN_CELLS // RUN_TEXTS)):
        for batch in ordered_batches(features, max_texts=RUN_TEXTS, max_cells=RUN_CELLS):
            ids = torch.from_numpy(batch.ids)
            mask = mask_of(torch.from_numpy(batch.lengths), ids.shape[1])
            rows, _ = network.pooler(network.encoder(network.embed(ids), mask), mask)
            found[batch.positions] = head.unit_vector(rows).numpy()
    return found
