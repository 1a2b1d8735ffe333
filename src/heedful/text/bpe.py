"""Sub-words that keep the spaces between words, so that a text can be made of them again."""

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
from heedful.text.tokens import Token
from heedful.text.wordpiece import LONGEST_KEPT, MOST_KEPT, PAD_FORM, UNKNOWN_FORM, UNSPACED, most_characters

EDGE, EDGE_FORM = 2, "[EDGE]"  # before the first token and after the last
SPACE = "▁"  # stands before a word that a space stands before
MARKS = rf"[\p{{P}}\p{{S}}&&[^{SPACE}]]"
SPACES = r"[\s\x1c-\x1f]+"  # what Python splits at: four control characters more than the library
STRANGE = "\ufffd"  # what a character that is not known comes back as


class SpacedTokeniser:
    """Byte-pair pieces by the Rust `tokenizers` library. A piece is of one word or one mark, never of both.

    `text_of(ids(text))` is the text, but for rare characters, and for spaces: a run of them comes back as one, those at
    the ends do not.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._forms = self.forms()
        self._known: dict[str, bytes] = {}

    @classmethod
    def trained(
        cls, texts: Iterable[str], *, size: int, min_count: int = 1, lowercase: bool = False
    ) -> SpacedTokeniser:
        """Learn the pieces from texts."""
        texts = list(texts)
        tokenizer = _tokenizer(models.BPE(unk_token=UNKNOWN_FORM), lowercase=lowercase)
        characters = _characters(tokenizer, texts, most=most_characters(size))
        trainer = trainers.BpeTrainer(
            vocab_size=size,
            min_frequency=max(2, min_count),
            initial_alphabet=characters,
            limit_alphabet=len(characters),
            special_tokens=[PAD_FORM, UNKNOWN_FORM, EDGE_FORM],
            show_progress=False,
        )
        tokenizer.train_from_iterator(texts, trainer)
        # The model alone goes on: special tokens would be found inside texts, where "[PAD]" is no pad.
        return cls(_tokenizer(tokenizer.model, lowercase=lowercase))

    def ids(self, text: str) -> NDArray[np.int32]:
        """Return the ids of the pieces of a text."""
        return np.frombuffer(b"".join(map(self._ids_of, text.split())), dtype=np.int32)

    def tokens(self, text: str) -> list[Token]:
        """Return the pieces of a text with their places and their words; a space belongs to no piece."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        rows = zip(encoding.tokens, encoding.offsets, encoding.word_ids, strict=True)
        return [_token(text, form, span, word or 0) for form, span, word in rows]

    def text_of(self, ids: Sequence[int] | NDArray[np.integer[Any]]) -> str:
        """Return the text of some pieces, up to the first edge."""
        forms: list[str] = []
        for i in ids:
            if i == EDGE:
                break
            forms.append(STRANGE if self._forms[i] == UNKNOWN_FORM else self._forms[i])
        return "".join(forms).replace(SPACE, " ").strip()

    def words_of(self, ids: Sequence[int] | NDArray[np.integer[Any]]) -> list[tuple[str, int]]:
        """Return the words that some pieces make up, each with how many pieces it has; a mark is a word of its own."""
        words: list[tuple[str, int]] = []
        for i in ids:
            form = STRANGE if self._forms[i] == UNKNOWN_FORM else self._forms[i]
            plain = form.removeprefix(SPACE)
            if words and form == plain and _goes_on(words[-1][0], plain):
                words[-1] = (words[-1][0] + plain, words[-1][1] + 1)
            else:
                words.append((plain, 1))
        return words

    def forms(self) -> list[str]:
        """Return all pieces, by their ids."""
        ids = self._tokenizer.get_vocab(with_added_tokens=False)
        return sorted(ids, key=ids.__getitem__)

    def __len__(self) -> int:
        return self._tokenizer.get_vocab_size()

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by what it was made of, not by what it has met."""
        return SpacedTokeniser.from_json, (self.to_json(),)

    def to_json(self) -> str:
        """Return the tokeniser as the library's own JSON."""
        return self._tokenizer.to_str()

    @classmethod
    def from_json(cls, text: str) -> SpacedTokeniser:
        """Read what `to_json` wrote."""
        tree = read_tree(text)
        lowercase = is_lowercase(tree)
        check_rest(tree, _tokenizer(models.BPE(unk_token=UNKNOWN_FORM), lowercase=lowercase), "vocab", "merges")
        vocab = vocab_of(tree, PAD_FORM, UNKNOWN_FORM, EDGE_FORM)
        model = models.BPE(vocab, _merges(tree["model"].get("merges"), vocab), unk_token=UNKNOWN_FORM)
        return cls(_tokenizer(model, lowercase=lowercase))

    def _ids_of(self, stretch: str) -> bytes:
        """Return the ids of what stands between two spaces, as int32 in a row, looked up where it was met before."""
        found = self._known.get(stretch)
        if found is None:
            found = array("i", self._tokenizer.encode(stretch, add_special_tokens=False).ids).tobytes()
            if len(stretch) <= LONGEST_KEPT:
                if len(self._known) >= MOST_KEPT:
                    self._known.clear()
                self._known[stretch] = found
        return found


def _merges(given: Any, vocab: Mapping[str, int]) -> list[tuple[str, str]]:
    """Return which pieces are put together, in that order; older files have both in one string."""
    pairs: list[tuple[str, str]] = []
    for entry in given if isinstance(given, list) else ():
        pair = entry.split(" ") if isinstance(entry, str) else entry
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(piece, str) for piece in pair):
            raise ModelFolderError("the tokeniser has merges that are not pairs")
        first, second = pair
        if not {first, second, first + second} <= vocab.keys():
            raise ModelFolderError("the tokeniser merges pieces that are not in its vocab")
        pairs.append((first, second))
    return pairs


def _goes_on(word: str, piece: str) -> bool:
    """Return whether a piece that no space stands before belongs to the word before it."""
    return not word or (word[-1].isalnum() and piece[:1].isalnum())


def _token(text: str, form: str, span: tuple[int, int], word: int) -> Token:
    start, end = span
    while start < end and text[start].isspace():
        start += 1
    return Token(form, start, end, word)


def _tokenizer(model: models.Model, *, lowercase: bool) -> Tokenizer:
    tokenizer = Tokenizer(model)
    steps: list[normalizers.Normalizer] = [normalizers.NFC(), normalizers.Replace(SPACE, "_")]
    if lowercase:
        steps.append(normalizers.Lowercase())
    steps += [normalizers.Replace(Regex(SPACES), " "), normalizers.Strip()]
    tokenizer.normalizer = normalizers.Sequence(steps)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Metaspace(replacement=SPACE, prepend_scheme="always", split=True),
            pre_tokenizers.Split(Regex(f"{SPACE}?{MARKS}"), "isolated"),
            pre_tokenizers.Split(Regex(f"{SPACE}?{UNSPACED}"), "isolated"),
        ]
    )
    return tokenizer


def _characters(tokenizer: Tokenizer, texts: Iterable[str], *, most: int) -> list[str]:
    """Return the most frequent characters, sorted: the trainer's own order is that of a hash map."""
    found: Counter[str] = Counter()
    for text in texts:
        for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(tokenizer.normalizer.normalize_str(text)):
            found.update(word)
    return sorted(sorted(found, key=lambda character: (-found[character], character))[:most])
