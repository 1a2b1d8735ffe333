"""A contrastive step: an encoder is tuned so that texts of one label have similar vectors, and others do not.

SetFit's idea (Tunstall et al. 2022) with the supervised contrastive loss of Khosla et al. 2020. The weights that are
kept lie halfway between those before and after: tuned weights alone often lost what the encoder knew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from heedful.data.batch import pad
from heedful.data.features import Features
from heedful.network.network import Network, front_inputs
from heedful.network.tensors import tensors_of
from heedful.training.start.fits import OnFit, ignore_fit, threads_for_work, work_of

STEPS, FEWEST_STEPS = 80, 40
WARMUP = 10  # steps
BATCH = 32
RELATIVE_LR = 0.005  # learning rate, as a share of the mean size of a weight
TEMPERATURE = 0.1
DROPOUT = 0.2
KEPT = 0.5  # share of the change that is kept
CLIP = 1.0
MOST_WORK = 100_000_000_000  # weights × tokens: some ten seconds on one core
REPORT = 10  # steps


def contrast_steps(network: Network, features: Sequence[Features]) -> int:
    """Return how many steps there is time for: 0 if they are too few to be worth while."""
    encoder, pooler = _modules(network)
    n_weights = sum(each.numel() for each in (*encoder.parameters(), *pooler.parameters()))
    tokens = BATCH * sum(map(len, features)) / max(1, len(features))
    n_steps = min(STEPS, int(MOST_WORK / max(1.0, n_weights * tokens)))
    return n_steps if n_steps >= FEWEST_STEPS else 0


def fit_contrast(
    network: Network,
    features: Sequence[Features],
    truth: NDArray[np.int64],
    *,
    n_steps: int = STEPS,
    seed: int = 0,
    on_fit: OnFit = ignore_fit,
) -> None:
    """Tune encoder, hops and the map to the vector by the labels; embeddings and the answers stay as they are.

    `truth` (text,) holds the number of each label. `on_fit` is called after every ten steps.
    """
    head: Any = network.head
    encoder, pooler = _modules(network)
    tuned = [*encoder.parameters(), *pooler.parameters(), *head.vector.parameters()]
    before = [each.detach().clone() for each in tuned]
    mean_length = sum(map(len, features)) // max(1, len(features))
    network.eval()
    with threads_for_work(work_of(network, BATCH, mean_length)), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        lr = RELATIVE_LR * _size(tuned)
        optimizer = torch.optim.AdamW(tuned, lr=lr, weight_decay=0.0)
        for step, positions in enumerate(label_batches(truth, n_steps=n_steps, seed=seed)):
            for group in optimizer.param_groups:
                group["lr"] = lr * min(1.0, (step + 1) / WARMUP) * (1 - step / n_steps)
            vectors = _vectors(network, features, positions)
            loss = contrastive_loss(vectors, torch.from_numpy(truth[positions]))
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(tuned, CLIP)
            optimizer.step()
            if (step + 1) % REPORT == 0 or step + 1 == n_steps:
                on_fit(step + 1, n_steps)
        optimizer.zero_grad()
    with torch.no_grad():
        for after, old in zip(tuned, before, strict=True):
            after.copy_(torch.lerp(old, after, KEPT))


def contrastive_loss(vectors: Tensor, labels: Tensor) -> Tensor:
    """Return the mean cross-entropy of finding, for each text, the others of its label by their similarity.

    `vectors` (text, width) have length 1.
    """
    itself = torch.eye(len(labels), dtype=torch.bool)
    logs = (vectors @ vectors.T / TEMPERATURE).masked_fill(itself, -1e9).log_softmax(dim=1)
    is_same = (labels[:, None] == labels[None]) & ~itself
    n_same = is_same.sum(dim=1)
    of_each = logs.masked_fill(~is_same, 0.0).sum(dim=1) / n_same.clamp(min=1)
    return -of_each.sum() / (n_same > 0).sum().clamp(min=1)


def label_batches(truth: NDArray[np.int64], *, n_steps: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Yield the positions of each batch: two or more texts of as many labels as it takes."""
    rng = np.random.default_rng([seed, 0xC07])
    of_labels = [(truth == label).nonzero()[0] for label in np.unique(truth)]
    n_labels = min(len(of_labels), BATCH // 2)
    for _ in range(n_steps):
        chosen = rng.permutation(len(of_labels))[:n_labels]
        yield np.concatenate([rng.permutation(of_labels[i])[: BATCH // n_labels] for i in chosen])


def _vectors(network: Network, features: Sequence[Features], positions: NDArray[np.int64]) -> Tensor:
    """Return the vectors (text, width) of some texts, with dropout."""
    head: Any = network.head
    inputs, mask = tensors_of(pad(features, positions))
    with torch.no_grad():
        embedded = network.embed(front_inputs(inputs))
    states = network.states(nn.functional.dropout(embedded, DROPOUT), mask, inputs)
    rows, _ = network.pooled(states, mask, inputs)
    vectors: Tensor = head.unit_vector(nn.functional.dropout(rows, DROPOUT))
    return vectors


def _modules(network: Network) -> tuple[Any, Any]:
    """Return the encoder and the pooler."""
    return network.encoder, network.pooler


def _size(weights: Sequence[Tensor]) -> float:
    """Return the root mean square of the weights of matrices."""
    matrices = [each.detach() for each in weights if each.dim() > 1]
    total = sum(float(each.square().sum()) for each in matrices)
    return float((total / max(1, sum(each.numel() for each in matrices))) ** 0.5)
