"""Beam search: the most probable sequences of tokens, when each token's chance depends on those before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from heedful.data.features import PAD
from heedful.text.bpe import EDGE
from heedful.text.vocab import UNKNOWN

Floats = NDArray[np.float32]
Memory = Sequence[Floats]  # each (batch, way, units)
# From tokens before (batch, way) and the memory to log-probabilities (batch, way, id), memory and
# weights (batch, way, time)
Step = Callable[[NDArray[np.int64], Memory], tuple[Floats, Memory, Floats]]


@dataclass(frozen=True)
class Said:
    """A finished sequence, without its edges."""

    ids: tuple[int, ...]
    score: float  # log-probability, divided by how many tokens there are, the edge among them
    weights: Floats  # (token, time): where the decoder looked before it said each


def beam_search(
    step: Step,
    memory: Memory,
    most: NDArray[np.int64],
    *,
    beam: int,
    never: tuple[int, ...] = (PAD, UNKNOWN),
) -> list[list[Said]]:
    """Return the best sequences found for each text, the best first, at least one and at most `beam` of them.

    `most` (batch,) is how many tokens each may have; then it must end. At each step the `beam` best ways to go on are
    kept; of these, one that ends is finished. With a beam of 1 this is greedy: always the most probable token.
    """
    before = np.full((len(most), 1), EDGE, dtype=np.int64)
    totals = np.zeros((len(most), 1), dtype=np.float32)  # log-probability of each way so far
    found: list[list[Said]] = [[] for _ in most]
    trace = _Trace()
    for said in range(int(most.max(initial=0)) + 1):
        scores, memory, weights = step(before, memory)
        scores = _allowed(scores, never, must_end=most <= said)
        scores += totals[:, :, None]
        places, values = _best(scores.reshape(len(most), -1), 2 * beam)  # (batch, candidate)
        parents, tokens = np.divmod(places, scores.shape[-1])
        ends = tokens == EDGE
        for text, rank in np.argwhere(ends[:, :beam] & np.isfinite(values[:, :beam])):
            if len(found[text]) < beam:
                score = float(values[text, rank]) / (said + 1)
                found[text].append(trace.said(int(text), int(parents[text, rank]), score, weights.shape[-1]))
        on = np.argsort(ends, axis=1, kind="stable")[:, :beam]  # those that do not end, in their order
        parents, before = (np.take_along_axis(array, on, axis=1) for array in (parents, tokens))
        totals = np.where(before == EDGE, -np.inf, np.take_along_axis(values, on, axis=1))
        alive = np.asarray(np.isfinite(totals).any(axis=1))
        if all(len(found[text]) == beam or not alive[text] for text in range(len(most))):
            break
        trace.go_on(parents, before, _along(weights, parents))
        memory = [_along(array, parents) for array in memory]
    return [sorted(some, key=lambda one: -one.score) for some in found]


@dataclass
class _Trace:
    """Which way came from which: a list entry for each step, each (batch, way, …)."""

    parents: list[NDArray[np.int64]] = field(default_factory=list)
    tokens: list[NDArray[np.int64]] = field(default_factory=list)
    weights: list[Floats] = field(default_factory=list)

    def go_on(self, parents: NDArray[np.int64], tokens: NDArray[np.int64], weights: Floats) -> None:
        """Remember one step."""
        self.parents.append(parents)
        self.tokens.append(tokens)
        self.weights.append(weights)

    def said(self, text: int, way: int, score: float, time: int) -> Said:
        """Return what was said on the way that is now at this place."""
        ids, weights = [], []
        for parents, tokens, looks in zip(self.parents[::-1], self.tokens[::-1], self.weights[::-1], strict=True):
            ids.append(int(tokens[text, way]))
            weights.append(looks[text, way])
            way = int(parents[text, way])
        looked = np.array(weights[::-1], dtype=np.float32).reshape(len(ids), time)
        return Said(tuple(ids[::-1]), score, looked)


def _allowed(scores: Floats, never: tuple[int, ...], *, must_end: NDArray[np.bool_]) -> Floats:
    """Return log-probabilities in which what may not be said has none; who must end can say nothing but that."""
    allowed = scores.copy()
    allowed[:, :, list(never)] = -np.inf
    edges = allowed[must_end, :, EDGE]
    allowed[must_end] = -np.inf
    allowed[must_end, :, EDGE] = edges
    return allowed


def _best(totals: Floats, n: int) -> tuple[NDArray[np.int64], Floats]:
    """Return the places and values of the n largest in each row, the largest first; of equals the first."""
    n = min(n, totals.shape[1])
    some = np.sort(np.argpartition(totals, -n, axis=1)[:, -n:], axis=1)
    values = np.take_along_axis(totals, some, axis=1)
    order = np.argsort(-values, axis=1, kind="stable")
    return np.take_along_axis(some, order, axis=1), np.take_along_axis(values, order, axis=1)


def _along(array: Floats, parents: NDArray[np.int64]) -> Floats:
    """Return the rows (batch, way, …) of the ways that are gone on with."""
    return np.take_along_axis(array, parents[:, :, None], axis=1)
