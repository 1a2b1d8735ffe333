"""Learning to give a teacher's vectors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from heedful.config import TrainSettings
from heedful.data.batch import Batch, training_batches
from heedful.data.featurise import Ids
from heedful.layers.heads import VectorHead
from heedful.metrics.rank import spearman
from heedful.training.goal import Judged, Positions
from heedful.training.loss import Loss
from heedful.training.network import Network, Output

Vectors = NDArray[np.float16]

SAMPLE = 100_000  # vectors from which the axes are found
PAIRS = 20_000  # pairs of checking texts whose likeness is compared with the teacher's
FREQUENT = 1e-3  # share of all tokens above which a token starts with a short vector (as in SIF weighting)
START_LENGTH = 3.0  # of a token's first vector, so that its numbers are of the size the optimiser steps by
SHORTER = (64, 128, 256)


class DistillGoal:
    """The teacher's vector for each text, and the teacher's likeness for each pair of texts in a step.

    The teacher's vectors are turned to their main axes first. That changes no cosine, and puts what matters most into
    the first numbers, so that a vector cut short is still a good one.
    """

    def __init__(
        self,
        train: Sequence[Ids],
        valid: Sequence[Ids],
        *,
        train_vectors: Vectors,
        valid_vectors: Vectors,
        likeness: float,
    ) -> None:
        self.train, self.valid, self.n_examples = train, valid, len(train)
        self.likeness = likeness
        self._train, self._valid = torch.from_numpy(train_vectors), torch.from_numpy(valid_vectors)

    def batches(self, settings: TrainSettings, epoch: int) -> list[Positions]:
        """Return texts of like length together."""
        return training_batches(self.train, batch_size=settings.batch_size, seed=settings.seed, epoch=epoch)

    def to(self, device: torch.device) -> Self:
        """Move the teacher's vectors."""
        self._train, self._valid = self._train.to(device), self._valid.to(device)
        return self

    def loss(self, output: Output, positions: Positions) -> Loss:
        """Return 1 − cosine, plus the squared error of all likenesses in the step, whole and cut short."""
        truth = self._train[torch.from_numpy(positions)].float()  # (batch, teacher's width)
        total, answer = distill_loss(output.scores, truth, likeness=self.likeness)
        return Loss(total, answer.detach(), (total - answer).detach())

    def judge(self, outputs: Iterable[tuple[Batch, Output]]) -> Judged:
        """Return the mean cosine with the teacher, and how well the student ranks pairs as the teacher does."""
        found = torch.zeros(self._valid.shape)
        for batch, output in outputs:
            vectors = nn.functional.normalize(output.scores.float().cpu(), dim=1)
            found[torch.from_numpy(batch.positions), : vectors.shape[1]] = vectors
        truth = self._valid.float().cpu()
        cosine = float((found * truth).sum(1).mean())
        rank = _pair_agreement(found.numpy(), truth.numpy())
        return Judged({"agreement": rank, "cosine": cosine}, 1.0 - cosine, (rank, cosine))


def distill_loss(vectors: Tensor, truth: Tensor, *, likeness: float) -> tuple[Tensor, Tensor]:
    """Return the whole loss, and its first part: how far each vector points from the teacher's."""
    student = nn.functional.normalize(vectors, dim=1)  # (batch, width)
    away = 1.0 - (student * truth[:, : student.shape[1]]).sum(1).mean()
    if likeness == 0.0:
        return away, away
    wanted = truth @ truth.T  # (batch, batch)
    error = (student @ student.T - wanted).square().mean()
    for width in SHORTER:
        if width < student.shape[1]:
            short = nn.functional.normalize(vectors[:, :width], dim=1)
            error = error + 0.2 * (short @ short.T - wanted).square().mean()
    return away + likeness * error, away


def main_axes(vectors: Vectors, width: int) -> NDArray[np.float32]:
    """Return (teacher's width, width): the axes along which the vectors are longest, longest first."""
    sample = vectors[:SAMPLE].astype(np.float32)
    sizes, axes = np.linalg.eigh(sample.T @ sample)
    axes = axes[:, np.argsort(-sizes)][:, :width]
    signs = np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])  # eigh is free to choose them
    return np.ascontiguousarray(axes * signs, dtype=np.float32)


def turned(vectors: Vectors, axes: NDArray[np.float32]) -> Vectors:
    """Return vectors along the axes, in parts: a corpus of float32 may not fit."""
    parts = [vectors[i : i + SAMPLE].astype(np.float32) @ axes for i in range(0, len(vectors), SAMPLE)]
    return np.concatenate([part.astype(np.float16) for part in parts])


def start_from_words(network: Network, words: NDArray[np.float32], features: Sequence[Ids]) -> None:
    """Let the student begin near a mean of the teacher's vectors of its tokens, frequent ones made short.

    `words` (id, width) are the teacher's vectors of the tokens by themselves, along the main axes. The map of the
    head begins as what passes a token's vector on, from every hop.
    """
    assert isinstance(network.head, VectorHead)
    table, head = network.embed.weight, network.head.map.weight
    counts = np.bincount(np.concatenate(features), minlength=len(words)) if len(features) else np.zeros(len(words))
    share = counts / max(1, counts.sum())
    width, hops, states = table.shape[1], int(network.pooler.n_hops), int(network.encoder.width)
    short = words[:, :width] * (START_LENGTH * FREQUENT / (FREQUENT + share))[:, None].astype(np.float32)
    with torch.no_grad():
        table[:, : short.shape[1]] = torch.from_numpy(short)
        table[0] = 0.0
        by_hop = head.view(head.shape[0], hops, states)
        by_hop *= 0.1
        own = states - width  # where the tokens' own vectors begin in a state
        n = min(width, by_hop.shape[0])
        by_hop[:n, :, own : own + n] += torch.eye(n)[:, None, :] / hops


def _pair_agreement(found: NDArray[np.float32], truth: NDArray[np.float32]) -> float:
    rng = np.random.default_rng(0)
    first, second = rng.integers(0, len(found), size=(2, PAIRS))
    apart = first != second
    first, second = first[apart], second[apart]
    ours = (found[first] * found[second]).sum(1)
    return spearman(ours, (truth[first] * truth[second]).sum(1)) if len(first) else 0.0
