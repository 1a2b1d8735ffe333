"""Notes about the data before training starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heedful.inputs import INPUTS

FEW = 20  # examples: metrics measured on fewer deserve a warning
MOST_LABELS = 8


def size_note(n_train: int, n_valid: int, labels: Sequence[str], kind: str = "text") -> str:
    """Return the line about the number of examples and their labels."""
    return f"{n_train:,} {INPUTS[kind].wording.inputs} for training, {n_valid:,} for validation, {_answers(labels)}"


def data_notes(facts: Mapping[str, Any], kind: str = "text") -> list[str]:
    """Return the other lines about the data that are shown before training."""
    wording = INPUTS[kind].wording
    many, tokens = wording.inputs, wording.units
    known = f"{facts['known_tokens']:,} {tokens} known, " if "known_tokens" in facts else ""
    notes = [f"{known}{facts['mean_tokens']:.0f} {tokens if not known else ''} in each on average".replace("  ", " ")]
    if "start" in facts:
        notes.append(f"starting from {facts['start']}; with train.start = none it trains from scratch")
    if "words_found" in facts:
        share, covered = facts["words_found"], facts["tokens_found"]
        notes.append(f"word vectors: found {share:.1%} of the different words, {covered:.1%} of all words")
    if facts["cut_texts"]:
        notes.append(f"{facts['cut_texts']:,} {many} were truncated to text.max_tokens")
    if facts["valid_texts"] < FEW and (facts["valid_texts"] > 1 or facts["train_texts"] > 1):
        notes.append(f"only {facts['valid_texts']} {many} for validation: dev metrics will be unreliable")
    if facts["empty_texts"]:
        notes.append(f"{facts['empty_texts']:,} {many} have no {'words' if kind == 'text' else tokens} in them")
    return notes


def _answers(labels: Sequence[str]) -> str:
    if not labels:
        return "answer: a text"
    more = f" and {len(labels) - MOST_LABELS} more" if len(labels) > MOST_LABELS else ""
    return f"{'labels' if len(labels) > 1 else 'number'}: {', '.join(labels[:MOST_LABELS])}{more}"
