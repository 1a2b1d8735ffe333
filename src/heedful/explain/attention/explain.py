"""Explanations of answers: contributions and weights of words from one run, effects by other methods on request."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.data.features import source_of
from heedful.errors import HeedfulError, did_you_mean, listed, need
from heedful.explain.attention.erasure import leave_one_out
from heedful.explain.attention.explanation import LEAVE_ONE_OUT, METHODS, Explanation
from heedful.explain.attention.hop_effects import hop_effects
from heedful.explain.attention.model_input import Reading, answer_of, read
from heedful.explain.attention.summed_run import SummedRun, summed_runs
from heedful.explain.audit.audit import ATTENTION, CONTRIBUTIONS
from heedful.explain.contributions import Sum, has_contributions
from heedful.explain.pair_contributions import has_pair_contributions
from heedful.runtime.model import Model
from heedful.tasks.task import EXPLAIN

MOST_CELLS = 4_000_000  # tokens that leave-one-out may run for one text: a text of 2,000 words


def explain_texts(
    model: Model,
    texts: Sequence[Any],
    *,
    methods: str | Collection[str] | None = None,
    label: str | None = None,
    batch_size: int = 64,
) -> list[Explanation]:
    """Explain each text; the result for one does not depend on the others.

    `methods` are checks beside the contributions. By default there are none; a model whose head is not linear has no
    contributions, and leave-one-out takes their place.
    """
    methods = effect_methods(default_methods(model) if methods is None else methods)
    check_can_explain(model, methods, label)
    readings = [read(model, text) for text in texts]
    explanations: dict[int, Explanation] = {}
    # With effects, each text is run by itself, as its effects are: then not even a last bit depends on the others.
    for runs in summed_runs(model, readings, batch_size=1 if methods else batch_size):
        for i, run in runs:
            explanations[i] = _explanation(model, readings[i], run, methods, label, texts[i])
    return [explanations[i] for i in range(len(texts))]


def default_methods(model: Model) -> tuple[str, ...]:
    """Return the methods of an explanation unless others are asked for."""
    return () if has_contributions(model) or has_pair_contributions(model) else (LEAVE_ONE_OUT,)


def effect_methods(methods: str | Collection[str]) -> list[str]:
    """Return the methods that need runs of their own: contributions and weights do not."""
    named = methods.split(",") if isinstance(methods, str) else list(methods)
    return [name.strip() for name in named if name.strip() not in ("", ATTENTION, CONTRIBUTIONS)]


def check_can_explain(model: Model, methods: Collection[str] = (), label: str | None = None) -> None:
    """Raise if the model cannot be explained, or if it has no such label or method."""
    if EXPLAIN not in model.can:
        raise HeedfulError(f"{model.path.name} gives vectors, not answers: see model.similarity, or `heedful similar`")
    for method in methods:
        if method not in METHODS:
            raise HeedfulError(
                f"no method {method!r}.{did_you_mean(method, METHODS)} There are: {CONTRIBUTIONS}, {ATTENTION}, "
                f"{', '.join(METHODS)}"
            )
    if label is not None and label not in model.labels:
        raise HeedfulError(
            f"the model has no label {label!r}.{did_you_mean(label, model.labels)} It has: {listed(model.labels)}"
        )


def _explanation(
    model: Model,
    reading: Reading,
    result: SummedRun,
    methods: Collection[str],
    label: str | None,
    source: Any,
) -> Explanation:
    probabilities = answer_of(model, result.scores)
    answer = model.labels[int(probabilities.argmax())]
    target = answer if label is None else label
    effects, notes = effects_of(model, reading, methods, model.labels.index(target))
    is_short = model.facts.n_hops * len(reading.features) <= MOST_CELLS
    return Explanation(
        text=reading.text,
        words=reading.words,
        weights=np.asarray(reading.folded(result.weights), dtype=np.float32),
        label=answer,
        probabilities={name: float(p) for name, p in zip(model.labels, probabilities, strict=True)},
        read_to=reading.read_to,
        effects=effects,
        target=target,
        verdict=model.verdict,
        notes=notes,
        is_number=model.answer is not None and model.answer.is_number,
        kind=model.config.input,
        source=source_of(source),
        hop_effects=hop_effects(model, reading, model.labels.index(target)) if methods and is_short else None,
        **(_sum_over_words(reading, result.scores, result.parts) if result.parts else {}),
    )


def _sum_over_words(reading: Reading, scores: NDArray[Any], parts: Sum) -> dict[str, Any]:
    """Return the parts of the scores by words and by hops."""
    return {
        "contributions": np.asarray(reading.folded(parts.by_token.T).T),
        "bias": parts.bias,
        "scores": scores.astype(np.float64),
        "hop_contributions": parts.by_hop,
        "ngram_contributions": parts.ngrams,
    }


def effects_of(
    model: Model, reading: Reading, methods: Collection[str], target: int
) -> tuple[Mapping[str, NDArray[np.float64]], tuple[str, ...]]:
    """Return the effect of each word on a label by each method, and why one is missing."""
    effects: dict[str, NDArray[np.float64]] = {}
    notes: list[str] = []
    if LEAVE_ONE_OUT in methods:
        if (cells := len(reading.words) * len(reading.features)) <= MOST_CELLS:
            effects[LEAVE_ONE_OUT] = leave_one_out(model, reading, target)
        else:
            notes.append(
                f"Leave-one-out was not done: for {len(reading.words):,} words it would run {cells:,} tokens, and at "
                f"most {MOST_CELLS:,} are run (a text of {int(MOST_CELLS**0.5):,} words). Explain a part of the text."
            )
    if others := [method for method in methods if method != LEAVE_ONE_OUT]:
        need("torch", feature="Gradients", extra="train")
        from heedful.torch_model.gradients import gradient_effects

        effects |= gradient_effects(model, reading, others, target)
    return effects, tuple(notes)
