"""The words of each text of a corpus with their contributions to all labels."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heedful.explain.attention.explanation import Word
from heedful.explain.attention.model_input import Reading, read
from heedful.explain.attention.summed_run import SummedRun, summed_runs
from heedful.runtime.model import Model
from heedful.text.word_tokeniser import WordTokeniser

CHUNK = 1024  # texts: enough to sort by length into full batches
LONGEST = 60  # characters of a form; longer ones are truncated

Values = NDArray[np.float64]


class TextParts(NamedTuple):
    """A text as a sum over its words."""

    at: int  # index in the corpus
    text: str
    words: tuple[Word, ...]
    forms: tuple[str, ...]
    contributions: Values  # (word, label)
    scores: NDArray[Any]  # (label,)


def read_parts(model: Model, texts: Iterable[tuple[int, str]], *, batch_size: int = 64) -> Iterator[list[TextParts]]:
    """Yield the texts of each batch, given with their indexes; those without words, too."""
    form = WordTokeniser(lowercase=model.config.text.lowercase).form  # subwords fold case in the same way
    rows = iter(texts)
    while chunk := list(itertools.islice(rows, CHUNK)):
        readings = [read(model, text) for _, text in chunk]
        for runs in summed_runs(model, readings, batch_size=batch_size):
            yield [_text_parts(chunk[i][0], readings[i], run, form) for i, run in runs]


def _text_parts(at: int, reading: Reading, run: SummedRun, form: Callable[[str], str]) -> TextParts:
    assert run.parts
    of_words = np.asarray(reading.folded(run.parts.by_token.T).T, dtype=np.float64)
    forms = tuple(form(word.text[:LONGEST]) for word in reading.words)
    return TextParts(at, reading.text, reading.words, forms, of_words, run.scores)
