"""Learning to give a teacher's vectors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from heedful.data.batch import POOL, Batch, training_batches
from heedful.data.features import Features, Ids
from heedful.metrics.correlation import spearman
from heedful.network.heads.vector import VectorHead
from heedful.network.network import Network, Output
from heedful.settings import TrainSettings
from heedful.training.goal import InMemoryGoal, Judged, Positions
from heedful.training.loop.loss import Loss

Vectors = NDArray[np.float16]

SAMPLE = 100_000  # vectors from which the axes are found
PAIRS = 20_000  # pairs of validation texts whose similarity is compared with the teacher's
FREQUENT = 1e-3  # share of all tokens above which a token starts with a short vector (as in SIF weighting)
START_LENGTH = 3.0  # of a token's first vector, so that its numbers are of the size the optimiser steps by
NEAR_WIDTH, NEAR_ANCHORS, NEAR_PART = 64, 2_000, 16_384
SHORTER = (64, 128, 256)


class DistillGoal(InMemoryGoal):
    """The teacher's vector for each text, and the teacher's similarity for each pair of texts in a batch.

    The teacher's vectors are turned to their main axes first. That changes no cosine, and puts what matters most into
    the first numbers, so that a vector cut short is still a good one.
    """

    def __init__(
        self,
        train: Sequence[Features],
        valid: Sequence[Features],
        *,
        train_vectors: Vectors,
        valid_vectors: Vectors,
        likeness: float,
        ranking: float = 0.0,
        temperature: float = 0.05,
        near: int = 1,
    ) -> None:
        super().__init__(train, valid)
        self.near = near
        self.likeness, self.ranking, self.temperature = likeness, ranking, temperature
        self._train, self._valid = torch.from_numpy(train_vectors), torch.from_numpy(valid_vectors)

    def batches(self, settings: TrainSettings, epoch: int) -> list[Positions]:
        """Return batches of similar length, optionally in groups that are similar to the teacher."""
        if self.near <= 1:
            return training_batches(self.train, batch_size=settings.batch_size, seed=settings.seed, epoch=epoch)
        rng = np.random.default_rng([settings.seed, epoch, 0x4EA4])
        lengths = np.array([len(ids) for ids in self.train])
        groups = near_groups(self._train.cpu().numpy(), self.near, rng)
        groups = [groups[i] for i in rng.permutation(len(groups))]
        in_step = max(1, settings.batch_size // self.near)
        steps: list[Positions] = []
        for start in range(0, len(groups), in_step * POOL):
            pool = sorted(groups[start : start + in_step * POOL], key=lambda group: lengths[group].mean())
            steps += [np.concatenate(pool[i : i + in_step]) for i in range(0, len(pool), in_step)]
        return [steps[i] for i in rng.permutation(len(steps))]

    def to(self, device: torch.device) -> Self:
        """Move the teacher's vectors."""
        self._train, self._valid = self._train.to(device), self._valid.to(device)
        return self

    def loss(self, output: Output, positions: Positions) -> Loss:
        """Return 1 − cosine, plus the error in the similarity of all pairs in the batch."""
        truth = self._train[torch.from_numpy(positions)].float()  # (batch, teacher's width)
        total, answer = distill_loss(output.scores, truth, likeness=self.likeness)
        if self.ranking > 0.0 and len(positions) > 1:
            total = total + self.ranking * ranking_loss(output.scores, truth, temperature=self.temperature)
        return Loss(answer, total - answer, coefficient=1.0)

    def judge(self, outputs: Iterable[tuple[Batch, Output]]) -> Judged:
        """Return the mean cosine with the teacher, and how well the student ranks pairs as the teacher does."""
        ours = torch.zeros(self._valid.shape)
        for batch, output in outputs:
            vectors = nn.functional.normalize(output.scores.float().cpu(), dim=1)
            ours[torch.from_numpy(batch.positions), : vectors.shape[1]] = vectors
        truth = self._valid.float().cpu()
        cosine = float((ours * truth).sum(1).mean())
        rank = _pair_agreement(ours.numpy(), truth.numpy())
        return Judged({"agreement": rank, "cosine": cosine}, 1.0 - cosine, (rank, cosine))


