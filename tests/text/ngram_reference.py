"""The n-grams of a text in plain Python: hashes with the first and the last character, in ` text `."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np

from heedful.text.characters import SPACE, WORD, CharacterTable, composed

MASK = (1 << 64) - 1
BASE, MIX, PAIR = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
NGram = tuple[int, int, int]


def reference(text: str) -> list[NGram]:
    """Return the n-grams of a text."""
    form = f" {composed(text)[0]} "
    points = np.array([ord(c) for c in form], dtype=np.uint32)
    lower, kinds = (each.tolist() for each in CharacterTable().read(points))
    spaces = [kind == SPACE for kind in kinds]
    characters = windows(lower, spaces, range(1, 6), 0, [not space for space in spaces])
    return [*characters, *letter_windows(lower, spaces), *token_ngrams(lower, kinds)]


def windows(
    codes: Sequence[int], spaces: Sequence[bool], lengths: range, kind: int, wanted: Sequence[bool]
) -> list[NGram]:
    """Return the windows with no space within, and with a wanted code."""
    return [
        (mixed(span_hash(codes[i : i + n]), kind + n), i, i + n - 1)
        for n in lengths
        for i in range(len(codes) - n + 1)
        if any(wanted[i : i + n]) and not any(spaces[i + 1 : i + n - 1])
    ]


def letter_windows(codes: Sequence[int], spaces: Sequence[bool]) -> list[NGram]:
    """Return the windows of Korean letters; unicodedata takes syllables apart."""
    letters = [
        (ord(letter), i, 0xAC00 <= code <= 0xD7A3)
        for i, code in enumerate(codes)
        for letter in (unicodedata.normalize("NFD", chr(code)) if 0xAC00 <= code <= 0xD7A3 else chr(code))
    ]
    points, places, wanted = zip(*letters, strict=True)
    ngrams = windows(points, [spaces[i] for i in places], range(3, 7), 16, wanted)
    return [(hash_, places[first], places[last]) for hash_, first, last in ngrams]


def token_ngrams(codes: Sequence[int], kinds: Sequence[int]) -> list[NGram]:
    """Return words, and pairs of tokens."""
    tokens: list[tuple[int, int]] = []
    for i, kind in enumerate(kinds):
        if kind == WORD and tokens and tokens[-1][1] == i - 1 and kinds[i - 1] == WORD:
            tokens[-1] = (tokens[-1][0], i)
        elif kind != SPACE:
            tokens.append((i, i))
    hashes = [span_hash(codes[first : last + 1]) for first, last in tokens]
    words = [(mixed(hash_, 32), *span) for hash_, span in zip(hashes, tokens, strict=True) if span[1] > span[0]]
    pairs = [
        (mixed(hashes[i] * PAIR + hashes[i + 1] & MASK, 33), tokens[i][0], tokens[i + 1][1])
        for i in range(len(tokens) - 1)
        if any(last > first for first, last in tokens[i : i + 2])
    ]
    return [*words, *pairs]


def span_hash(codes: Sequence[int]) -> int:
    """Return Σ (code + 1) · base^k."""
    return sum((code + 1) * pow(BASE, k, 1 << 64) for k, code in enumerate(codes)) & MASK


def mixed(hash_: int, kind: int) -> int:
    """Return a hash whose bits depend on each other and on the kind."""
    hash_ = (hash_ + kind * BASE) * MIX & MASK
    hash_ ^= hash_ >> 31
    hash_ = hash_ * PAIR & MASK
    return hash_ ^ hash_ >> 29
