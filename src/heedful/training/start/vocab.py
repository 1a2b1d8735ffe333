"""The vocab of the training texts, and pretrained word vectors."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from heedful.errors import ConfigError
from heedful.inputs.text.featuriser import SubwordFeaturiser, TextFeaturiser, WordFeaturiser, count_words
from heedful.network.network import Network
from heedful.settings import TextSettings
from heedful.text.vocab import UNKNOWN, Vocab
from heedful.text.word_tokeniser import WordTokeniser
from heedful.text.word_vectors import read_word_vectors
from heedful.text.wordpiece import WordPieceTokeniser

MOST_ONE_HOT = 10_000  # words: a one-hot vector has a number for each


@dataclass(frozen=True)
class StartVectors:
    """Rows of the embedding table that start from pretrained vectors."""

    ids: NDArray[np.int64]
    values: NDArray[np.float32]  # (id, width)
    found_words: float  # share of the different words of the training texts
    found_tokens: float  # share of all their words

    def fingerprint(self) -> str:
        """Return a hash that detects a changed file."""
        return hashlib.sha256(self.values.tobytes()).hexdigest()[:16]


def make_featuriser(
    texts: Iterable[str], settings: TextSettings, *, most: int | None = None
) -> tuple[TextFeaturiser, StartVectors | None]:
    """Learn the vocab from the training texts and the word vectors.

    `most` bounds the number of words that are counted in a stream.
    """
    if settings.vectors is None and not settings.tune_vectors:
        raise ConfigError(
            ["text.tune_vectors is false, but text.vectors is not set: random vectors would never be trained."]
        )
    if settings.one_hot:
        return _one_hot(texts, settings), None
    if settings.tokens == "subwords":
        if settings.vectors is not None:
            raise ConfigError(["text.vectors are for words; with tokens = subwords leave them out."])
        subwords = WordPieceTokeniser.trained(
            texts, size=settings.vocab_size, min_count=settings.min_count, lowercase=settings.lowercase
        )
        return SubwordFeaturiser(subwords, max_tokens=settings.max_tokens), None
    tokeniser = WordTokeniser(lowercase=settings.lowercase)
    counts = count_words(texts, tokeniser, most=most)
    vocab = Vocab.from_counts(counts, size=settings.vocab_size, min_count=settings.min_count)
    start: StartVectors | None = None
    if settings.vectors is not None:
        vocab, start = with_vectors(settings, tokeniser, vocab, counts)
    return WordFeaturiser(tokeniser, vocab, max_tokens=settings.max_tokens), start


def _one_hot(texts: Iterable[str], settings: TextSettings) -> WordFeaturiser:
    """Return a featuriser of one-hot words, at most MOST_ONE_HOT."""
    if settings.vectors is not None or settings.tokens == "subwords":
        raise ConfigError(["text.one_hot is for words without vectors: leave out text.vectors and subwords."])
    size = min(settings.vocab_size, MOST_ONE_HOT)
    tokeniser = WordTokeniser(lowercase=settings.lowercase)
    vocab = Vocab.from_counts(count_words(texts, tokeniser), size=size, min_count=settings.min_count)
    return WordFeaturiser(tokeniser, vocab, max_tokens=settings.max_tokens, one_hot=True)


def with_vectors(
    settings: TextSettings, tokeniser: WordTokeniser, vocab: Vocab, counts: dict[str, int]
) -> tuple[Vocab, StartVectors]:
    """Extend the vocab by words of the vectors file, so that words beyond the training texts are known."""
    assert settings.vectors is not None
    room = settings.vocab_size - len(vocab)
    extra: set[str] = set()

    def keep(word: str, _: int) -> bool:
        form = tokeniser.form(word)
        if form not in vocab and form not in extra and len(extra) < room:
            extra.add(form)
        return form in vocab or form in extra

    read = read_word_vectors(settings.vectors, keep=keep)
    first: dict[str, int] = {}  # cased files have The and the: the first, more frequent, stands for both
    for i, word in enumerate(read.words):
        first.setdefault(tokeniser.form(word), i)
    known = sum(word in first for word in counts)
    covered = sum(n for word, n in counts.items() if word in first)
    vocab = vocab.extended((form for form in first if form in extra), size=settings.vocab_size)
    pairs = [(vocab.id(form), i) for form, i in first.items() if vocab.id(form) != UNKNOWN]
    return vocab, StartVectors(
        ids=np.array([i for i, _ in pairs], dtype=np.int64),
        values=read.values[[i for _, i in pairs]],
        found_words=known / max(1, len(counts)),
        found_tokens=covered / max(1, sum(counts.values())),
    )


def place_vectors(network: Network, start: StartVectors) -> None:
    """Copy word vectors into the network's embedding table."""
    with torch.no_grad():
        network.tables[0][torch.from_numpy(start.ids)] = torch.from_numpy(start.values)