def distill_loss(vectors: Tensor, truth: Tensor, *, likeness: float) -> tuple[Tensor, Tensor]:
    """Return the loss and its first part: how far each vector points from the teacher's.

    The second part is the squared error of the cosine of each pair of texts in the step, whole and cut short.
    """
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


def near_groups(vectors: Vectors, size: int, rng: np.random.Generator) -> list[Positions]:
    """Cut all texts into groups of at most `size` that are near each other, others at each call.

    Each text goes to the nearest of some texts chosen by chance, by the first numbers of their vectors; what is near
    the same one is cut into groups, those of similar distance together.
    """
    short = vectors[:, :NEAR_WIDTH].astype(np.float32)
    anchors = short[rng.choice(len(short), size=max(1, min(NEAR_ANCHORS, len(short) // size)), replace=False)]
    home = np.zeros(len(short), dtype=np.int64)
    nearness = np.zeros(len(short), dtype=np.float32)
    for start in range(0, len(short), NEAR_PART):
        likeness = short[start : start + NEAR_PART] @ anchors.T
        home[start : start + NEAR_PART] = likeness.argmax(1)
        nearness[start : start + NEAR_PART] = likeness.max(1)
    order = np.lexsort((-nearness, home))
    cuts = np.flatnonzero(np.diff(home[order])) + 1
    return [part[i : i + size] for part in np.split(order, cuts) for i in range(0, len(part), size)]


def ranking_loss(vectors: Tensor, truth: Tensor, *, temperature: float) -> Tensor:
    """Return how far each text's order of the others is from the teacher's, nearest ones first.

    For each text both make a distribution over the other texts of the step; the loss is their divergence, scaled by the
    temperature so that it is of the size of a cosine.
    """
    student = nn.functional.normalize(vectors, dim=1)
    self_too = torch.eye(len(student), dtype=torch.bool, device=student.device)
    ours = (student @ student.T / temperature).masked_fill(self_too, torch.finfo(student.dtype).min)
    theirs = (truth @ truth.T / temperature).masked_fill(self_too, torch.finfo(student.dtype).min)
    apart = nn.functional.kl_div(ours.log_softmax(1), theirs.softmax(1), reduction="batchmean")
    return apart * temperature


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
    """Initialize the student near a mean of the teacher's vectors of its tokens, scaled down for frequent tokens.

    `words` (id, width) are the teacher's vectors of the tokens by themselves, along the main axes. The map of the
    head begins as what passes a token's vector on, from every hop.
    """
    table, head = network.tables[0], cast("VectorHead", network.head).map.weight
    counts = np.bincount(np.concatenate(features), minlength=len(words)) if len(features) else np.zeros(len(words))
    share = counts / max(1, counts.sum())
    width, hops, states = table.shape[1], int(network.pooler.n_hops), int(network.encoder.width)
    short = words[:, :width] * (START_LENGTH * FREQUENT / (FREQUENT + share))[:, None].astype(np.float32)
    with torch.no_grad():
        table[:, : short.shape[1]] = torch.from_numpy(short)
        table[0] = 0.0
        by_hop = head.view(head.shape[0], hops, states)
        by_hop *= 0.1
        if getattr(network.encoder, "keeps_input", False):
            own = states - width  # where the tokens' own vectors begin in a state
            n = min(width, by_hop.shape[0])
            by_hop[:n, :, own : own + n] += torch.eye(n)[:, None, :] / hops


def _pair_agreement(vectors: NDArray[np.float32], truth: NDArray[np.float32]) -> float:
    rng = np.random.default_rng(0)
    first, second = rng.integers(0, len(vectors), size=(2, PAIRS))
    apart = first != second
    first, second = first[apart], second[apart]
    ours = (vectors[first] * vectors[second]).sum(1)
    return spearman(ours, (truth[first] * truth[second]).sum(1)) if len(first) else 0.0
