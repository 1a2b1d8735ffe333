"""Sub-words trained on the corpus, with offsets into the text as it was given."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

from heedful.text.tokenizer_json import check_rest, is_lowercase, read_tree, vocab_of
from heedful.text.tokens import Token

PAD_FORM, UNKNOWN_FORM = "[PAD]", "[UNK]"  # ids 0 and 1, as in Vocab
# Scripts written without spaces: each character is a word of its own, as in `words`.
UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\p{Bopomofo}\p{Yi}]\p{M}*"

MOST_KEPT, LONGEST_KEPT = 2**18, 64  # stretches, and letters of one: bounds memory whatever the texts
# Each ASCII mark is a token of its own, so what stands between them can be looked up.
_ASCII_PART = re.compile(r"[0-9A-Za-z]+|[!-/:-@\[-`{-~]")
_ODD_SPACE = re.compile("[\x1c-\x1f]")


class SubwordTokeniser:
    """WordPiece by the Rust `tokenizers` library."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._known = _Known(tokenizer)

    @classmethod
    def trained(
        cls, texts: Iterable[str], *, size: int, min_count: int = 1, lowercase: bool = True
    ) -> SubwordTokeniser:
        """Learn the pieces from texts."""
        texts = list(texts)
        tokenizer = _tokenizer({}, lowercase=lowercase)
        characters = _characters(tokenizer, texts, most=most_characters(size))
        trainer = trainers.WordPieceTrainer(
            vocab_size=size,
            min_frequency=min_count,
            initial_alphabet=characters,
            limit_alphabet=len(characters),
            special_tokens=[PAD_FORM, UNKNOWN_FORM, *(f"##{character}" for character in characters)],
            show_progress=False,
        )
        tokenizer.train_from_iterator(texts, trainer)
        # The vocab alone goes on: special tokens would be found inside texts, where "[PAD]" is no pad.
        return cls(_tokenizer(tokenizer.get_vocab(with_added_tokens=False), lowercase=lowercase))

    def tokens(self, text: str) -> list[Token]:
        """Return the pieces of a text with their places and their words."""
        encoding = self._encode(text)
        rows = zip(encoding.tokens, encoding.offsets, encoding.word_ids, strict=True)
        return [Token(form, start, end, word or 0) for form, (start, end), word in rows]

    def ids(self, text: str) -> NDArray[np.int32]:
        """Return the ids of the pieces of a text, each stretch between spaces looked up where it was met before.

        No piece and no normalisation reaches over a space, so this is what the library gives for the whole text, at
        several times its speed. Python counts four control characters as spaces that the library does not.
        """
        if not text.isprintable() and _ODD_SPACE.search(text):
            return np.array(self._encode(text).ids, dtype=np.int32)
        return np.frombuffer(b"".join(map(self._known.__getitem__, text.split())), dtype=np.int32)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by what it was made of, not by what it has met."""
        return SubwordTokeniser.from_json, (self.to_json(),)

    def _encode(self, text: str) -> Encoding:
        return self._tokenizer.encode(text, add_special_tokens=False)

    def forms(self) -> list[str]:
        """Return all pieces, by their ids."""
        ids = self._tokenizer.get_vocab(with_added_tokens=False)
        return sorted(ids, key=ids.__getitem__)

    def __len__(self) -> int:
        return self._tokenizer.get_vocab_size()

    def to_json(self) -> str:
        """Return the tokeniser as the library's own JSON."""
        return self._tokenizer.to_str()

    @classmethod
    def from_json(cls, text: str) -> SubwordTokeniser:
        """Read what `to_json` wrote."""
        tree = read_tree(text)
        lowercase = is_lowercase(tree)
        check_rest(tree, _tokenizer({}, lowercase=lowercase), "vocab")
        return cls(_tokenizer(vocab_of(tree, PAD_FORM, UNKNOWN_FORM), lowercase=lowercase))


class _Known(dict[str, bytes]):
    """What stands between spaces → its ids, as int32 in a row. What is new is learned when it is looked up."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        super().__init__()
        self._tokenizer = tokenizer

    def __missing__(self, stretch: str) -> bytes:
        ids = self._learn(stretch)
        if len(stretch) <= LONGEST_KEPT:
            if len(self) >= MOST_KEPT:
                self.clear()
            self[stretch] = ids
        return ids

    def _learn(self, stretch: str) -> bytes:
        """Ask the library about what is new; in plain ASCII only about the new part: the word without its comma."""
        if len(stretch) > 1 and not stretch.isalnum() and stretch.isascii() and stretch.isprintable():
            return b"".join(map(self.__getitem__, _ASCII_PART.findall(stretch)))
        return array("i", self._tokenizer.encode(stretch, add_special_tokens=False).ids).tobytes()


def _tokenizer(vocab: dict[str, int], *, lowercase: bool) -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece(vocab, unk_token=UNKNOWN_FORM))
    steps: list[normalizers.Normalizer] = [normalizers.NFC()]
    if lowercase:
        steps.append(normalizers.Lowercase())
    tokenizer.normalizer = normalizers.Sequence(steps)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(UNSPACED), "isolated"), pre_tokenizers.BertPreTokenizer()]
    )
    return tokenizer


def most_characters(size: int) -> int:
    """Return how many of the pieces may be single characters: a corpus with a little of every script has thousands."""
    return max(256, size // 10)


def _characters(tokenizer: Tokenizer, texts: Iterable[str], *, most: int) -> list[str]:
    """Return the most frequent characters, sorted.

    Left to itself the trainer numbers them in the order of a hash map, and the same texts give another vocab each time.
    """
    found: Counter[str] = Counter()
    for text in texts:
        for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(tokenizer.normalizer.normalize_str(text)):
            found.update(word)
    return sorted(sorted(found, key=lambda character: (-found[character], character))[:most])
