"""The vocab of a word-level model: words to ids, most frequent first."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from heedful.errors import ModelFolderError

UNKNOWN = 1  # the id of words that are not in the vocab
_RESERVED = ("", "\x00unknown")


class Vocab:
    """The words of a model. Id 0 is padding, id 1 any unknown word."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = (*_RESERVED, *words)
        self._ids = {word: i for i, word in enumerate(self.words)}
        if len(self._ids) != len(self.words):
            raise ModelFolderError("the vocab contains a word twice")

    @classmethod
    def from_counts(cls, counts: Counter[str], *, size: int, min_count: int = 1) -> Vocab:
        """Keep the most frequent words, at most `size` including the two reserved ids; ties in alphabetical order."""
        kept = [(word, n) for word, n in counts.items() if n >= min_count]
        kept.sort(key=lambda pair: (-pair[1], pair[0]))
        return cls([word for word, _ in kept[: size - len(_RESERVED)]])

    def extended(self, words: Iterable[str], *, size: int) -> Vocab:
        """Return a vocab with further words appended, up to `size`."""
        room = size - len(self)
        more: dict[str, None] = {}  # in order, each once
        for word in words:
            if len(more) >= room:
                break
            if word not in self._ids:
                more[word] = None
        return Vocab([*self.words[len(_RESERVED) :], *more])

    def id(self, word: str) -> int:
        """Return the id of a word, or UNKNOWN if it is not in the vocab."""
        return self._ids.get(word, UNKNOWN)

    def __contains__(self, word: str) -> bool:
        return word in self._ids

    def __len__(self) -> int:
        return len(self.words)

    def to_json(self) -> str:
        """Return the words as JSON."""
        return json.dumps({"words": self.words[len(_RESERVED) :]}, ensure_ascii=False, indent=0)

    @classmethod
    def from_json(cls, text: str) -> Vocab:
        """Read the output of `to_json`."""
        try:
            words: Any = json.loads(text)["words"]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise ModelFolderError(f"the vocab is not readable: {error}") from None
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise ModelFolderError("the vocab is not a list of words")
        return cls(words)
