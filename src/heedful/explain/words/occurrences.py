"""The words and phrases of a text, and the labels that each occurrence counts for."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heedful.explain.words.text_parts import TextParts, Values

LENGTHS = (2, 3)  # words of a phrase

# The words of a form in order; one that follows a space starts with it: ("customer", " service"), ("don", "'", "t").
Key = tuple[str, ...]


class Occurrences(NamedTuple):
    """Occurrences in one text."""

    keys: list[Key]
    firsts: list[int]  # index of the first word
    values: Values  # (occurrence, label)
    counts: NDArray[np.bool_]  # (occurrence, label): whether the occurrence counts for the label


def words_of(parts: TextParts) -> Occurrences:
    """Return each word; it counts for every label."""
    keys: list[Key] = [(form,) for form in parts.forms]
    return Occurrences(
        keys, list(range(len(keys))), parts.contributions, np.ones(parts.contributions.shape, dtype=np.bool_)
    )


def phrases_of(parts: TextParts) -> Occurrences:
    """Return each phrase that starts and ends with a word, not with punctuation.

    It counts for a label if its words pull together: their contributions have the same sign, and the weakest has at
    least half of an even part in the sum. Else "a refund" would be listed beside "refund".
    """
    is_word = [any(c.isalnum() for c in form) for form in parts.forms]
    forms = _spaced(parts)
    keys: list[Key] = []
    firsts: list[int] = []
    values, counts = [parts.contributions[:0]], [np.zeros((0, parts.contributions.shape[1]), dtype=np.bool_)]
    for n in LENGTHS:
        n_starts = len(forms) - n + 1
        starts = [i for i in range(n_starts) if is_word[i] and is_word[i + n - 1]]
        if not starts:
            continue
        each = np.stack([parts.contributions[i : n_starts + i] for i in range(n)])[:, starts]  # (word, phrase, label)
        total = each.sum(axis=0)
        same_sign = (each > 0).all(axis=0) | (each < 0).all(axis=0)
        values.append(total)
        counts.append(same_sign & (np.abs(each).min(axis=0) * 2 * n >= np.abs(total)))
        keys += [(forms[i].lstrip(), *forms[i + 1 : i + n]) for i in starts]
        firsts += starts
    some = np.concatenate(counts)
    used = np.flatnonzero(some.any(axis=1))
    return Occurrences([keys[i] for i in used], [firsts[i] for i in used], np.concatenate(values)[used], some[used])


def _spaced(parts: TextParts) -> list[str]:
    """Return the form of each word, with a space before it if the text has one there."""
    ends = [0, *(word.end for word in parts.words)]
    return [
        f" {form}" if word.start > end and parts.text[end : word.start].isspace() else form
        for form, word, end in zip(parts.forms, parts.words, ends, strict=False)
    ]


def is_within(key: Key, longer: Key) -> bool:
    """Return whether the words of a form follow each other in a longer form."""
    short, words, n = [word.strip() for word in key], [word.strip() for word in longer], len(key)
    return n < len(words) and any(words[i : i + n] == short for i in range(len(words) - n + 1))
