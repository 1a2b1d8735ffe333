"""The score of each label as an exact sum over tokens."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from heedful.data.batch import pad
from heedful.network.heads.parts import NGRAM_MAP, NGRAM_VALUES, STATES, SUM_BIAS, SUM_LENGTH, SUM_MAP
from heedful.runtime.model import Model

Floats = NDArray[np.float32]
Values = NDArray[np.float64]
MOST_CELLS = 4_000_000  # numbers that are held at once: tokens × hops × labels
# Multiplications in a matrix product below which OpenBLAS uses one thread. On a busy machine, small products on all
# threads took 18 times as long: each waits until the system has run every thread.
ONE_THREAD, FEWEST = 262_144, 4  # tokens in such a product


@dataclass(frozen=True)
class Sum:
    """The parts of the scores of one input: bias + Σ over tokens = scores = bias + n-grams + Σ over hops."""

    by_token: Values  # (token, label)
    by_hop: Values  # (hop, label)
    bias: Values  # (label,)
    ngrams: Values | None = None  # (label,) what the n-grams add; None if the model has no wide part

    def with_ngrams(self, by_token: Values) -> Sum:
        """Add what the n-grams of each token add."""
        return replace(self, by_token=self.by_token + by_token, ngrams=by_token.sum(axis=0))


@dataclass(frozen=True)
class LinearAnswer:
    """How a model's scores depend on its rows: score = bias + Σ_hop M[hop] · map[hop]."""

    map: Floats  # (width, hop · label)
    bias: Values  # (label,)
    n_hops: int
    factor: float  # of a score of 1, in the unit of the answer
    has_length: bool  # whether the sum is divided by the length of the input's vector
    ngram_map: Floats | None = None  # (n-gram, label), of the wide part

    @property
    def outputs(self) -> tuple[str, ...]:
        """The outputs of the graph that `sum_of` needs."""
        ngrams = () if self.ngram_map is None else (NGRAM_VALUES,)
        return ("weights", STATES, *((SUM_LENGTH,) if self.has_length else ()), *ngrams)

    def sum_of(self, weights: Floats, states: Floats, length: Floats | None = None) -> Sum:
        """Take apart the scores of one input.

        score[c] − bias[c] = Σ_t Σ_hop A[hop, t] · (H[t] · map[hop, c]); a length divides all of it. `weights` are A
        (hop, token), `states` are H (token, width).
        """
        n_labels = len(self.bias)
        by_token = np.zeros((len(states), n_labels))
        by_hop = np.zeros((self.n_hops, n_labels))
        step = max(1, MOST_CELLS // self.map.shape[1])
        if (small := ONE_THREAD // self.map.size) >= FEWEST:
            step = min(step, small)
        for at in range(0, len(states), step):
            some = slice(at, at + step)
            each = (states[some] @ self.map).reshape(-1, self.n_hops, n_labels) * weights[:, some].T[:, :, None]
            by_token[some] = each.sum(axis=1, dtype=np.float64)
            by_hop += each.sum(axis=0, dtype=np.float64)
        factor = self.factor / (1.0 if length is None else float(length.item()))
        return Sum(by_token * factor, by_hop * factor, self.bias)


def has_contributions(model: Model) -> bool:
    """Return whether the model's scores are sums over tokens: a linear head over weighted sums of states."""
    return SUM_MAP in model.session.outputs and model.n_sides == 1


_KNOWN: WeakKeyDictionary[Model, LinearAnswer] = WeakKeyDictionary()  # fetching it takes as long as a run


def linear_answer(model: Model) -> LinearAnswer:
    """Return how the scores of a model with contributions depend on its rows."""
    if (known := _KNOWN.get(model)) is None:
        known = _KNOWN[model] = _fetched(model)
    return known


def by_width(flat: Floats, n_hops: int) -> Floats:
    """Return a map of rows (hop · width, label) as `LinearAnswer` has it: (width, hop · label)."""
    by_hop = flat.reshape(n_hops, -1, flat.shape[1])
    return np.ascontiguousarray(by_hop.transpose(1, 0, 2).reshape(-1, n_hops * flat.shape[1]))


def _fetched(model: Model) -> LinearAnswer:
    smallest: Any = model.featuriser.shape.smallest()
    has_ngrams = NGRAM_MAP in model.session.outputs
    outputs = (SUM_MAP, SUM_BIAS, *((NGRAM_MAP,) if has_ngrams else ()))
    flat, bias, *more = model.session.run(pad([smallest], [0]), outputs)
    ngram_map = more[0] if more else None
    n_hops = model.facts.n_hops
    return LinearAnswer(
        map=by_width(flat, n_hops),
        bias=np.asarray(model.in_units(bias), dtype=np.float64),
        n_hops=n_hops,
        factor=model.factor,
        has_length=SUM_LENGTH in model.session.outputs,
        ngram_map=ngram_map,
    )
