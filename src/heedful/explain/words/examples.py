"""Occurrences of the listed forms in context, found in a second pass over the corpus."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from heedful.explain.words.corpus import Corpus
from heedful.explain.words.label_words import WordExample
from heedful.explain.words.occurrences import Key, phrases_of, words_of
from heedful.explain.words.ranking import Candidate
from heedful.explain.words.text_parts import TextParts, read_parts
from heedful.runtime.model import Model

EXAMPLES = 3  # for each form
AROUND = 8  # words of context on either side
WINDOW = 300  # maximum characters of the context


class Wanted(NamedTuple):
    """A form of a label whose examples are wanted."""

    key: Key
    column: int  # of the contributions of all labels


def typical_texts(form: Candidate, label: int, n: int = EXAMPLES) -> list[int]:
    """Return the indexes of texts in which the form has about its mean contribution."""
    texts, values = form.table.sample(form.row, label)
    if not len(values):
        return []
    nearest = np.argsort(np.abs(values - values.mean()), kind="stable")[:n]
    return [int(index) for index in texts[nearest]]


def find_examples(
    model: Model, corpus: Corpus, wanted: dict[Wanted, list[int]]
) -> dict[Wanted, tuple[WordExample, ...]]:
    """Return examples of each form from these texts. Only those texts are run again."""
    by_text: dict[int, list[Wanted]] = defaultdict(list)
    for form, indexes in wanted.items():
        for index in indexes:
            by_text[index].append(form)
    found: dict[Wanted, dict[str, WordExample]] = defaultdict(dict)
    for batch in read_parts(model, _chosen(corpus, by_text)):
        for parts in batch:
            for form in by_text[parts.at]:
                if (example := _example(parts, form)) is not None:
                    found[form].setdefault(example.text, example)  # equal contexts are shown once
    return {form: tuple(examples.values()) for form, examples in found.items()}


def _chosen(corpus: Corpus, by_text: dict[int, list[Wanted]]) -> Iterator[tuple[int, str]]:
    left = len(by_text)
    if not left:
        return
    for index, text in enumerate(corpus.texts()):
        if index in by_text:
            yield index, text
            left -= 1
            if not left:
                return


def _example(parts: TextParts, form: Wanted) -> WordExample | None:
    occurrences = words_of(parts) if len(form.key) == 1 else phrases_of(parts)
    firsts = [
        first
        for first, key, counts in zip(occurrences.firsts, occurrences.keys, occurrences.counts, strict=True)
        if key == form.key and counts[form.column]
    ]
    return _in_context(parts, firsts[0], firsts[0] + len(form.key), form.column) if firsts else None


def _in_context(parts: TextParts, first: int, end: int, column: int) -> WordExample:
    """Return words with their context, which is shorter if words are long."""
    words = parts.words
    for around in range(AROUND, -1, -1):
        low, high = max(0, first - around), min(len(words), end + around)
        start, stop = words[low].start, words[high - 1].end
        if stop - start <= WINDOW:
            break
    stop = min(stop, start + WINDOW)
    return WordExample(
        text=parts.text[start:stop],
        spans=tuple((min(word.start, stop) - start, min(word.end, stop) - start) for word in words[low:high]),
        contributions=tuple(parts.contributions[low:high, column].tolist()),
        first=first - low,
        end=end - low,
        is_start=low == 0,
        is_end=high == len(words),
    )
