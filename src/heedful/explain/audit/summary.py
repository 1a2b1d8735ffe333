"""From the measurements of many texts to an audit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from heedful.explain.attention.explanation import LEAVE_ONE_OUT
from heedful.explain.audit.audit import ATTENTION, CONTRIBUTIONS, RANDOM, Audit, Faithfulness, HopFigures
from heedful.explain.audit.measure import TextFigures
from heedful.explain.audit.verdict_rules import judge
from heedful.inputs import INPUTS
from heedful.metrics.bootstrap import Interval, interval, ratio_interval

FAR = 0.2  # Jensen–Shannon: weights that look quite different
MAX_NAME = 60  # letters of a file's name in a verdict


def sum_up(
    figures: Sequence[TextFigures],
    *,
    model: str,
    file: str,
    accuracy: float | None,
    deep: Mapping[str, Any],
    left_out: Mapping[str, str],
    seed: int,
    kind: str = "text",
) -> Audit:
    """Aggregate the measurements of all texts, with intervals, and judge them."""
    methods = {name: _faithfulness(figures, name) for name in figures[0].without_top}
    moved = [text.shuffled for text in figures if text.shuffled is not None]
    permutation = interval(moved) if moved else None
    recovered = {name: recovered_share(figures, name) for name in methods if name not in (RANDOM, LEAVE_ONE_OUT)}
    verdict = judge(
        methods,
        recovered=recovered,
        tested_on=f"{len(figures):,} {INPUTS[kind].wording.inputs} of {file[:MAX_NAME]}",
        kind=kind,
        share_flat=float(np.mean([text.is_flat for text in figures])),
        permutation=permutation.mean if permutation else None,
    )
    return Audit(
        verdict=verdict,
        model=model,
        file=file,
        n_texts=len(figures),
        accuracy=accuracy,
        methods=methods,
        agreement={pair: interval([text.agreement[pair] for text in figures]) for pair in figures[0].agreement},
        hops=_hops(figures),
        permutation=permutation,
        deep={**deep, **_adversarial(figures)},
        left_out=left_out,
        seed=seed,
        subject=CONTRIBUTIONS if CONTRIBUTIONS in methods else ATTENTION,
        recovered=recovered,
    )


def recovered_share(figures: Sequence[TextFigures], name: str) -> Interval:
    """Return how much a method finds of what leave-one-out finds, both beyond random words."""
    if LEAVE_ONE_OUT not in figures[0].without_top:
        return Interval(float("nan"), float("nan"), float("nan"))
    falls = {
        method: np.array([text.without_top[method] for text in figures]).mean(axis=1)
        for method in (name, LEAVE_ONE_OUT, RANDOM)
    }
    return ratio_interval(falls[name] - falls[RANDOM], falls[LEAVE_ONE_OUT] - falls[RANDOM])


def _faithfulness(figures: Sequence[TextFigures], name: str) -> Faithfulness:
    without, only = (np.array([getattr(text, side)[name] for text in figures]) for side in ("without_top", "only_top"))
    chance = [np.array([getattr(text, side)[RANDOM] for text in figures]) for side in ("without_top", "only_top")]
    return Faithfulness(
        comprehensiveness=interval(without.mean(axis=1)),
        sufficiency=interval(only.mean(axis=1)),
        needed_beyond_chance=interval((without - chance[0]).mean(axis=1)),
        enough_beyond_chance=interval((chance[1] - only).mean(axis=1)),
        without_top=tuple(without.mean(axis=0).tolist()),
        only_top=tuple(only.mean(axis=0).tolist()),
    )


def _hops(figures: Sequence[TextFigures]) -> HopFigures:
    entropy = np.mean([text.entropy for text in figures], axis=0)
    overlap = np.mean([text.overlap for text in figures], axis=0)
    return HopFigures(tuple(entropy.tolist()), tuple(tuple(row) for row in overlap.tolist()))


def _adversarial(figures: Sequence[TextFigures]) -> dict[str, Any]:
    others = np.array([text.other for text in figures if text.other is not None])
    if not len(others):
        return {}
    distance = interval(others[:, 0])
    return {
        "adversarial": {
            "distance": {"mean": distance.mean, "low": distance.low, "high": distance.high},
            "output_change": float(others[:, 1].mean()),
            "found": float((others[:, 0] > FAR).mean()),
        }
    }
