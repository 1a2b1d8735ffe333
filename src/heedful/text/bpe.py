"""Reversible byte-pair subwords: they keep the spaces, so that a text can be rebuilt from them."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

from heedful.errors import ModelFolderError
from heedful.text.tokenizer_json import check_rest, is_lowercase, read_tree, vocab_of
from heedful.text.tokens import Token, TokenisedWord, words_of_tokens
from heedful.text.wordpiece import LONGEST_KEPT, MOST_KEPT, PAD_FORM, UNKNOWN_FORM, UNSPACED, is_known, most_characters

BOS_EOS, BOS_EOS_FORM = 2, "[EDGE]"  # BOS and EOS: before the first token, after the last; saved files have this form
SPACE = "▁"  # prefix of a subword that follows a space
PUNCTUATION = rf"[\p{{P}}\p{{S}}&&[^{SPACE}]]"
SPACES = r"[\s\x1c-\x1f]+"  # as in str.split: four control characters more than in the library
REPLACEMENT = "\ufffd"  # the text of an unknown character


class BpeTokeniser:
    """Byte-pair encoding by the Rust `tokenizers` library. A subword never spans a word and punctuation.

    `text_of(ids(text))` is the text, except that rare characters are replaced, runs of spaces become one space, and
    leading and trailing spaces are dropped.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._forms = self.forms()
        self._cache: dict[str, bytes] = {}

    @classmethod
    def trained(cls, texts: Iterable[str], *, size: int, min_count: int = 1, lowercase: bool = False) -> BpeTokeniser:
        """Learn the subwords from texts."""
        texts = list(texts)
        tokenizer = _tokenizer(models.BPE(unk_token=UNKNOWN_FORM), lowercase=lowercase)
        characters = _characters(tokenizer, texts, most=most_characters(size))
        trainer = trainers.BpeTrainer(
            vocab_size=size,
            min_frequency=max(2, min_count),
            initial_alphabet=characters,
            limit_alphabet=len(characters),
            special_tokens=[PAD_FORM, UNKNOWN_FORM, BOS_EOS_FORM],
            show_progress=False,
        )
        tokenizer.train_from_iterator(texts, trainer)
        # Keep only the model: the library would match special tokens inside texts, where "[PAD]" is just text.
        return cls(_tokenizer(tokenizer.model, lowercase=lowercase))

    def ids(self, text: str) -> NDArray[np.int32]:
        """Return the subword ids of a text."""
        return np.frombuffer(b"".join(map(self._ids_of, text.split())), dtype=np.int32)

    def tokens(self, text: str) -> list[Token]:
        """Return the subwords of a text with their offsets and words; offsets exclude spaces."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        rows = zip(encoding.tokens, encoding.offsets, encoding.word_ids, strict=True)
        return [_token(text, form, span, word or 0) for form, span, word in rows]

    def words(self, text: str) -> list[TokenisedWord]:
        """Return the words that the subwords make up."""
        return words_of_tokens(self.tokens(text), is_known)

    def text_of(self, ids: Sequence[int] | NDArray[np.integer[Any]]) -> str:
        """Return the text of subword ids, up to the first EOS."""
        forms: list[str] = []
        for i in ids:
            if i == BOS_EOS:
                break
            forms.append(REPLACEMENT if self._forms[i] == UNKNOWN_FORM else self._forms[i])
        return "".join(forms).replace(SPACE, " ").strip()

    def words_of(self, ids: Sequence[int] | NDArray[np.integer[Any]]) -> list[tuple[str, int]]:
        """Return the words of subword ids, each with its number of subwords; punctuation marks are words."""
        words: list[tuple[str, int]] = []
        for i in ids:
            form = REPLACEMENT if self._forms[i] == UNKNOWN_FORM else self._forms[i]
            plain = form.removeprefix(SPACE)
            if words and form == plain and _continues(words[-1][0], plain):
                words[-1] = (words[-1][0] + plain, words[-1][1] + 1)
            else:
                words.append((plain, 1))
        return words

    def forms(self) -> list[str]:
        """Return all subwords in the order of their ids."""
        ids = self._tokenizer.get_vocab(with_added_tokens=False)
        return sorted(ids, key=ids.__getitem__)

    def __len__(self) -> int:
        return self._tokenizer.get_vocab_size()

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle without the cache."""
        return BpeTokeniser.from_json, (self.to_json(),)

    def to_json(self) -> str:
        """Return the tokeniser as the library's own JSON."""
        return self._tokenizer.to_str()

    @classmethod
    def from_json(cls, text: str) -> BpeTokeniser:
        """Read the output of `to_json`."""
        tree = read_tree(text)
        lowercase = is_lowercase(tree)
        check_rest(tree, _tokenizer(models.BPE(unk_token=UNKNOWN_FORM), lowercase=lowercase), "vocab", "merges")
        vocab = vocab_of(tree, PAD_FORM, UNKNOWN_FORM, BOS_EOS_FORM)
        model = models.BPE(vocab, _merges(tree["model"].get("merges"), vocab), unk_token=UNKNOWN_FORM)
        return cls(_tokenizer(model, lowercase=lowercase))

    def _ids_of(self, chunk: str) -> bytes:
        """Return the ids of a chunk between two spaces as int32 bytes, cached."""
        ids = self._cache.get(chunk)
        if ids is None:
            ids = array("i", self._tokenizer.encode(chunk, add_special_tokens=False).ids).tobytes()
            if len(chunk) <= LONGEST_KEPT:
                if len(self._cache) >= MOST_KEPT:
                    self._cache.clear()
                self._cache[chunk] = ids
        return ids


