"""The featuriser of taggers: words as ids and as characters."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.data.features import Ids, Item, Parts, parts_of_names
from heedful.data.input_spec import MAX_TOKENS, MAX_WIDTH, PIECES, InputSpec, is_size
from heedful.errors import HeedfulError, ModelFolderError
from heedful.files.unicode import without_lone_surrogates
from heedful.tasks.tag.word_pieces import Pieces
from heedful.text.vocab import Vocab
from heedful.text.word_tokeniser import WordTokeniser

Sentence = str | Sequence[str]  # a text, or its tokens
MOST_LETTERS = 20  # of a word; of a longer one, as many from its end as from its beginning
UNKNOWN_LETTER = 1  # 0 is padding
ALPHABET = 250  # largest number of known characters


class WordCharFeaturiser:
    """Tokens as ids, in lower case if asked, and as letters, always in their own case.

    A text is first split into words; tokens that are given stay as they are. Without an alphabet there are ids alone.
    A tagger that started from an encoder of texts also reads the encoder's subwords (`pieces`) of each token.
    """

    def __init__(
        self,
        tokeniser: WordTokeniser,
        vocab: Vocab,
        alphabet: str = "",
        *,
        letter_width: int = 0,
        max_tokens: int,
        pieces: Pieces | None = None,
    ) -> None:
        if pieces is not None and not alphabet:
            raise ValueError("pieces come with letters: there is no alphabet")
        self.tokeniser, self.vocab, self.alphabet = tokeniser, vocab, alphabet
        self.letter_width, self.max_tokens, self.pieces = letter_width, max_tokens, pieces
        self._places = {letter: i for i, letter in enumerate(alphabet, start=UNKNOWN_LETTER + 1)}

    @property
    def shape(self) -> InputSpec:
        """Words come in, with their letters where there is an alphabet: that, no letter, and any other."""
        if not self.alphabet:
            return InputSpec(n_ids=len(self))
        n_letters = len(self.alphabet) + UNKNOWN_LETTER + 1
        shape = InputSpec(n_ids=len(self), n_letters=n_letters, letter_width=self.letter_width)
        return shape if self.pieces is None else self.pieces.shape(shape)

    def features(self, source: Sentence) -> Ids | Item:
        """Return the ids (time,) and the characters (time, character) of the tokens, truncated to `max_tokens`."""
        tokens = self.split(source)
        ids = np.array([self.vocab.id(self.tokeniser.form(token)) for token in tokens], dtype=np.int32)
        if not self.alphabet:
            return ids
        arrays: dict[str, NDArray[Any]] = {"ids": ids, "letters": self._letters(tokens)}
        return Item(arrays if self.pieces is None else {**arrays, PIECES: self.pieces.rows(tokens)})

    def split(self, source: Sentence) -> list[str]:
        """Return the tokens of a text, or those given, truncated to `max_tokens`."""
        if isinstance(source, str):
            return [without_lone_surrogates(token) for token in self.tokeniser.surfaces(source)[: self.max_tokens]]
        return [_checked(token) for token in islice(source, self.max_tokens)]

    def parts(self, source: Sentence) -> Parts:
        """Return where each token stands: in the text, or, where tokens were given, in these with spaces between."""
        if not isinstance(source, str):
            return parts_of_names(self.split(source))
        tokens = self.tokeniser.tokens(source)[: self.max_tokens]
        return Parts(source, [(token.start, token.end) for token in tokens], [1] * len(tokens))

    def is_cut(self, source: Sentence) -> bool:
        """Return whether there are more than `max_tokens` tokens."""
        return len(self.tokeniser.surfaces(source) if isinstance(source, str) else source) > self.max_tokens

    def is_known(self, token: str) -> bool:
        """Return whether the word is in the vocab, or all its subwords are known."""
        return self.tokeniser.form(token) in self.vocab or (self.pieces is not None and self.pieces.is_known(token))

    def _letters(self, tokens: Sequence[str]) -> NDArray[np.uint8]:
        longest = max((min(len(token), MOST_LETTERS) for token in tokens), default=1)
        characters = np.zeros((len(tokens), longest), dtype=np.uint8)
        for i, token in enumerate(tokens):
            numbers = [self._places.get(letter, UNKNOWN_LETTER) for letter in shortened(token)]
            characters[i, : len(numbers)] = numbers
        return characters

    def __len__(self) -> int:
        return len(self.vocab)

    def to_json(self) -> str:
        """Return all that is needed to make it again."""
        tree: dict[str, Any] = {
            "lowercase": self.tokeniser.lowercase,
            "max_tokens": self.max_tokens,
            "letter_width": self.letter_width,
            "letters": self.alphabet,
            "words": self.vocab.words[2:],
        }
        if self.pieces is not None:
            tree["pieces"] = self.pieces.to_tree()
        return json.dumps(tree, ensure_ascii=False, indent=0)

    @classmethod
    def from_json(cls, text: str) -> WordCharFeaturiser:
        """Read the output of `to_json`."""
        try:
            tree: Any = json.loads(text)
            values = [tree[name] for name in ("lowercase", "max_tokens", "letter_width", "letters")]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise ModelFolderError(f"input.json is not readable: {error}") from None
        lowercase, max_tokens, letter_width, letters = values
        is_sound = [type(value) for value in values] == [bool, int, int, str] and is_size(max_tokens, MAX_TOKENS)
        is_sound = is_sound and 0 <= letter_width <= MAX_WIDTH
        if not is_sound or len(letters) > ALPHABET or len(set(letters)) != len(letters):
            raise ModelFolderError("input.json does not describe words and their letters")
        if "pieces" in tree and not letters:
            raise ModelFolderError("input.json has pieces of words, but no letters")
        pieces = Pieces.from_tree(tree["pieces"]) if "pieces" in tree else None
        words, vocab = WordTokeniser(lowercase=lowercase), Vocab.from_json(text)
        return cls(words, vocab, letters, letter_width=letter_width, max_tokens=max_tokens, pieces=pieces)


def shortened(token: str) -> str:
    """Return the characters of a token; of a long one, the first and the last."""
    half = MOST_LETTERS // 2
    return token if len(token) <= MOST_LETTERS else token[:half] + token[-half:]


def alphabet_of(tokens: Iterable[str]) -> str:
    """Return the characters of tokens by frequency; ties by code point."""
    counts: Counter[str] = Counter()
    for token, n in Counter(tokens).items():
        for letter in token:
            counts[letter] += n
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return "".join(letter for letter, _ in ranked[:ALPHABET])


def count_forms(sentences: Iterable[Sequence[str]], tokeniser: WordTokeniser) -> Counter[str]:
    """Count the forms of all tokens."""
    surfaces: Counter[str] = Counter()
    for tokens in sentences:
        surfaces.update(tokens)
    counts: Counter[str] = Counter()
    for surface, n in surfaces.items():
        counts[tokeniser.form(surface)] += n
    return counts


def _checked(token: object) -> str:
    if not isinstance(token, str):
        raise HeedfulError(f"found {type(token).__name__} {token!r:.60}, expected a token (str)")
    return without_lone_surrogates(token)
