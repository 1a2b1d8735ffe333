"""Texts to ids: a tokeniser with its vocab."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Protocol

import numpy as np

from heedful.data.features import Ids, Parts
from heedful.data.featuriser import Featuriser
from heedful.data.input_spec import InputSpec
from heedful.inputs.text.known_ngrams import KnownNGrams
from heedful.text.imported.tokeniser import ImportedTokeniser
from heedful.text.segment import segmented
from heedful.text.tokens import Token, TokenisedWord, words_of_tokens
from heedful.text.vocab import UNKNOWN, Vocab
from heedful.text.word_tokeniser import WordTokeniser
from heedful.text.wordpiece import WordPieceTokeniser, is_known

INNER = "##"  # prefix of a subword inside a word


class TextFeaturiser(Featuriser, Protocol):
    """Turns texts into ids and gives the offsets of the tokens."""

    @property
    def known(self) -> KnownNGrams | None:
        """The n-grams that it finds beside the ids; None if it finds none."""

    def ids(self, text: str) -> Ids:
        """Return the token ids, truncated to `max_tokens`."""

    def tokens(self, text: str) -> list[Token]:
        """Return the tokens of those ids."""

    def words(self, text: str) -> list[TokenisedWord]:
        """Return the words that those tokens make up."""

    def count(self, text: str) -> int:
        """Return the number of tokens, including those past `max_tokens`."""

    def is_known(self, form: str) -> bool:
        """Return whether the token is in the vocab."""

    def forms(self) -> list[str]:
        """Return the text of each token, by its id."""

    def special(self) -> tuple[list[str], list[str]]:
        """Return the forms of the special tokens before and after the words, such as [CLS] and [SEP]."""

    def __len__(self) -> int:
        """Return the number of ids."""


class _Texts:
    """Methods shared by word and subword featurisers."""

    max_tokens: int
    known: KnownNGrams | None = None

    def features(self: TextFeaturiser, text: str) -> Ids:
        """Return the ids."""
        return self.ids(text)

    def words(self: TextFeaturiser, text: str) -> list[TokenisedWord]:
        """Return the words that the tokens make up."""
        return segmented(text, words_of_tokens(self.tokens(text), self.is_known))

    def special(self) -> tuple[list[str], list[str]]:
        """Return the forms of special tokens: there are none."""
        return [], []

    def parts(self: TextFeaturiser, text: str) -> Parts:
        """Return the text and its words."""
        words = self.words(text)
        return Parts(text, [(word.start, word.end) for word in words], [word.n_tokens for word in words])


class WordFeaturiser(_Texts):
    """Turns texts into word ids."""

    FILE = "vocab.json"  # in a model folder

    def __init__(self, tokeniser: WordTokeniser, vocab: Vocab, *, max_tokens: int, one_hot: bool = False) -> None:
        self.tokeniser, self.vocab, self.max_tokens, self.one_hot = tokeniser, vocab, max_tokens, one_hot
        self._surface_ids: dict[str, int] = {}  # surface → id: one look-up for most words

    @property
    def shape(self) -> InputSpec:
        """The network takes word ids."""
        return InputSpec(n_ids=len(self), is_one_hot=self.one_hot)

    def ids(self, text: str) -> Ids:
        """Return the word ids, truncated to `max_tokens`."""
        known, surfaces = self._surface_ids, self.tokeniser.surfaces(text)
        ids = [known[s] if s in known else self._look_up(s) for s in surfaces[: self.max_tokens]]
        return np.array(ids, dtype=np.int32)

    def tokens(self, text: str) -> list[Token]:
        """Return the words of those ids."""
        return self.tokeniser.tokens(text)[: self.max_tokens]

    def count(self, text: str) -> int:
        """Return the number of words."""
        return len(self.tokeniser.surfaces(text))

    def is_cut(self, text: str) -> bool:
        """Return whether the text has more than `max_tokens` words."""
        return self.count(text) > self.max_tokens

    def is_known(self, form: str) -> bool:
        """Return whether the word is in the vocab."""
        return form in self.vocab

    def _look_up(self, surface: str) -> int:
        id_ = self.vocab.id(self.tokeniser.form(surface))
        if id_ != UNKNOWN:  # unknown words are not cached: there is no limit to them
            self._surface_ids[surface] = id_
        return id_

    def to_json(self) -> str:
        """Return the content of the file."""
        return self.vocab.to_json()

    def forms(self) -> list[str]:
        """Return the text of each token, by its id."""
        return list(self.vocab.words)

    def __len__(self) -> int:
        return len(self.vocab)


class SubwordFeaturiser(_Texts):
    """Turns texts into subword ids."""

    FILE = "tokenizer.json"  # in a model folder

    def __init__(self, tokeniser: WordPieceTokeniser, *, max_tokens: int) -> None:
        self.tokeniser, self.max_tokens = tokeniser, max_tokens

    @property
    def shape(self) -> InputSpec:
        """The network takes subword ids."""
        return InputSpec(n_ids=len(self))

    def ids(self, text: str) -> Ids:
        """Return the subword ids, truncated to `max_tokens`."""
        return self.tokeniser.ids(text)[: self.max_tokens]

    def tokens(self, text: str) -> list[Token]:
        """Return the subwords of those ids."""
        return self.tokeniser.tokens(text)[: self.max_tokens]

    def words(self, text: str) -> list[TokenisedWord]:
        """Return the words that those subwords make up."""
        words = self.tokeniser.words(text)
        is_whole = sum(word.n_tokens for word in words) <= self.max_tokens
        return segmented(text, words if is_whole else words_of_tokens(self.tokens(text), is_known))

    def count(self, text: str) -> int:
        """Return the number of subwords."""
        return len(self.tokeniser.ids(text))

    def is_cut(self, text: str) -> bool:
        """Return whether the text has more than `max_tokens` subwords."""
        return self.count(text) > self.max_tokens

    def is_known(self, form: str) -> bool:
        """Return whether this is a subword rather than the unknown token."""
        return is_known(form)

    def to_json(self) -> str:
        """Return the content of the file."""
        return self.tokeniser.to_json()

    def forms(self) -> list[str]:
        """Return the text of each token, by its id."""
        return [form.removeprefix(INNER) for form in self.tokeniser.forms()]

    def __len__(self) -> int:
        return len(self.tokeniser)


class ImportedFeaturiser(_Texts):
    """Turns texts into the subword ids of an imported transformer, with its special tokens around them."""

    FILE = "tokenizer.json"  # in a model folder

    def __init__(self, tokeniser: ImportedTokeniser, *, max_tokens: int) -> None:
        self.tokeniser, self.max_tokens = tokeniser, max_tokens
        plan = tokeniser.plan
        self.before = np.array([*plan.before, *tokeniser.prompt_ids], dtype=np.int32)
        self.after = np.array(plan.after, dtype=np.int32)

    @property
    def shape(self) -> InputSpec:
        """The network takes subword ids."""
        return InputSpec(n_ids=len(self), n_before=len(self.before), n_after=len(self.after))

    @property
    def _most(self) -> int:
        """The largest number of subwords beside the special tokens."""
        return max(0, self.max_tokens - len(self.before) - len(self.after))

    def ids(self, text: str) -> Ids:
        """Return the ids of subwords and special tokens, truncated to `max_tokens`."""
        return np.concatenate([self.before, self.tokeniser.ids(text)[: self._most], self.after])

    def tokens(self, text: str) -> list[Token]:
        """Return the subwords of those ids, without special tokens."""
        return self.tokeniser.tokens(text)[: self._most]

    def count(self, text: str) -> int:
        """Return the number of tokens, with special ones."""
        return len(self.before) + len(self.tokeniser.ids(text)) + len(self.after)

    def is_cut(self, text: str) -> bool:
        """Return whether the text has more than `max_tokens` tokens."""
        return self.count(text) > self.max_tokens

    def is_known(self, form: str) -> bool:
        """Return whether this is a subword rather than the unknown token."""
        return self.tokeniser.is_known(form)

    def to_json(self) -> str:
        """Return the content of the file."""
        return self.tokeniser.plan.to_json()

    def forms(self) -> list[str]:
        """Return the text of each token, by its id."""
        return [form.removeprefix(INNER) for form in self.tokeniser.forms()]

    def special(self) -> tuple[list[str], list[str]]:
        """Return the forms of the special tokens before and after the words."""
        forms = self.tokeniser.forms()
        before, after = ([forms[i] for i in ids] for ids in (self.before, self.after))
        return before, after

    def __len__(self) -> int:
        return len(self.tokeniser)


def count_words(texts: Iterable[str], tokeniser: WordTokeniser, *, most: int | None = None) -> Counter[str]:
    """Count the forms of all words; whenever there are more than `most`, only the more frequent half is kept."""
    surfaces: Counter[str] = Counter()
    for text in texts:
        surfaces.update(tokeniser.surfaces(text))
        if most is not None and len(surfaces) > most:
            surfaces = Counter(dict(surfaces.most_common(most // 2)))
    counts: Counter[str] = Counter()
    for surface, n in surfaces.items():
        counts[tokeniser.form(surface)] += n
    return counts
