"""The words and characters that a tagger knows, and pretrained word vectors."""

from __future__ import annotations

from collections.abc import Sequence

from heedful.config import Config
from heedful.errors import ConfigError
from heedful.settings import TextSettings
from heedful.tasks.tag.featuriser import WordCharFeaturiser, alphabet_of, count_forms
from heedful.text.vocab import Vocab
from heedful.text.word_tokeniser import WordTokeniser
from heedful.training.dataset import TrainingData
from heedful.training.start.vocab import StartVectors, with_vectors


def learn_featuriser(config: Config, data: TrainingData) -> tuple[WordCharFeaturiser, StartVectors | None]:
    """Learn the words and characters of the training sentences."""
    return make_spelled(list(data.sources()), config.text)


def make_spelled(
    sentences: Sequence[Sequence[str]], settings: TextSettings
) -> tuple[WordCharFeaturiser, StartVectors | None]:
    """Learn the vocab and the alphabet from the tokens of sentences; with word vectors, know their words too."""
    _check(settings)
    tokeniser = WordTokeniser(lowercase=settings.lowercase)
    counts = count_forms(sentences, tokeniser)
    vocab = Vocab.from_counts(counts, size=settings.vocab_size, min_count=settings.min_count)
    start: StartVectors | None = None
    if settings.vectors is not None:
        vocab, start = with_vectors(settings, tokeniser, vocab, counts)
    alphabet = alphabet_of(token for tokens in sentences for token in tokens) if settings.letters else ""
    return WordCharFeaturiser(
        tokeniser, vocab, alphabet, letter_width=settings.letters, max_tokens=settings.max_tokens
    ), start


def _check(settings: TextSettings) -> None:
    faults = []
    if settings.tokens != "words":
        faults.append(f"text.tokens is {settings.tokens}, but a tagger gives each word a label: it reads words.")
    if settings.one_hot:
        faults.append("text.one_hot is not for taggers: leave it out.")
    if settings.vectors is None and not settings.tune_vectors:
        faults.append("text.tune_vectors is false, but text.vectors is not set: random vectors would never be trained.")
    if faults:
        raise ConfigError(faults)
