"""The scores of each token's label as sums over the tokens that it looked at, and the explanation of one label."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.explain.attention.explain import MOST_CELLS, check_can_explain, effect_methods
from heedful.explain.attention.explanation import LEAVE_ONE_OUT, Explanation, Word
from heedful.explain.attention.model_input import RUN_TEXTS, Reading
from heedful.explain.token_sums import TokenSum, has_token_sums, token_map
from heedful.network.heads.parts import STATES
from heedful.tasks.tag.crf.viterbi import path_transitions
from heedful.tasks.tag.explanation import NO_AUDIT, SUM_NOT_AUDITED, TagExplanation
from heedful.tasks.tag.model import Tagger

Floats = NDArray[np.float32]
Values = NDArray[np.float64]
OWN_STATE = "The contribution of the word itself includes that of its own state."
TRANSITIONS = "With a CRF, the label and its probability also depend on transitions from label to label."


def explain_tags(model: Tagger, sources: Sequence[Any], *, batch_size: int = 64) -> list[TagExplanation]:
    """Return the labels of each text, the parts of their scores, and what each token looked at."""
    readings = [read_tokens(model, source) for source in sources]
    explanations: dict[int, TagExplanation] = {}
    for batch, (scores, weights, *states) in model.run(
        [reading.features for reading in readings], _outputs(model), batch_size=batch_size
    ):
        for row, i in enumerate(batch.positions):
            n = int(batch.lengths[row])
            parts = token_map(model).sum_of(states[0][row, :n]) if states else None
            explanations[int(i)] = _explanation(model, readings[i], scores[row, :n], weights[row, :n, :n], parts)
    return [explanations[i] for i in range(len(readings))]


def explain_word(
    model: Tagger,
    source: Any,
    word: int,
    *,
    methods: str | Collection[str] = (LEAVE_ONE_OUT,),
    label: str | None = None,
) -> Explanation:
    """Return what the label of one word, counted from 1, depends on; `label` asks about another than it has.

    Without the word itself there is nothing to label: it has no effect of its own.
    """
    asked = effect_methods(methods)
    check_can_explain(model, asked, label)
    if others := [method for method in asked if method != LEAVE_ONE_OUT]:
        raise HeedfulError(f"{others[0]} is not there for taggers: ask for {LEAVE_ONE_OUT}")
    reading = read_tokens(model, source)
    n = len(reading.words)
    if not 1 <= word <= n:
        raise HeedfulError(f"there is no word {word}: " + (f"expected 1 to {n}" if n else "the text has no words"))
    ((_, (scores, weights, *states)),) = model.run([reading.features], _outputs(model))
    at = word - 1
    chances = model.chances(scores[0])[at]
    answer = model.labels[int(model.best(scores[0])[at])]
    target = label or answer
    effects, notes = {}, [f"This is about the label of word {word}, “{reading.words[at].text}”."]
    if asked and n * n <= MOST_CELLS:
        effects[LEAVE_ONE_OUT] = _leave_one_out(model, reading, at, model.labels.index(target))
    elif asked:
        notes.append(f"Leave-one-out was not done: {n:,} words would run {n * n:,} tokens; at most {MOST_CELLS:,} are.")
    return Explanation(
        text=reading.text,
        words=reading.words,
        weights=weights[0, at : at + 1, :n],
        label=answer,
        probabilities={name: float(p) for name, p in zip(model.labels, chances, strict=True)},
        read_to=reading.read_to,
        effects=effects,
        target=target,
        verdict=SUM_NOT_AUDITED if states else NO_AUDIT,
        notes=(*notes, *_sum_notes(model, has_sum=bool(states))),
        kind=model.config.input,
        source=source,
        **(_sum_of_word(model, scores[0], weights[0], states[0][0], at) if states else {}),
    )


def _outputs(model: Tagger) -> tuple[str, ...]:
    return ("scores", "weights", *((STATES,) if has_token_sums(model) else ()))


def _sum_of_word(model: Tagger, scores: Floats, weights: Floats, states: Floats, at: int) -> dict[str, Any]:
    """Return the parts of the scores of one word: its own state counts as part of the word itself."""
    parts = token_map(model).sum_of(states)
    contributions = weights[at][:, None] * parts.values  # (word, label)
    contributions[at] += parts.own[at]
    return {
        "contributions": contributions,
        "bias": parts.bias,
        "scores": scores[at].astype(np.float64),
        "has_transitions": model.steps is not None,
    }


def _sum_notes(model: Tagger, *, has_sum: bool) -> list[str]:
    """Say what belongs to the sum, and what does not."""
    has_own = has_sum and token_map(model).own is not None
    return [*([OWN_STATE] if has_own else []), *([TRANSITIONS] if has_sum and model.steps is not None else [])]


def read_tokens(model: Tagger, source: Any) -> Reading:
    """Return an input as a tagger takes it: every word is one token."""
    source = model.checked(source)
    text, places, sizes = model.featuriser.parts(source)
    is_known = getattr(model.featuriser, "is_known", lambda _: True)
    words = tuple(Word(text[start:end], start, end, is_known(text[start:end])) for start, end in places)
    read_to = words[-1].end if words and model.featuriser.is_cut(source) else len(text)
    return Reading(text, model.featuriser.features(source), words, np.array(sizes, dtype=np.int64), read_to)


def _explanation(
    model: Tagger, reading: Reading, scores: Floats, weights: Floats, parts: TokenSum | None
) -> TagExplanation:
    best, chances = model.best(scores), model.chances(scores)
    return TagExplanation(
        text=reading.text,
        words=reading.words,
        labels=tuple(model.labels[i] for i in best),
        probabilities=chances[np.arange(len(best)), best],
        weights=weights.copy(),  # a view would keep the weights of the whole batch
        read_to=reading.read_to,
        kind=model.config.input,
        tagset=model.labels,
        scores=scores.astype(np.float64),
        transitions=None if model.steps is None else path_transitions(best, model.steps),
        **({} if parts is None else _parts(parts)),
    )


def _parts(parts: TokenSum) -> dict[str, Any]:
    return {"bias": parts.bias, "own": parts.own, "values": parts.values, "verdict": SUM_NOT_AUDITED}


def _leave_one_out(model: Tagger, reading: Reading, at: int, target: int) -> Values:
    """Return p(label) − p(label without the word) at one position, for each other word; NaN for the word itself."""
    others = [j for j in range(len(reading.words)) if j != at]
    variants = [reading.features, *(reading.without([j]) for j in others)]
    places = [at, *(at - (j < at) for j in others)]
    probabilities = np.zeros(len(variants))
    for batch, (scores,) in model.run(variants, ("scores",), batch_size=RUN_TEXTS):
        for row, i in enumerate(batch.positions):
            probabilities[i] = model.chances(scores[row, : batch.lengths[row]])[places[i], target]
    effects = np.full(len(reading.words), np.nan)
    effects[others] = probabilities[0] - probabilities[1:]
    return effects
