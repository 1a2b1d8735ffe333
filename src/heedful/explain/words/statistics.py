"""Builds the words of each label from running sums over a corpus, in bounded memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from heedful.data.bad_rows import STRICT, BadRows
from heedful.errors import HeedfulError
from heedful.explain.attention.explain import check_can_explain
from heedful.explain.contributions import has_contributions, linear_answer
from heedful.explain.words.corpus import Corpus, corpus_of
from heedful.explain.words.examples import Wanted, find_examples, typical_texts
from heedful.explain.words.form_table import FormTable
from heedful.explain.words.label_words import LabelWord, LabelWords, WordsOfLabel
from heedful.explain.words.occurrences import phrases_of, words_of
from heedful.explain.words.ranking import Candidate, Ranking, label_word
from heedful.explain.words.shortcuts import predicted, shortcuts, tally
from heedful.explain.words.text_parts import TextParts, read_parts
from heedful.runtime.model import Model

TOP = 10
MIN_COUNT = 3
SMALL = 20  # texts for each 1 of the minimum count: below 60 texts it is 2, below 40 it is 1

OnProgress = Callable[[int, int], None]  # texts done, texts in all


def label_words(
    model: Model,
    data: str | os.PathLike[str] | Iterable[str],
    *,
    label: str | None = None,
    top: int = TOP,
    min_count: int | None = None,
    text: str | None = None,
    name: str = "",
    examples: bool = True,
    most_labels: int | None = None,
    seed: int = 0,
    batch_size: int = 64,
    faults: BadRows = STRICT,
    on_progress: OnProgress = lambda _, __: None,
) -> LabelWords:
    """Return the words and phrases that drive each label, or one label, over a corpus.

    `top` are listed for and against each label, from those in at least `min_count` texts. `most_labels` keeps the most
    frequent predictions. `name` is that of a list of texts. Without `examples` nothing is run twice, and no excerpt of
    a text is in the result.
    """
    check_can_count(model, label)
    for option, value in (("top", top), ("min_count", min_count)):
        if value is not None and value < 1:
            raise HeedfulError(f"{option} is {value}, expected at least 1")
    corpus = corpus_of(model, data, text=text, name=name, faults=faults)
    sums = LabelSums(model, list(model.labels) if label is None else [label], seed=seed)
    done = 0
    for batch in read_parts(model, enumerate(corpus.texts()), batch_size=batch_size):
        sums.add([parts for parts in batch if parts.words])
        done += len(batch)
        on_progress(done, corpus.size)
    if not sums.n_texts:
        raise HeedfulError(f"{corpus.name or 'texts'}: the {done:,} texts have no words")
    least = min(MIN_COUNT, max(1, sums.n_texts // SMALL)) if min_count is None else min_count
    return sums.result(corpus, top=top, min_count=least, examples=examples, most_labels=most_labels)


def has_words(model: Model) -> bool:
    """Return whether the scores of the model are sums over the words of a text."""
    return model.input.is_text and model.answer is not None and has_contributions(model)


def check_can_count(model: Model, label: str | None = None) -> None:
    """Raise if the scores of the model are not sums over the words of a text."""
    name, settings = model.path.name, model.config.model
    if not model.input.is_text:
        raise HeedfulError(
            f"{name} reads {model.config.input}, expected a model that reads texts: there are no words to count. "
            "`heedful explain` shows the contributions in a single input"
        )
    check_can_explain(model, (), label)
    if model.answer is None or model.n_sides > 1:
        raise HeedfulError(
            f"{name} {model.does}: words are for models that give a single text labels or a number. "
            "`heedful explain` shows what it read"
        )
    if not has_contributions(model):
        raise HeedfulError(
            f"{name} has no contributions: its scores are not sums over words, because it has the head "
            f"{settings.head} and the pooler {settings.pooler}, or was made by an older heedful. Train it again with "
            "the head linear and the pooler structured; `heedful audit` measures the words of this one"
        )


class LabelSums:
    """Running sums over texts for some labels of a model."""

    def __init__(self, model: Model, labels: Sequence[str], *, seed: int = 0) -> None:
        self.n_texts = self.n_words = 0
        self._model, self._labels, self._seed = model, labels, seed
        self._columns = [model.labels.index(label) for label in labels]
        self._words = FormTable(self._columns, seed=seed)
        self._phrases = FormTable(self._columns, seed=seed)
        self._n_predicted = np.zeros(len(labels), dtype=np.int64)

    def add(self, texts: Sequence[TextParts]) -> None:
        """Add texts that have words."""
        if not texts:
            return
        answer, indexes = self._model.answer, [parts.at for parts in texts]
        assert answer is not None
        self.n_texts += len(texts)
        self.n_words += sum(len(parts.words) for parts in texts)
        scores = np.stack([parts.scores for parts in texts]).astype(np.float64)
        self._n_predicted += predicted(answer, scores)[:, self._columns].sum(axis=0)
        in_texts = self._words.add([words_of(parts) for parts in texts], indexes)
        if not answer.is_number:
            tally(self._words, texts, in_texts, answer)
        self._phrases.add([phrases_of(parts) for parts in texts], indexes)

    def result(
        self, corpus: Corpus, *, top: int, min_count: int, examples: bool, most_labels: int | None
    ) -> LabelWords:
        """Return the words of each label."""
        order = np.argsort(-self._n_predicted, kind="stable")[:most_labels].tolist()
        ranking = Ranking((self._words, self._phrases), min_count=min_count)
        best = {(label, sign): ranking.best(label, sign, top) for label in order for sign in (1, -1)}
        in_context = find_examples(self._model, corpus, self._wanted(best)) if examples else {}
        bias = linear_answer(self._model).bias

        def listed(label: int, sign: int) -> tuple[LabelWord, ...]:
            return tuple(
                replace(
                    label_word(form, label, seed=self._seed),
                    examples=in_context.get(Wanted(form.key, self._columns[label]), ()),
                )
                for form in best[label, sign]
            )

        answer = self._model.answer
        is_number = answer is not None and answer.is_number
        return LabelWords(
            model=self._model.path.name,
            file=corpus.name,
            task=self._model.config.task,
            is_number=is_number,
            n_texts=self.n_texts,
            n_words=self.n_words,
            min_count=min_count,
            n_labels=len(self._model.labels),
            labels=tuple(
                WordsOfLabel(
                    label=self._labels[i],
                    n_texts=int(self._n_predicted[i]),
                    bias=float(bias[self._columns[i]]),
                    supporting=listed(i, 1),
                    opposing=listed(i, -1),
                )
                for i in order
            ),
            shortcuts=() if is_number else shortcuts(self._words, self._labels, self._n_predicted),
            n_forgotten=self._words.n_forgotten + self._phrases.n_forgotten,
        )

    def _wanted(self, best: dict[tuple[int, int], list[Candidate]]) -> dict[Wanted, list[int]]:
        return {
            Wanted(form.key, self._columns[label]): typical_texts(form, label)
            for (label, _), forms in best.items()
            for form in forms
        }
