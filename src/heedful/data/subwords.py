"""Sub-words trained on the corpus, with offsets into the text as it was given."""

from __future__ import annotations

from collections.abc import Iterable

from tokenizers import Encoding, Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

from heedful.data.tokens import Token
from heedful.errors import ModelFolderError

PAD_FORM, UNKNOWN_FORM = "[PAD]", "[UNK]"  # ids 0 and 1, as in Vocab
# Scripts written without spaces: each character is a word of its own, as in `words`.
UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\p{Bopomofo}\p{Yi}]\p{M}*"


class SubwordTokeniser:
    """WordPiece by the Rust `tokenizers` library."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    @classmethod
    def trained(
        cls, texts: Iterable[str], *, size: int, min_count: int = 1, lowercase: bool = True
    ) -> SubwordTokeniser:
        """Learn the pieces from texts."""
        texts = list(texts)
        tokenizer = _tokenizer({}, lowercase=lowercase)
        trainer = trainers.WordPieceTrainer(
            vocab_size=size,
            min_frequency=min_count,
            special_tokens=[PAD_FORM, UNKNOWN_FORM, *_inner_characters(tokenizer, texts)],
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

    def ids(self, text: str) -> list[int]:
        """Return the ids of the pieces of a text."""
        return self._encode(text).ids

    def _encode(self, text: str) -> Encoding:
        return self._tokenizer.encode(text, add_special_tokens=False)

    def __len__(self) -> int:
        return self._tokenizer.get_vocab_size()

    def to_json(self) -> str:
        """Return the tokeniser as the library's own JSON."""
        return self._tokenizer.to_str()

    @classmethod
    def from_json(cls, text: str) -> SubwordTokeniser:
        """Read what `to_json` wrote."""
        try:
            return cls(Tokenizer.from_str(text))
        except Exception as error:  # the library raises bare Exception
            raise ModelFolderError(f"tokenizer.json is not readable: {error}") from None


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


def _inner_characters(tokenizer: Tokenizer, texts: Iterable[str]) -> list[str]:
    """Return the pieces of one character inside a word, sorted.

    Left to itself the trainer numbers them in the order of a hash map, and the same texts give another vocab each time.
    """
    found: set[str] = set()
    for text in texts:
        for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(tokenizer.normalizer.normalize_str(text)):
            found.update(word[1:])
    return [f"##{character}" for character in sorted(found)]
