"""Token vectors from counts: how often two tokens stand near each other, factorised.

The count of each pair becomes positive pointwise mutual information, and a truncated SVD of that matrix gives the
vectors (Levy et al. 2015). No labels, no epochs: seconds for ten thousand texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from heedful.data.features import Ids

WINDOW = 5  # tokens to each side; a pair at distance d counts 1/d
SMOOTHING = 0.75  # power of the counts of contexts: less weight for rare ones
RARE = 1e-3  # share of the tokens above which a token weighs less in a text (Arora et al. 2017)
ROUNDS = 6  # of the randomised SVD
AT_ONCE = 1_000  # texts


def count_vectors(texts: Sequence[Ids], n_ids: int, *, width: int, seed: int = 0) -> NDArray[np.float32]:
    """Return a vector for each token id: its direction is its meaning, its length its weight in a text."""
    near = count_near(texts, n_ids)
    totals = near.sum(dim=1)
    near = positive_information(near, totals)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        u, s, _ = torch.svd_lowrank(near, q=min(width, n_ids), niter=ROUNDS)
    vectors = np.zeros((n_ids, width), np.float32)
    vectors[:, : len(s)] = (u * s.sqrt()).numpy()
    weights = rarity(texts, n_ids)
    return vectors * weights[:, None]


def count_near(texts: Iterable[Ids], n_ids: int) -> Tensor:
    """Return how often each two tokens stand near each other, (id, id)."""
    near = torch.zeros(n_ids * n_ids)
    texts = list(texts)
    for start in range(0, len(texts), AT_ONCE):
        some = [np.asarray(ids, np.int64) for ids in texts[start : start + AT_ONCE]]
        for distance in range(1, WINDOW + 1):
            keys = [ids[:-distance] * n_ids + ids[distance:] for ids in some if len(ids) > distance]
            if keys:
                joined = torch.from_numpy(np.concatenate(keys))
                near.index_add_(0, joined, torch.full((len(joined),), 1.0 / distance))
    square = near.view(n_ids, n_ids)
    return square + square.T


def positive_information(near: Tensor, totals: Tensor) -> Tensor:
    """Return the positive pointwise mutual information of each two tokens; `near` is overwritten."""
    contexts = totals**SMOOTHING
    contexts = contexts / contexts.sum().clamp(min=1e-9)
    near.div_(totals.clamp(min=1e-9)[:, None]).div_(contexts.clamp(min=1e-12)[None, :])
    return near.clamp_(min=1.0).log_()


def rarity(texts: Sequence[Ids], n_ids: int) -> NDArray[np.float32]:
    """Return the weight of each token in a text: near 1 if it is rare, near 0 if it is in every sentence."""
    counts = np.zeros(n_ids)
    for ids in texts:
        np.add.at(counts, np.asarray(ids, np.int64), 1.0)
    weights: NDArray[np.float32] = (RARE / (RARE + counts / max(1.0, counts.sum()))).astype(np.float32)
    return weights
