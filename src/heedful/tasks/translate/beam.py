"""Beam search over an autoregressive decoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from heedful.data.features import PAD
from heedful.text.bpe import BOS_EOS
from heedful.text.vocab import UNKNOWN

Floats = NDArray[np.float32]
Memory = Sequence[Floats]  # each (batch, path, units)
# From previous tokens (batch, path) and the memory to log-probabilities (batch, path, id), memory and
# weights (batch, path, time)
Step = Callable[[NDArray[np.int64], Memory], tuple[Floats, Memory, Floats]]


@dataclass(frozen=True)
class Hypothesis:
    """A finished hypothesis, without BOS and EOS."""

    ids: tuple[int, ...]
    score: float  # log-probability divided by the number of tokens, EOS included
    weights: Floats  # (token, time): the decoder's attention at each token


def beam_search(
    step: Step,
    memory: Memory,
    most: NDArray[np.int64],
    *,
    beam: int,
    never: tuple[int, ...] = (PAD, UNKNOWN),
) -> list[list[Hypothesis]]:
    """Return the best sequences for each text, best first, from one to `beam` of them.

    `most` (batch,) is the maximum number of tokens of each. At each step the `beam` best continuations are kept;
    those that end are finished. A beam of 1 is greedy decoding.
    """
    before = np.full((len(most), 1), BOS_EOS, dtype=np.int64)
    totals = np.zeros((len(most), 1), dtype=np.float32)  # log-probability of each path so far
    finished: list[list[Hypothesis]] = [[] for _ in most]
    trace = _Trace()
    for n_tokens in range(int(most.max(initial=0)) + 1):
        scores, memory, weights = step(before, memory)
        scores = _allowed(scores, never, must_end=most <= n_tokens)
        scores += totals[:, :, None]
        positions, values = _best(scores.reshape(len(most), -1), 2 * beam)  # (batch, candidate)
        parents, tokens = np.divmod(positions, scores.shape[-1])
        ends = tokens == BOS_EOS
        for text, rank in np.argwhere(ends[:, :beam] & np.isfinite(values[:, :beam])):
            if len(finished[text]) < beam:
                score = float(values[text, rank]) / (n_tokens + 1)
                finished[text].append(trace.hypothesis(int(text), int(parents[text, rank]), score, weights.shape[-1]))
        going_on = np.argsort(ends, axis=1, kind="stable")[:, :beam]  # those that do not end, in order
        parents, before = (np.take_along_axis(array, going_on, axis=1) for array in (parents, tokens))
        totals = np.where(before == BOS_EOS, -np.inf, np.take_along_axis(values, going_on, axis=1))
        alive = np.asarray(np.isfinite(totals).any(axis=1))
        if all(len(finished[text]) == beam or not alive[text] for text in range(len(most))):
            break
        trace.append(parents, before, _along(weights, parents))
        memory = [_along(array, parents) for array in memory]
    return [sorted(hypotheses, key=lambda hypothesis: -hypothesis.score) for hypotheses in finished]


@dataclass
class _Trace:
    """Back-pointers of the paths: a list entry for each step, each (batch, path, …)."""

    parents: list[NDArray[np.int64]] = field(default_factory=list)
    tokens: list[NDArray[np.int64]] = field(default_factory=list)
    weights: list[Floats] = field(default_factory=list)

    def append(self, parents: NDArray[np.int64], tokens: NDArray[np.int64], weights: Floats) -> None:
        """Record a step."""
        self.parents.append(parents)
        self.tokens.append(tokens)
        self.weights.append(weights)

    def hypothesis(self, text: int, path: int, score: float, time: int) -> Hypothesis:
        """Follow the back-pointers of a path and return its hypothesis."""
        ids, weights = [], []
        for parents, tokens, step_weights in zip(
            self.parents[::-1], self.tokens[::-1], self.weights[::-1], strict=True
        ):
            ids.append(int(tokens[text, path]))
            weights.append(step_weights[text, path])
            path = int(parents[text, path])
        attention = np.array(weights[::-1], dtype=np.float32).reshape(len(ids), time)
        return Hypothesis(tuple(ids[::-1]), score, attention)


def _allowed(scores: Floats, never: tuple[int, ...], *, must_end: NDArray[np.bool_]) -> Floats:
    """Mask the tokens in `never`; a path that must end can only choose EOS."""
    allowed = scores.copy()
    allowed[:, :, list(never)] = -np.inf
    end_scores = allowed[must_end, :, BOS_EOS]
    allowed[must_end] = -np.inf
    allowed[must_end, :, BOS_EOS] = end_scores
    return allowed


def _best(totals: Floats, n: int) -> tuple[NDArray[np.int64], Floats]:
    """Return the positions and values of the n largest in each row, largest first, ties in order."""
    n = min(n, totals.shape[1])
    candidates = np.sort(np.argpartition(totals, -n, axis=1)[:, -n:], axis=1)
    values = np.take_along_axis(totals, candidates, axis=1)
    order = np.argsort(-values, axis=1, kind="stable")
    return np.take_along_axis(candidates, order, axis=1), np.take_along_axis(values, order, axis=1)


def _along(array: Floats, parents: NDArray[np.int64]) -> Floats:
    """Return the rows (batch, path, …) of the parents of the kept paths."""
    return np.take_along_axis(array, parents[:, :, None], axis=1)
