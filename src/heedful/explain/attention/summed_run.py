"""One run of the graph for each input: scores, weights, and the scores as sums over tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heedful.explain.attention.model_input import Reading
from heedful.explain.contributions import Sum, has_contributions, linear_answer
from heedful.explain.ngram_sums import ngrams_by_token
from heedful.runtime.model import Model


class SummedRun(NamedTuple):
    """Results of the graph for one input."""

    scores: NDArray[Any]  # (label,)
    weights: NDArray[np.float32]  # (hop, token)
    parts: Sum | None  # None if the scores are not sums over tokens


def summed_runs(
    model: Model, readings: Sequence[Reading], *, batch_size: int = 64
) -> Iterator[list[tuple[int, SummedRun]]]:
    """Yield the results of each batch, each with the index of its input."""
    linear = linear_answer(model) if has_contributions(model) else None
    outputs = ("scores", *(linear.outputs if linear else ("weights",)))
    n_sums = 1 + linear.has_length if linear else 0
    features = [reading.features for reading in readings]
    for batch, (scores, weights, *others) in model.run(features, outputs, batch_size=batch_size):
        runs = []
        for row, i in enumerate(batch.positions):
            n = int(batch.lengths[row])
            own = weights[row, :, :n]
            parts = None
            if linear:
                states, *length = (array[row] for array in others[:n_sums])
                parts = linear.sum_of(own, states[:n], *length)
                if linear.ngram_map is not None:
                    parts = parts.with_ngrams(ngrams_by_token(readings[int(i)], others[-1][row], linear.ngram_map))
            runs.append((int(i), SummedRun(scores[row], own, parts)))
        yield runs


def summed_run(model: Model, reading: Reading) -> SummedRun:
    """Return the results for one input."""
    (((_, run),),) = summed_runs(model, [reading])
    return run
