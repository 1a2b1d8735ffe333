"""Character and word n-grams of texts, as 64-bit hashes; many texts at once, since NumPy has a cost for each call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from heedful.text.characters import OTHER, SPACE, UNSPACED, WORD, CharacterTable, composed

Hashes = NDArray[np.uint64]
Codes = NDArray[np.uint64]
Places = NDArray[np.int64]

LONGEST = 5  # characters in an n-gram
LETTERS = range(3, 7)  # letters in an n-gram of Korean letters: a syllable has two or three
_BITS = 1 << 64
_BASE = 0x9E3779B97F4A7C15  # odd, so that it has an inverse
_INVERSE = pow(_BASE, -1, _BITS)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_PAIR = np.uint64(0x94D049BB133111EB)
_CHARACTERS, _KOREAN, _TOKEN, _TOKENS = 0, 16, 32, 33  # what an n-gram is of; the first two plus its length


@dataclass(frozen=True)
class NGrams:
    """All n-grams of some texts, in no particular order, and the characters that each one covers.

    `first` and `last` are indices in `position`, which has the position of each character in its text, -1 for spaces.
    """

    hashes: Hashes  # (n-gram,)
    first: Places  # (n-gram,)
    last: Places  # (n-gram,) included
    text: Places  # (character,) the text of each character
    position: Places  # (character,)

    @property
    def texts(self) -> Places:
        """The text of each n-gram (n-gram,)."""
        return self.text[self.first]

    @cached_property
    def sizes(self) -> Places:
        """The number of characters that each n-gram covers, without spaces."""
        before = np.concatenate([[0], np.cumsum(self.position >= 0)])
        return np.asarray(before[self.last + 1] - before[self.first])

    def by_position(self, values: NDArray[np.float64], length: int) -> NDArray[np.float64]:
        """Divide the values (n-gram, …) of n-grams among the characters of one text of this length: (position, …)."""
        each = values / self.sizes.reshape(-1, *[1] * (values.ndim - 1))
        steps = np.zeros((len(self.position) + 1, *values.shape[1:]))
        np.add.at(steps, self.first, each)
        np.subtract.at(steps, self.last + 1, each)
        by_character = np.cumsum(steps, axis=0)[:-1]
        real = self.position >= 0
        by_position = np.zeros((length, *values.shape[1:]))
        np.add.at(by_position, self.position[real], by_character[real])
        return by_position


class NGramReader:
    """Finds the n-grams of texts: one to five characters between spaces, Korean letters, words and pairs of words.

    A space before or after counts as a character. Case is ignored.
    """

    def __init__(self) -> None:
        self._table = CharacterTable()
        self._powers = _Powers()

    def read(self, texts: Sequence[str]) -> NGrams:
        """Return the n-grams of texts."""
        forms = [composed(text) for text in texts]
        joined = "".join([f" {form} " for form, _ in forms])
        codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        lower, kinds = self._table.read(codes)
        lengths = np.array([len(form) + 2 for form, _ in forms], dtype=np.int64)
        text = np.repeat(np.arange(len(texts)), lengths)
        position = np.arange(len(codes)) - np.repeat(np.cumsum(lengths) - lengths, lengths) - 1
        for i, (_, positions) in enumerate(forms):
            if positions is not None:
                position[text == i] = np.concatenate([[-1], positions, [-1]])
        parts = [self._windows(lower, kinds), self._tokens(lower, kinds, text), self._letters(lower, kinds)]
        hashes, first, last = (np.concatenate(each) for each in zip(*parts, strict=True))
        return NGrams(hashes, first, last, text, np.where(kinds == SPACE, -1, position))

    def _windows(self, codes: Codes, kinds: NDArray[np.uint8]) -> tuple[Hashes, Places, Places]:
        is_space = kinds == SPACE
        return self._good_windows(codes, is_space, range(1, LONGEST + 1), _CHARACTERS, ~is_space)

    def _letters(self, codes: Codes, kinds: NDArray[np.uint8]) -> tuple[Hashes, Places, Places]:
        """Return the windows of Korean letters with a letter of a syllable, and the places of the syllables."""
        if (letters := _korean_letters(codes)) is None:
            none = np.zeros(0, dtype=np.int64)
            return none.astype(np.uint64), none, none
        own, is_letter, place = letters
        hashes, first, last = self._good_windows(own, (kinds == SPACE)[place], LETTERS, _KOREAN, is_letter)
        return hashes, place[first], place[last]

    def _good_windows(
        self, codes: Codes, is_space: NDArray[np.bool_], lengths: range, kind: int, wanted: NDArray[np.bool_]
    ) -> tuple[Hashes, Places, Places]:
        """Return the windows of these lengths that have spaces at their ends alone and a wanted code in them."""
        spaces, counts = _sums(is_space), _sums(wanted)
        starts = []
        for length in lengths:
            n = max(0, len(codes) - length + 1)
            is_good = counts[length : length + n] > counts[:n]
            if length > 1:
                is_good &= spaces[length - 1 : length - 1 + n] == spaces[1 : 1 + n]
            starts.append(is_good.nonzero()[0])
        sizes = [len(each) for each in starts]
        first, each_length = np.concatenate(starts), np.repeat(np.array(lengths), sizes)
        salts = np.repeat(np.array([_salt(kind + length) for length in lengths]), sizes)
        end = first + each_length
        return _mixed(self._powers.spans(self._powers.sums(codes), first, end), salts), first, end - 1

    def _tokens(self, codes: Codes, kinds: NDArray[np.uint8], text: Places) -> tuple[Hashes, Places, Places]:
        """Return the tokens of two characters and more, and the pairs of tokens of which at least one is such."""
        before = np.concatenate([[np.uint8(SPACE)], kinds[:-1]])
        start = ((kinds != SPACE) & ((kinds != before) | (kinds == UNSPACED) | (kinds == OTHER))).nonzero()[0]
        is_word = kinds == WORD
        after = np.concatenate([is_word[1:], [False]])
        word_ends = (is_word & ~after).nonzero()[0] + 1
        end = start + 1
        end[kinds[start] == WORD] = word_ends
        tokens = self._powers.spans(self._powers.sums(codes), start, end)
        is_long = end - start > 1
        pairs = ((is_long[1:] | is_long[:-1]) & (text[start[1:]] == text[start[:-1]])).nonzero()[0]
        both = tokens[pairs] * _PAIR + tokens[pairs + 1]
        hashes = np.concatenate([_mixed(tokens[is_long], _salt(_TOKEN)), _mixed(both, _salt(_TOKENS))])
        first = np.concatenate([start[is_long], start[pairs]])
        return hashes, first, np.concatenate([end[is_long], end[pairs + 1]]) - 1


class _Powers:
    """Powers of the base and of its inverse, by which the hash of any span is a difference of two sums."""

    def __init__(self) -> None:
        self._base = self._inverse = np.ones(1, dtype=np.uint64)

    def sums(self, codes: Codes) -> Hashes:
        """Return Σ code[k] · base^k up to each position: (code + 1,)."""
        self._grow(len(codes) + 1)
        sums = np.zeros(len(codes) + 1, dtype=np.uint64)
        np.cumsum((codes + np.uint64(1)) * self._base[: len(codes)], out=sums[1:])
        return sums

    def spans(self, sums: Hashes, start: Places, end: Places) -> Hashes:
        """Return the hash of each span, wherever it stands."""
        return (sums[end] - sums[start]) * self._inverse[start]

    def _grow(self, n: int) -> None:
        if n > len(self._base):
            size = 1 << int(n - 1).bit_length()
            for name, factor in (("_base", _BASE), ("_inverse", _INVERSE)):
                powers = np.full(size, factor, dtype=np.uint64)
                powers[0] = 1
                setattr(self, name, np.multiply.accumulate(powers))


def _sums(values: NDArray[np.bool_]) -> Places:
    sums = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum(values, out=sums[1:])
    return sums


def _salt(kind: int) -> np.uint64:
    return np.uint64(kind * _BASE % _BITS)


def _mixed(hashes: Hashes, salt: Hashes | np.uint64) -> Hashes:
    """Return hashes whose bits all depend on each other and on the salt."""
    mixed = (hashes + salt) * _MIX
    mixed ^= mixed >> np.uint64(31)
    mixed *= _PAIR
    mixed ^= mixed >> np.uint64(29)
    return mixed


def _korean_letters(codes: Codes) -> tuple[Codes, NDArray[np.bool_], Places] | None:
    """Return the codes with syllables as letters, which of them are such letters, and their places in the codes."""
    is_syllable = (codes >= 0xAC00) & (codes <= 0xD7A3)
    if not is_syllable.any():
        return None
    number = np.where(is_syllable, codes - np.uint64(0xAC00), 0).astype(np.int64)
    letters = np.zeros((len(codes), 3), dtype=np.int64)
    letters[:, 0] = np.where(is_syllable, 0x1100 + number // 588, codes.astype(np.int64))
    letters[:, 1] = np.where(is_syllable, 0x1161 + number % 588 // 28, 0)
    letters[:, 2] = np.where(is_syllable & (number % 28 > 0), 0x11A7 + number % 28, 0)
    real = letters > 0
    real[:, 0] = True  # a code of 0 is a letter too
    place = np.repeat(np.arange(len(codes)), real.sum(axis=1))
    return letters[real].astype(np.uint64), is_syllable[place], place
