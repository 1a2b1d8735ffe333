"""Single words that decide a label almost alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from heedful.explain.words.form_table import FormTable, InTexts
from heedful.explain.words.label_words import Shortcut
from heedful.explain.words.text_parts import TextParts, Values
from heedful.runtime.answer import Answer

FEWEST_TEXTS = 5  # that contain the word
MOST_OF = 0.5  # more than this share of them has the label predicted
DECIDED = 0.5  # at least this share of those has another prediction without the word's contribution
OCCURS = 0.02  # the word is in at least this share of the texts with the prediction


def predicted(answer: Answer, scores: Values) -> NDArray[np.bool_]:
    """Return which labels are predicted (text, label); of a number, all."""
    if answer.is_number:
        return np.ones(scores.shape, dtype=np.bool_)
    if answer.has_one_label:
        return np.asarray(scores.argmax(axis=1)[:, None] == np.arange(scores.shape[1]))
    return np.asarray(scores > 0)  # more probable than not


def tally(table: FormTable, texts: Sequence[TextParts], found: InTexts, answer: Answer) -> None:
    """Count, for each word, the texts with each prediction, and those whose prediction depends on the word.

    Without a word, a score is less by its contribution: no run is needed.
    """
    scores = np.stack([text.scores for text in texts]).astype(np.float64)[found.texts]  # (pair, label)
    before, after = predicted(answer, scores), predicted(answer, scores - found.sums)
    table.tally("predicted", found.rows, before[:, table.columns])
    table.tally("decided", found.rows, (before & ~after)[:, table.columns])


def shortcuts(table: FormTable, names: Sequence[str], n_predicted: NDArray[np.int64]) -> tuple[Shortcut, ...]:
    """Return possible shortcuts, those that decide most texts first; `n_predicted` (label,) counts predictions."""
    n_texts, with_label, decided = table["texts"], table["predicted"], table["decided"]
    flagged = (
        (n_texts >= FEWEST_TEXTS)
        & (with_label > MOST_OF * n_texts)
        & (decided >= DECIDED * with_label)
        & (with_label >= OCCURS * n_predicted)
    )
    words = list(table.rows)
    listed = [
        Shortcut(
            word="".join(words[row]),
            label=names[label],
            n_texts=int(n_texts[row, label]),
            n_predicted=int(with_label[row, label]),
            n_decided=int(decided[row, label]),
            n_label=int(n_predicted[label]),
        )
        for row, label in np.argwhere(flagged).tolist()
    ]
    return tuple(sorted(listed, key=lambda shortcut: -shortcut.n_decided))
