"""The tokeniser of an imported transformer, with offsets and words."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from heedful.text.imported.library import SPACE, library_tokeniser
from heedful.text.imported.plan import UNIGRAM, TokeniserPlan
from heedful.text.tokens import Token

UNSPACED = (("\u0e00", "\u0eff"), ("\u1000", "\u109f"), ("\u1780", "\u17ff"), ("\u2e80", "\ua4ff"))  # ranges of scripts


class ImportedTokeniser:
    """Subwords as the transformer was trained with. Ids and tokens are those of the words, without special tokens."""

    def __init__(self, plan: TokeniserPlan) -> None:
        self.plan = plan
        self._tokenizer: Tokenizer = library_tokeniser(plan)
        self._last: tuple[str, list[Token], NDArray[np.int32]] | None = None  # several questions about one text

    def ids(self, text: str) -> NDArray[np.int32]:
        """Return the subword ids of a text."""
        return self._read(text)[1]

    def tokens(self, text: str) -> list[Token]:
        """Return the subwords of a text with their offsets and words."""
        return self._read(text)[0]

    def is_known(self, form: str) -> bool:
        """Return whether this is a subword rather than the unknown token."""
        return form != self.plan.unknown

    def forms(self) -> list[str]:
        """Return all subwords in the order of their ids."""
        return [*self.plan.vocab, *("" for _ in range(self.plan.n_ids - len(self.plan.vocab)))]

    def __len__(self) -> int:
        return self.plan.n_ids

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle the plan only."""
        return ImportedTokeniser, (self.plan,)

    def _read(self, text: str) -> tuple[list[Token], NDArray[np.int32]]:
        if (last := self._last) is not None and last[0] == text:
            return last[1], last[2]
        prompt = self.plan.prompt
        encoding = self._tokenizer.encode(prompt + text, add_special_tokens=False)
        ids = np.array(encoding.ids, dtype=np.int32)[self._n_prompt :]
        rows = list(zip(encoding.tokens, encoding.offsets, encoding.word_ids, strict=True))[self._n_prompt :]
        moved = [(form, (max(0, a - len(prompt)), b - len(prompt)), word or 0) for form, (a, b), word in rows]
        tokens = in_words(text, moved, split=self.plan.kind == UNIGRAM)
        self._last = (text, tokens, ids)
        return tokens, ids

    @cached_property
    def _n_prompt(self) -> int:
        return len(self.prompt_ids)

    @cached_property
    def prompt_ids(self) -> list[int]:
        """The ids of the prompt, which come before those of the text."""
        return list(self._tokenizer.encode(self.plan.prompt.rstrip(), add_special_tokens=False).ids)


def in_words(text: str, rows: Sequence[tuple[str, tuple[int, int], int]], *, split: bool) -> list[Token]:
    """Return tokens without the spaces around them, numbered by their words.

    A token of spaces alone belongs to the word after it. With `split`, the parts between spaces are divided at
    punctuation, and where a script has no spaces every token is a word.
    """
    tokens: list[Token] = []
    number, before, is_open = -1, None, False  # the word, the library's number of it, and whether it has characters
    for form, (start, end), word in rows:
        start, end = _stripped(text, start, end)
        is_new = before != word or (split and start < end and is_open and _divides(text, tokens[-1], start))
        if is_new and (is_open or not tokens):
            number, is_open = number + 1, False
        tokens.append(Token(form.removeprefix(SPACE), start, end, number))
        is_open = is_open or start < end
        before = word
    return tokens


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without spaces at its ends."""
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def _divides(text: str, last: Token, start: int) -> bool:
    """Return whether a word ends before the character at `start`."""
    if last.start == last.end or start < last.end:
        return False
    return not (_is_spaced(text[last.end - 1]) and _is_spaced(text[start]))


def _is_spaced(character: str) -> bool:
    """Return whether this is a letter or digit of a script that has spaces between words."""
    is_word = unicodedata.category(character)[0] in "LNM" or character in "'’_"
    return is_word and not any(first <= character <= last for first, last in UNSPACED)
