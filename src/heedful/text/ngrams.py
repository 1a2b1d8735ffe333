"""Character and word n-grams of texts, as 64-bit hashes.

NumPy has a cost for each call, which is most of the time of one short text: so there are few calls, on many texts at
once, and what only explanations need is computed when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from heedful.text.characters import SPACE, UNSPACED, WORD, CharacterTable, composed
from heedful.text.korean import korean_letters
from heedful.text.span_hashes import MARGIN, PAIR, Codes, Hashes, Places, SpanHashes, mix, salt, shifted

Spans = tuple[Places, Places]  # first and last
Part = tuple[Hashes, Callable[[], Spans]]  # n-grams of one kind, before mixing
Form = tuple[str, Places | None]  # a text in NFC, and the positions of its characters

LENGTHS = range(1, 6)  # characters in an n-gram
LETTERS = range(3, 7)  # letters in an n-gram of Korean letters: a syllable has two or three
_CHARACTERS, _KOREAN, _TOKEN, _TOKENS = 0, 16, 32, 33  # what an n-gram is of; the first two plus its length
_SALTS = {
    kind: np.array([[salt(kind + n)] for n in lengths])
    for kind, lengths in ((_CHARACTERS, LENGTHS), (_KOREAN, LETTERS))
}
_TOKEN_SALT, _PAIR_SALT = salt(_TOKEN), salt(_TOKENS)


@dataclass(frozen=True)
class NGrams:
    """All n-grams of some texts, in no particular order, and the characters that each one covers."""

    hashes: Hashes  # (n-gram,)
    forms: Sequence[Form]  # the texts; each has a space before and after it
    is_space: NDArray[np.bool_]  # (character,)
    parts: Sequence[Part]

    @cached_property
    def _spans(self) -> Spans:
        first, last = zip(*(spans() for _, spans in self.parts), strict=True)
        return np.concatenate(first), np.concatenate(last)

    @property
    def first(self) -> Places:
        """The first character of each n-gram (n-gram,)."""
        return self._spans[0]

    @property
    def last(self) -> Places:
        """The last character of each n-gram (n-gram,)."""
        return self._spans[1]

    @property
    def texts(self) -> Places:
        """The text of each n-gram (n-gram,)."""
        return _texts(self.forms).take(self.first)

    @cached_property
    def position(self) -> Places:
        """The position of each character in its text, -1 for spaces (character,)."""
        of_each = [np.arange(-1, len(form) + 1) if of is None else _bordered(of) for form, of in self.forms]
        return np.where(self.is_space, -1, np.concatenate(of_each))

    @cached_property
    def sizes(self) -> Places:
        """The number of characters that each n-gram covers, without spaces."""
        before = np.concatenate([[0], np.cumsum(~self.is_space)])
        return np.asarray(before[self.last + 1] - before[self.first])

    def by_position(self, kept: Places, values: NDArray[np.float64], length: int) -> NDArray[np.float64]:
        """Divide the values (kept n-gram, …) of some n-grams among the characters of one text: (position, …)."""
        each = values / self.sizes[kept].reshape(-1, *[1] * (values.ndim - 1))
        steps = np.zeros((len(self.position) + 1, *values.shape[1:]))
        np.add.at(steps, self.first[kept], each)
        np.subtract.at(steps, self.last[kept] + 1, each)
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
        self._hashes = SpanHashes()

    def read(self, texts: Sequence[str]) -> NGrams:
        """Return the n-grams of texts."""
        forms = [composed(text) for text in texts]
        joined = "".join([f" {form} " for form, _ in forms])
        codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        lower, kinds = self._table.read(codes)
        is_space, sums = kinds == SPACE, self._hashes.sums(lower)
        parts = [self._windows(sums, is_space), *self._tokens(sums, kinds, forms), *self._letters(lower, is_space)]
        return NGrams(mix(np.concatenate([hashes for hashes, _ in parts])), forms, is_space, parts)

    def _windows(self, sums: Hashes, is_space: NDArray[np.bool_]) -> Part:
        """Return the windows of characters that have spaces at their ends alone, and not only spaces."""
        is_good = _between_spaces(is_space, LENGTHS)
        is_good[1, :-1] = is_good[0, :-1] | is_good[0, 1:]  # of two characters: one may be a space
        is_good[1, -1:] = False
        hashes = self._hashes.windows(sums, LENGTHS)
        hashes += _SALTS[_CHARACTERS]
        return hashes[is_good], lambda: _spans_of(is_good, LENGTHS)

    def _letters(self, codes: Codes, is_space: NDArray[np.bool_]) -> Sequence[Part]:
        """Return the windows of Korean letters with a letter of a syllable; their spans are of syllables."""
        if (letters := korean_letters(codes)) is None:
            return ()
        place, n = letters.place, len(letters.place)
        is_good = _between_spaces(is_space.take(place), LETTERS)
        counts = _sums(letters.is_letter, beyond=0)
        is_good &= shifted(counts, LETTERS.start, len(LETTERS), n) > counts[:n]
        hashes = self._hashes.windows(self._hashes.sums(letters.codes), LETTERS)
        hashes += _SALTS[_KOREAN]

        def spans() -> Spans:
            first, last = _spans_of(is_good, LETTERS)
            return place[first], place[last]

        return [(hashes[is_good], spans)]

    def _tokens(self, sums: Hashes, kinds: NDArray[np.uint8], forms: Sequence[Form]) -> Sequence[Part]:
        """Return the tokens of two characters and more, and the pairs of tokens of which at least one is such."""
        is_word, is_alone = kinds == WORD, kinds >= UNSPACED  # the first and the last character are spaces
        start = (is_alone[1:] | (is_word[1:] > is_word[:-1])).nonzero()[0] + 1
        end = (is_alone[:-1] | (is_word[:-1] > is_word[1:])).nonzero()[0] + 1
        tokens = self._hashes.spans(sums, start, end)
        is_long = end - start > 1
        is_pair = is_long[1:] | is_long[:-1]
        if len(forms) > 1:
            text = _texts(forms)[start]
            is_pair &= text[1:] == text[:-1]
        pairs = tokens[:-1] * PAIR
        pairs += tokens[1:]
        return [
            (tokens[is_long] + _TOKEN_SALT, lambda: (start[is_long], end[is_long] - 1)),
            (pairs[is_pair] + _PAIR_SALT, lambda: (start[:-1][is_pair], end[1:][is_pair] - 1)),
        ]


def _between_spaces(is_space: NDArray[np.bool_], lengths: range) -> NDArray[np.bool_]:
    """Return which windows (length, first) end before or with the last code, and have no space within.

    A window of one code is not a space. The last code must be a space.
    """
    n = len(is_space)
    spaces = _sums(is_space, beyond=n + 1)
    between: NDArray[np.bool_] = shifted(spaces, lengths.start - 1, len(lengths), n) == spaces[1 : n + 1]
    return between


def _spans_of(is_good: NDArray[np.bool_], lengths: range) -> Spans:
    length, first = is_good.nonzero()
    return first, first + length + (lengths.start - 1)


def _sums(values: NDArray[np.bool_], *, beyond: int) -> Places:
    """Return how many are true before each position, and `beyond` in a margin."""
    n = len(values)
    sums = np.full(n + 1 + MARGIN, beyond, dtype=np.int64)
    sums[0] = 0
    np.add.accumulate(values, dtype=np.int64, out=sums[1 : n + 1])
    return sums


def _texts(forms: Sequence[Form]) -> Places:
    """Return the text of each character."""
    return np.repeat(np.arange(len(forms)), [len(form) + 2 for form, _ in forms])


def _bordered(positions: Places) -> Places:
    return np.concatenate([[-1], positions, [-1]])
