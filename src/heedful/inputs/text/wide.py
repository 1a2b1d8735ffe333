"""Texts to token ids and n-grams, for scores with a wide part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heedful.data.features import Ids, Item, Parts
from heedful.data.input_spec import InputSpec
from heedful.inputs.text.featuriser import TextFeaturiser
from heedful.inputs.text.known_ngrams import KnownNGrams
from heedful.text.tokens import Token, TokenisedWord

KNOWN_SHARE = 0.5  # of the n-grams of a word that the model knows by its spelling


class WideFeaturiser:
    """Turns texts into what another featuriser makes of them, and their n-grams."""

    def __init__(self, inner: TextFeaturiser, known: KnownNGrams) -> None:
        self.inner, self.known, self.max_tokens = inner, known, inner.max_tokens

    @property
    def shape(self) -> InputSpec:
        """The network takes ids, and n-grams."""
        return replace(self.inner.shape, n_ngrams=len(self.known) + 1)

    def features(self, text: str) -> Item:
        """Return the ids and the n-grams."""
        ids = self.inner.ids(text)
        return self.item(ids, self.read_part(text, ids))

    def features_of(self, texts: Sequence[str]) -> list[Item]:
        """Return the features of each text, faster than one by one."""
        every = [self.inner.ids(text) for text in texts]
        read = [self.read_part(text, ids) if len(ids) else "" for text, ids in zip(texts, every, strict=True)]
        return [Item({"ids": ids, **arrays}) for ids, arrays in zip(every, self.known.arrays_of(read), strict=True)]

    def item(self, ids: Ids, text: str) -> Item:
        """Return ids with the n-grams of a text; without ids there are none."""
        return Item({"ids": ids, **self.known.arrays(text if len(ids) else "")})

    def read_part(self, text: str, ids: Ids) -> str:
        """Return the part of a text that its ids stand for."""
        if len(ids) < self.max_tokens:
            return text
        tokens = self.inner.tokens(text)
        return text[: tokens[-1].end] if tokens else text

    def ids(self, text: str) -> Ids:
        """Return the token ids, truncated to `max_tokens`."""
        return self.inner.ids(text)

    def tokens(self, text: str) -> list[Token]:
        """Return the tokens of those ids."""
        return self.inner.tokens(text)

    def special(self) -> tuple[list[str], list[str]]:
        """Return the forms of the special tokens before and after the words."""
        return self.inner.special()

    def words(self, text: str) -> list[TokenisedWord]:
        """Return the words that those tokens make up. A word may be known by its spelling alone."""
        return [
            word
            if word.is_known
            else word._replace(is_known=self.known.share(text[word.start : word.end]) >= KNOWN_SHARE)
            for word in self.inner.words(text)
        ]

    def parts(self, text: str) -> Parts:
        """Return the text and its words."""
        return self.inner.parts(text)

    def count(self, text: str) -> int:
        """Return the number of tokens."""
        return self.inner.count(text)

    def is_cut(self, text: str) -> bool:
        """Return whether the text has more than `max_tokens` tokens."""
        return self.inner.is_cut(text)

    def is_known(self, form: str) -> bool:
        """Return whether the token is in the vocab."""
        return self.inner.is_known(form)

    def forms(self) -> list[str]:
        """Return the text of each token, by its id."""
        return self.inner.forms()

    def __len__(self) -> int:
        return len(self.inner)
