"""What an audit measures on one text."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.explain.attention.erasure import erase, order_of
from heedful.explain.attention.explain import effects_of
from heedful.explain.attention.model_input import Reading, read
from heedful.explain.attention.summed_run import summed_run
from heedful.explain.audit.audit import ATTENTION, CONTRIBUTIONS, RANDOM
from heedful.metrics.correlation import kendall
from heedful.runtime.model import Model

RANDOM_ORDERS = 5
FLAT = 1e-4  # weights that differ by less than this share of their mean are all the same


@dataclass(frozen=True)
class TextFigures:
    """The measurements of one text: a line of the progress file."""

    answer: int
    without_top: dict[str, list[float]]  # method → fall in probability for each of SHARES
    only_top: dict[str, list[float]]
    agreement: dict[str, float]  # "attention, gradient" → Kendall τ
    entropy: list[float]  # of each hop
    overlap: list[list[float]]  # (hop, hop)
    is_flat: bool  # whether all words have the same weight
    shuffled: float | None = None
    other: list[float] | None = None  # distance and change of the furthest weights with the same answer

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return asdict(self)


def measure_text(
    model: Model, text: Any, methods: Sequence[str], *, seed: int, shuffle: bool, adversary: bool
) -> TextFigures | None:
    """Measure one text; None if it has fewer than two words: there is nothing to rank."""
    reading = read(model, text)
    if len(reading.words) < 2:
        return None
    rng = np.random.default_rng([seed, *hashlib.sha256(reading.text.encode("utf-8", "surrogatepass")).digest()[:8]])
    run = summed_run(model, reading)
    answer, hops = int(run.scores.argmax()), np.asarray(reading.folded(run.weights), dtype=np.float64)  # (hop, word)
    overall = hops.mean(axis=0)
    values: dict[str, NDArray[np.float64]] = {}
    if run.parts:
        values[CONTRIBUTIONS] = np.asarray(reading.folded(run.parts.by_token[:, answer]), dtype=np.float64)
    values |= {ATTENTION: overall, **effects_of(model, reading, methods, answer)[0]}
    orders = {name: order_of(importance, rng) for name, importance in values.items()}
    orders |= {f"{RANDOM} {i}": rng.permutation(len(reading.words)) for i in range(RANDOM_ORDERS)}
    erased = erase(model, reading, orders, answer)
    without = {name: fall.without_top.tolist() for name, fall in erased.items() if name in values}
    only = {name: fall.only_top.tolist() for name, fall in erased.items() if name in values}
    chance = [fall for name, fall in erased.items() if name not in values]
    return TextFigures(
        answer=answer,
        without_top=without | {RANDOM: np.mean([fall.without_top for fall in chance], axis=0).tolist()},
        only_top=only | {RANDOM: np.mean([fall.only_top for fall in chance], axis=0).tolist()},
        agreement=agreement(values),
        entropy=entropies(hops).tolist(),
        overlap=overlaps(hops).tolist(),
        is_flat=bool(np.ptp(overall / reading.sizes) <= FLAT * overall.mean()),
        shuffled=_shuffled(model, reading, rng) if shuffle else None,
        other=_other(model, reading, rng) if adversary else None,
    )


def agreement(values: dict[str, NDArray[np.float64]]) -> dict[str, float]:
    """Return Kendall's τ of each two methods. Attention has no sign: it is compared with the sizes of the others."""
    taus = {}
    for name, other in combinations(values, 2):
        first, second = values[name], values[other]
        if ATTENTION in (name, other):
            first, second = np.abs(first), np.abs(second)
        taus[f"{name}, {other}"] = kendall(first, second)
    return taus


def entropies(hops: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how evenly each hop reads (hop, word) to (hop,): 1 is all words alike, 0 is one word."""
    logs = np.log(hops, out=np.zeros_like(hops), where=hops > 0)
    return np.asarray(-(hops * logs).sum(axis=1) / np.log(hops.shape[1]))


def overlaps(hops: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the cosine of each hop's weights with each other's: (hop, hop)."""
    lengths = np.linalg.norm(hops, axis=1, keepdims=True)
    unit = hops / np.where(lengths > 0, lengths, 1.0)
    return np.asarray(unit @ unit.T)


def _shuffled(model: Model, reading: Reading, rng: np.random.Generator) -> float:
    from heedful.torch_model.shuffle import shuffle_effect

    return shuffle_effect(model, reading.features, rng)


def _other(model: Model, reading: Reading, rng: np.random.Generator) -> list[float]:
    from heedful.torch_model.adversary import furthest_same_answer

    furthest = furthest_same_answer(model, reading.features, rng)
    return [furthest.distance, furthest.change]
