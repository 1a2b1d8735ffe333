"""Pairs of texts that begin from an encoder: its weights, and the best linear answer to how its vectors compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from heedful.config import Config
from heedful.data.batch import ordered_batches
from heedful.data.features import Features
from heedful.errors import ConfigError
from heedful.network.heads.pair_heads import LikenessHead
from heedful.network.network import Network, front_inputs
from heedful.network.tensors import tensors_of
from heedful.tasks.regress.goal import fit_ridge
from heedful.training.goal import LabelledSet
from heedful.training.loop.loss import balanced_weights
from heedful.training.start.fits import OnFit, ignore_fit, threads_for_work, work_of
from heedful.training.start.linear_probe import fit_probe

PAIR_HEADS = ("gated", "concat", "likeness")
OWN_SETTINGS = ("gate_units", "hidden")  # of these heads, which an encoder has no say in
STRENGTHS = (10.0, 100.0)  # of the probe: with tens of thousands of pairs more would take minutes
RUN_PAIRS, RUN_CELLS = 128, 8_192


def pair_settings(config: Config) -> dict[str, object]:
    """Return the settings of the head of a pair model that begins from an encoder: likeness, unless one was chosen."""
    head = config.model.head if config.model.head in PAIR_HEADS and "head" in config.given else "likeness"
    if head != "likeness" and config.train.tune == "answer":
        raise ConfigError(
            [f"train.tune is answer, but head {head} learns only with its encoder. Say tune = all, or head = likeness."]
        )
    return {"head": head, **{name: getattr(config.model, name) for name in OWN_SETTINGS}}


def encoder_weights(weights: Mapping[str, NDArray[np.float32]], *, head: str) -> dict[str, NDArray[np.float32]]:
    """Return the weights that a model takes from an encoder: not the map to its vectors where the head has none."""
    if head not in ("gated", "concat"):
        return dict(weights)
    return {name: value for name, value in weights.items() if not name.startswith("head.")}


def answer_pairs_by_probe(
    network: Network,
    train: LabelledSet,
    *,
    n_classes: int,
    balanced: bool,
    seed: int,
    on_fit: OnFit = ignore_fit,
) -> None:
    """Let the head begin with the best linear answer to the pairs as the encoder sees them."""
    weights = balanced_weights(train.truth, n_classes) if balanced else None
    seen, size = compared_of(network, train.features)
    found = fit_probe(
        seen, train.truth, n_classes, class_weights=weights, strengths=STRENGTHS, seed=seed, on_fit=on_fit
    )
    _place(network, *found, size=size)


def answer_pairs_by_ridge(network: Network, features: Sequence[Features], truth: NDArray[np.float64]) -> None:
    """Let the head begin with the best linear number for the pairs as the encoder sees them."""
    seen, size = compared_of(network, features)
    _place(network, *fit_ridge(seen, truth), size=size)


def compared_of(network: Network, features: Sequence[Features]) -> tuple[NDArray[np.float32], float]:
    """Return what the head's answer sees of each pair, divided by a size that makes its length about 1, and that size.

    How strong a linear answer may be is chosen among values that fit vectors of length 1.
    """
    head = network.head
    assert isinstance(head, LikenessHead)
    network.eval()
    found = np.zeros((len(features), head.answer.in_features), dtype=np.float32)
    with torch.inference_mode(), threads_for_work(work_of(network, RUN_PAIRS, RUN_CELLS // RUN_PAIRS)):
        for batch in ordered_batches(features, max_texts=RUN_PAIRS, max_cells=RUN_CELLS):
            inputs, mask = tensors_of(batch)
            states = network.states(network.embed(front_inputs(inputs)), mask, inputs)
            found[batch.positions] = head.compared(network.pooler(states, mask)[0]).numpy()
    size = float(head.answer.in_features) ** 0.5
    return found / np.float32(size), size


def _place(network: Network, weight: Tensor, bias: Tensor, *, size: float) -> None:
    head = network.head
    assert isinstance(head, LikenessHead)
    with torch.no_grad():
        head.answer.weight.copy_(weight / size)
        head.answer.bias.copy_(bias)
