"""From probabilities to rows whose label is probably wrong, with the words that say so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from heedful.explain.check.confident import Confidence, confident_learning, expected_errors
from heedful.explain.check.results import CheckedRow, Confusion, LabelCheck, Suspect, WordPull
from heedful.jobs.check.judge import Judgement

WITH_WORDS = 100  # suspects whose words are in the result
LISTED = 10_000  # suspects in the result
SHOWN = 600  # characters of a text
MOST_CONFUSIONS, FEWEST, ROWS_OF_ONE, EXAMPLES = 12, 3, 30, 3
MOST_WORDS = 6  # of a confusion
ENOUGH = 5  # rows with a label: of fewer, none can be judged
OnStage = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Judged:
    """The rows that were judged."""

    rows: Sequence[CheckedRow]  # with the start of their text
    truth: NDArray[np.int64]
    names: Sequence[str]  # of the labels


@dataclass(frozen=True)
class Result:
    """The check of the labels, and numbers for each label."""

    check: LabelCheck
    n_checked: NDArray[np.int64]  # (label,)
    n_suspects: NDArray[np.int64]
    agreement: NDArray[np.float64]


def check_labels(judged: Judged, judgement: Judgement, *, is_sample: bool, on_stage: OnStage) -> Result:
    """Return which labels are probably wrong."""
    truth, n_labels = judged.truth, len(judged.names)
    n_checked = np.bincount(truth, minlength=n_labels)
    confidence = confident_learning(judgement.probabilities, truth, judged=n_checked[truth] >= ENOUGH)
    right = judgement.probabilities.argmax(axis=1) == truth
    agreement = np.bincount(truth, weights=right, minlength=n_labels) / np.maximum(n_checked, 1)
    suspects = np.flatnonzero(confidence.is_suspect)
    suspects = suspects[np.argsort(-confidence.rank[suspects], kind="stable")]
    check = LabelCheck(
        judge=judgement.name,
        n_checked=len(truth),
        is_sample=is_sample,
        accuracy=float(right.mean()),
        n_suspects=len(suspects),
        expected=expected_errors(confidence, truth),
        suspects=_suspects(judged, judgement, confidence, suspects[:LISTED], on_stage),
        confusions=_confusions(judged, judgement, confidence, suspects, n_checked, on_stage),
    )
    return Result(check, n_checked, np.bincount(truth[suspects], minlength=n_labels), agreement)


def _suspects(
    judged: Judged, judgement: Judgement, confidence: Confidence, chosen: NDArray[np.int64], on_stage: OnStage
) -> tuple[Suspect, ...]:
    made = []
    for done, i in enumerate(chosen.tolist()):
        given, suggested = int(judged.truth[i]), int(confidence.suggested[i])
        suspect = Suspect(
            row=judged.rows[i],
            suggested=judged.names[suggested],
            probability=float(judgement.probabilities[i, suggested]),
            given_probability=float(judgement.probabilities[i, given]),
        )
        if done < WITH_WORDS:
            suspect = _with_words(suspect, judgement, i, given, suggested)
            on_stage("words of suspects", done + 1, min(len(chosen), WITH_WORDS))
        made.append(suspect)
    return tuple(made)


def _with_words(suspect: Suspect, judgement: Judgement, row: int, given: int, suggested: int) -> Suspect:
    if (sums := judgement.sums.of(row, (given, suggested))) is None:
        return suspect
    pulls = sums.contributions[:, 1] - sums.contributions[:, 0]
    bias = float(sums.bias[1] - sums.bias[0])
    shown = len(suspect.row.text)
    words = tuple(
        WordPull(word.text, word.start, word.end, value)
        for word, value in zip(sums.words, pulls.tolist(), strict=True)
        if word.end <= shown
    )
    return replace(suspect, words=words, bias=bias, margin=bias + float(pulls.sum()))


def _confusions(
    judged: Judged,
    judgement: Judgement,
    confidence: Confidence,
    suspects: NDArray[np.int64],
    n_checked: NDArray[np.int64],
    on_stage: OnStage,
) -> tuple[Confusion, ...]:
    by_pair: dict[tuple[int, int], list[int]] = defaultdict(list)
    for i in suspects.tolist():
        by_pair[int(judged.truth[i]), int(confidence.suggested[i])].append(i)
    largest = sorted(by_pair.items(), key=lambda item: -len(item[1]))[:MOST_CONFUSIONS]
    kept = [(pair, rows) for pair, rows in largest if len(rows) >= FEWEST]
    confusions = []
    for done, ((given, suggested), rows) in enumerate(kept):
        words = _shared_words(judgement, rows[:ROWS_OF_ONE], given, suggested)
        examples = tuple(judged.rows[i] for i in rows[:EXAMPLES])
        share = len(rows) / max(1, int(n_checked[given]))
        names = judged.names[given], judged.names[suggested]
        confusions.append(Confusion(*names, len(rows), share, words, examples))
        on_stage("words of confusions", done + 1, len(kept))
    return tuple(confusions)


def _shared_words(
    judgement: Judgement, rows: Sequence[int], given: int, suggested: int
) -> tuple[tuple[str, float], ...]:
    """Return the words that pull these rows to the suggested label, by their pull over all rows."""
    pulls: Mapping[str, list[float]] = defaultdict(list)
    for row in rows:
        sums = judgement.sums.of(row, (given, suggested))
        if sums is None:
            continue
        in_row: dict[str, float] = defaultdict(float)
        values = sums.contributions[:, 1] - sums.contributions[:, 0]
        for word, value in zip(sums.words, values.tolist(), strict=True):
            if any(map(str.isalnum, word.text)):
                in_row[word.text.lower()[:60]] += value
        for word_text, value in in_row.items():
            pulls[word_text].append(value)
    best = sorted(pulls.items(), key=lambda item: -sum(item[1]))[:MOST_WORDS]
    return tuple((word, sum(values) / len(values)) for word, values in best if sum(values) > 0)
