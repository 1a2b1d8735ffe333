"""WordPiece subwords trained on the corpus, with offsets into the original text."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

from heedful.text.tokenizer_json import check_rest, is_lowercase, read_tree, vocab_of
from heedful.text.tokens import Token, TokenisedWord, words_of_tokens

PAD_FORM, UNKNOWN_FORM = "[PAD]", "[UNK]"  # ids 0 and 1, as in Vocab
# Scripts written without spaces: each character is a word, as in `word_tokeniser`.
UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\p{Bopomofo}\p{Yi}]\p{M}*"

MOST_KEPT, LONGEST_KEPT = 2**18, 64  # cached chunks, and characters per chunk: bounds memory
MOST_WORDS_KEPT = 2**16  # chunks whose words are cached
# ASCII punctuation marks are separate tokens, so the parts between them can be cached.
_ASCII_PART = re.compile(r"[0-9A-Za-z]+|[!-/:-@\[-`{-~]")
_ODD_SPACE = re.compile("[\x1c-\x1f]")


class WordPieceTokeniser:
    """WordPiece by the Rust `tokenizers` library."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._cache = _IdCache(tokenizer)
        self._words = _WordCache(self.tokens)

    @classmethod
    def trained(
        cls, texts: Iterable[str], *, size: int, min_count: int = 1, lowercase: bool = True, characters: int = 0
    ) -> WordPieceTokeniser:
        """Learn the subwords from texts; at most so many `characters` are subwords, 0 for a tenth of all."""
        texts = list(texts)
        tokenizer = _tokenizer({}, lowercase=lowercase)
        alphabet = _characters(tokenizer, texts, most=characters or most_characters(size))
        trainer = trainers.WordPieceTrainer(
            vocab_size=size,
            min_frequency=min_count,
            initial_alphabet=alphabet,
            limit_alphabet=len(alphabet),
            special_tokens=[PAD_FORM, UNKNOWN_FORM, *(f"##{character}" for character in alphabet)],
            show_progress=False,
        )
        tokenizer.train_from_iterator(texts, trainer)
        # Keep only the vocab: the library would match special tokens inside texts, where "[PAD]" is just text.
        return cls(_tokenizer(tokenizer.get_vocab(with_added_tokens=False), lowercase=lowercase))

    def tokens(self, text: str) -> list[Token]:
        """Return the subwords of a text with their offsets and words."""
        encoding = self._encode(text)
        rows = zip(encoding.tokens, encoding.offsets, encoding.word_ids, strict=True)
        return [Token(form, start, end, word or 0) for form, (start, end), word in rows]

    def ids(self, text: str) -> NDArray[np.int32]:
        """Return the subword ids of a text, with a cache of the chunks between spaces.

        Neither subwords nor normalisation cross spaces, so the result equals the library's, at several times the
        speed. Texts with one of the four control characters that only Python counts as spaces bypass the cache.
        """
        if not text.isprintable() and _ODD_SPACE.search(text):
            return np.array(self._encode(text).ids, dtype=np.int32)
        return np.frombuffer(b"".join(map(self._cache.__getitem__, text.split())), dtype=np.int32)

    def words(self, text: str) -> list[TokenisedWord]:
        """Return the words of a text with their offsets and numbers of subwords, with a cache of chunks as in `ids`."""
        if not text.isprintable() and _ODD_SPACE.search(text):
            return words_of_tokens(self.tokens(text), is_known)
        words, at, word = [], 0, TokenisedWord
        for chunk in text.split():
            at = text.index(chunk, at)
            words += [word(at + start, at + end, n, known) for start, end, n, known in self._words[chunk]]
            at += len(chunk)
        return words

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle without the caches."""
        return WordPieceTokeniser.from_json, (self.to_json(),)

    def _encode(self, text: str) -> Encoding:
        return self._tokenizer.encode(text, add_special_tokens=False)

    def forms(self) -> list[str]:
        """Return all subwords in the order of their ids."""
        ids = self._tokenizer.get_vocab(with_added_tokens=False)
        return sorted(ids, key=ids.__getitem__)

    def __len__(self) -> int:
        return self._tokenizer.get_vocab_size()

    def to_json(self) -> str:
        """Return the tokeniser as the library's own JSON."""
        return self._tokenizer.to_str()

    @classmethod
    def from_json(cls, text: str) -> WordPieceTokeniser:
        """Read the output of `to_json`."""
        tree = read_tree(text)
        lowercase = is_lowercase(tree)
        check_rest(tree, _tokenizer({}, lowercase=lowercase), "vocab")
        return cls(_tokenizer(vocab_of(tree, PAD_FORM, UNKNOWN_FORM), lowercase=lowercase))


class _IdCache(dict[str, bytes]):
    """Chunk between spaces → its ids as int32 bytes, computed on the first look-up."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        super().__init__()
        self._tokenizer = tokenizer

    def __missing__(self, chunk: str) -> bytes:
        ids = self._compute(chunk)
        if len(chunk) <= LONGEST_KEPT:
            if len(self) >= MOST_KEPT:
                self.clear()
            self[chunk] = ids
        return ids

    def _compute(self, chunk: str) -> bytes:
        """Tokenise a chunk; in plain ASCII, split off punctuation first so that words hit the cache."""
        if len(chunk) > 1 and not chunk.isalnum() and chunk.isascii() and chunk.isprintable():
            return b"".join(map(self.__getitem__, _ASCII_PART.findall(chunk)))
        return array("i", self._tokenizer.encode(chunk, add_special_tokens=False).ids).tobytes()


class _WordCache(dict[str, list[TokenisedWord]]):
    """Chunk between spaces → its words, computed on the first look-up."""

    def __init__(self, tokens: Callable[[str], list[Token]]) -> None:
        super().__init__()
        self._tokens = tokens

    def __missing__(self, chunk: str) -> list[TokenisedWord]:
        words = words_of_tokens(self._tokens(chunk), is_known)
        if len(chunk) <= LONGEST_KEPT:
            if len(self) >= MOST_WORDS_KEPT:
                self.clear()
            self[chunk] = words
        return words


def is_known(form: str) -> bool:
    """Return whether this is a subword rather than the unknown token."""
    return form != UNKNOWN_FORM


def _tokenizer(vocab: dict[str, int], *, lowercase: bool) -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece(vocab, unk_token=UNKNOWN_FORM))
    parts: list[normalizers.Normalizer] = [normalizers.NFC()]
    if lowercase:
        parts.append(normalizers.Lowercase())
    tokenizer.normalizer = normalizers.Sequence(parts)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(UNSPACED), "isolated"), pre_tokenizers.BertPreTokenizer()]
    )
    return tokenizer


def most_characters(size: int) -> int:
    """Return how many subwords may be single characters: a corpus with many scripts has thousands."""
    return max(256, size // 10)


def _characters(tokenizer: Tokenizer, texts: Iterable[str], *, most: int) -> list[str]:
    """Return the most frequent characters, sorted.

    The trainer's own order is that of a hash map and would give another vocab on each run.
    """
    counts: Counter[str] = Counter()
    for text in texts:
        for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(tokenizer.normalizer.normalize_str(text)):
            counts.update(word)
    return sorted(sorted(counts, key=lambda character: (-counts[character], character))[:most])
