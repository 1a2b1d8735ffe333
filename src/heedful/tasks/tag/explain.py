"""What each token looked at to be labelled as it is, and what the label of one of them depends on."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.explain.attention.explain import MOST_CELLS, check_can_explain, effect_methods
from heedful.explain.attention.explanation import LEAVE_ONE_OUT, Explanation, Word
from heedful.explain.attention.model_input import RUN_TEXTS, Reading
from heedful.explain.shown import Forms, Pictured
from heedful.store.verdict import Verdict
from heedful.tasks.tag.model import Tagger
from heedful.tasks.tag.spans import Span, marks_spans, spans

Values = NDArray[np.float64]
NO_AUDIT = Verdict(
    "not audited",
    "Not audited: audits are for models with one answer to a text. Nothing has tested whether these weights show what "
    "a label depends on; leave-one-out of a single word does show it.",
)


@dataclass(frozen=True)
class TagExplanation(Pictured):
    """The words of a text, the label of each and how sure it is, and how much each word looked at each."""

    FORMS = Forms(
        page="heedful.tasks.tag.show.page:page_of",
        fragment="heedful.tasks.tag.show.page:fragment_of",
        plain="heedful.tasks.tag.show.terminal:plain_tags",
        picture="heedful.tasks.tag.show.picture:tags_picture",
    )

    text: str
    words: tuple[Word, ...]
    labels: tuple[str, ...]
    probabilities: Values  # (word,) of its label
    weights: Values  # (word that looks, word that is looked at); each row sums to 1
    read_to: int  # characters of the text that were read; the rest was cut off
    kind: str = "text"  # of input
    verdict: Verdict = NO_AUDIT

    @property
    def spans(self) -> list[Span]:
        """The spans that labels such as B-person and I-person mark, by their words."""
        return spans(self.labels) if self.has_spans else []

    @property
    def has_spans(self) -> bool:
        """Whether labels are of spans."""
        return marks_spans(self.labels)

    def top(self, word: int, n: int = 3) -> list[tuple[str, float]]:
        """Return what a word, counted from 0, looked at most."""
        order = np.argsort(-self.weights[word], kind="stable")[:n]
        return [(self.words[j].text, float(self.weights[word, j])) for j in order]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        rows = zip(self.words, self.labels, self.probabilities, self.weights, strict=True)
        return {
            "text": self.text,
            "words": [
                {
                    "text": word.text,
                    "start": word.start,
                    "end": word.end,
                    "is_known": word.is_known,
                    "tag": label,
                    "probability": float(p),
                    "weights": looked.tolist(),
                }
                for word, label, p, looked in rows
            ],
            "spans": [
                {"kind": kind, "start": self.words[first].start, "end": self.words[end - 1].end}
                for kind, first, end in self.spans
            ],
            "read_to": self.read_to,
            "verdict": self.verdict.words,
            "verdict_level": self.verdict.level,
        }


def explain_tags(model: Tagger, sources: Sequence[Any], *, batch_size: int = 64) -> list[TagExplanation]:
    """Return the labels of each text, and what each token looked at."""
    readings = [read_tokens(model, source) for source in sources]
    explanations: dict[int, TagExplanation] = {}
    for batch, (scores, weights) in model.run(
        [reading.features for reading in readings], ("scores", "weights"), batch_size=batch_size
    ):
        for row, i in enumerate(batch.positions):
            n = int(batch.lengths[row])
            explanations[int(i)] = _explanation(model, readings[i], scores[row, :n], weights[row, :n, :n])
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
    ((_, (scores, weights)),) = model.run([reading.features], ("scores", "weights"))
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
        verdict=NO_AUDIT,
        notes=tuple(notes),
        kind=model.config.input,
        source=source,
    )


def read_tokens(model: Tagger, source: Any) -> Reading:
    """Return an input as a tagger takes it: every word is one token."""
    source = model.checked(source)
    text, places, sizes = model.featuriser.parts(source)
    is_known = getattr(model.featuriser, "is_known", lambda _: True)
    words = tuple(Word(text[start:end], start, end, is_known(text[start:end])) for start, end in places)
    read_to = words[-1].end if words and model.featuriser.is_cut(source) else len(text)
    return Reading(text, model.featuriser.features(source), words, np.array(sizes, dtype=np.int64), read_to)


def _explanation(
    model: Tagger, reading: Reading, scores: NDArray[np.float32], weights: NDArray[np.float32]
) -> TagExplanation:
    best, chances = model.best(scores), model.chances(scores)
    return TagExplanation(
        text=reading.text,
        words=reading.words,
        labels=tuple(model.labels[i] for i in best),
        probabilities=chances[np.arange(len(best)), best],
        weights=weights.astype(np.float64),
        read_to=reading.read_to,
        kind=model.config.input,
    )


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
