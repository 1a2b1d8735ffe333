"""The schema of the saved words of each label, to validate untrusted files."""

from __future__ import annotations

from typing import Any

from heedful.store.results.json_checks import LINE, fields, is_count, is_flag, is_number, list_of, text

MOST_LABELS, MOST_WORDS, MOST_SHORTCUTS = 20, 10, 50


def is_label_words(tree: Any) -> bool:
    """Return whether this has exactly the fields of `LabelWords.to_dict`, without examples, with valid values."""
    return _WORDS(tree)


def _is_positive(value: Any) -> bool:
    return is_count(value) and value > 0


_WORD = fields(
    {
        "form": text(),
        "n_words": _is_positive,
        "count": _is_positive,
        "n_texts": _is_positive,
        "mean": is_number,
        "low": is_number,
        "high": is_number,
        "examples": lambda value: value == [],
    }
)
_LABEL = fields(
    {
        "label": text(),
        "n_texts": is_count,
        "bias": is_number,
        "supporting": list_of(_WORD, MOST_WORDS),
        "opposing": list_of(_WORD, MOST_WORDS),
    }
)
_SHORTCUT = fields(
    {
        "word": text(),
        "label": text(),
        "n_texts": is_count,
        "n_predicted": is_count,
        "n_decided": is_count,
        "n_label": is_count,
        "sentence": text(LINE),
    }
)
_WORDS = fields(
    {
        "format": lambda value: type(value) is int and value == 1,
        "model": text(),
        "file": text(),
        "task": text(),
        "is_number": is_flag,
        "n_texts": is_count,
        "n_words": is_count,
        "min_count": is_count,
        "n_labels": is_count,
        "labels": list_of(_LABEL, MOST_LABELS, least=1),
        "shortcuts": list_of(_SHORTCUT, MOST_SHORTCUTS),
        "n_forgotten": is_count,
    }
)