def _merges(given: Any, vocab: Mapping[str, int]) -> list[tuple[str, str]]:
    """Return the merges in order; older files have both subwords in one string."""
    pairs: list[tuple[str, str]] = []
    for entry in given if isinstance(given, list) else ():
        pair = entry.split(" ") if isinstance(entry, str) else entry
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(subword, str) for subword in pair):
            raise ModelFolderError("the tokeniser has merges that are not pairs")
        first, second = pair
        if not {first, second, first + second} <= vocab.keys():
            raise ModelFolderError("the tokeniser merges subwords that are not in its vocab")
        pairs.append((first, second))
    return pairs


def _continues(word: str, subword: str) -> bool:
    """Return whether a subword without a space before it belongs to the previous word."""
    return not word or (word[-1].isalnum() and subword[:1].isalnum())


def _token(text: str, form: str, span: tuple[int, int], word: int) -> Token:
    start, end = span
    while start < end and text[start].isspace():
        start += 1
    return Token(form, start, end, word)


def _tokenizer(model: models.Model, *, lowercase: bool) -> Tokenizer:
    tokenizer = Tokenizer(model)
    parts: list[normalizers.Normalizer] = [normalizers.NFC(), normalizers.Replace(SPACE, "_")]
    if lowercase:
        parts.append(normalizers.Lowercase())
    parts += [normalizers.Replace(Regex(SPACES), " "), normalizers.Strip()]
    tokenizer.normalizer = normalizers.Sequence(parts)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Metaspace(replacement=SPACE, prepend_scheme="always", split=True),
            pre_tokenizers.Split(Regex(f"{SPACE}?{PUNCTUATION}"), "isolated"),
            pre_tokenizers.Split(Regex(f"{SPACE}?{UNSPACED}"), "isolated"),
        ]
    )
    return tokenizer


def _characters(tokenizer: Tokenizer, texts: Iterable[str], *, most: int) -> list[str]:
    """Return the most frequent characters, sorted, because the trainer's order is not deterministic."""
    counts: Counter[str] = Counter()
    for text in texts:
        for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(tokenizer.normalizer.normalize_str(text)):
            counts.update(word)
    return sorted(sorted(counts, key=lambda character: (-counts[character], character))[:most])
