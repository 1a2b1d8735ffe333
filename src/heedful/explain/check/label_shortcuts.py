"""Single words that tell a label almost alone, by counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heedful.text.word_tokeniser import WordTokeniser

FEWEST = 10  # texts with the word
COVERS = 0.3  # of the texts with the label
PURE = 0.8  # lower end of the interval of the share of texts with the word that have the label
TIMES = 1.5  # as frequent in texts with the word as in all
MOST = 20  # that are listed
MOST_FORMS = 200_000
MOST_CHARACTERS = 20_000


@dataclass(frozen=True)
class WordShortcut:
    """A word that is in many texts of a label and hardly in others."""

    word: str
    label: str
    n_texts: int  # with the word
    n_with_label: int  # of these
    n_label: int  # texts with the label

    @property
    def sentence(self) -> str:
        """The finding in words."""
        return (
            f"“{self.word}” is in {self.n_with_label:,} of the {self.n_label:,} texts with the label {self.label}, and "
            f"in {self.n_texts - self.n_with_label:,} of all others."
        )


def word_shortcuts(texts: Sequence[str], labels: Sequence[str]) -> tuple[WordShortcut, ...]:
    """Return words that tell a label almost alone, those that cover most of their label first."""
    of_label = Counter(labels)
    if len(of_label) < 2:
        return ()
    tokeniser = WordTokeniser()
    with_word: Counter[str] = Counter()
    with_both: Counter[tuple[str, str]] = Counter()
    for text, label in zip(texts, labels, strict=True):
        words = {tokeniser.form(word) for word in tokeniser.surfaces(text[:MOST_CHARACTERS])}
        kept = [word for word in words if any(map(str.isalnum, word))]
        with_word.update(kept)
        with_both.update((word, label) for word in kept)
        if len(with_word) > MOST_FORMS:
            _forget_rare(with_word, with_both)
    shortcuts = [
        WordShortcut(word[:60], label, with_word[word], n, of_label[label])
        for (word, label), n in with_both.items()
        if with_word[word] >= FEWEST and _is_shortcut(n, with_word[word], of_label[label], len(texts))
    ]
    return tuple(sorted(shortcuts, key=lambda each: (-each.n_with_label / each.n_label, each.word))[:MOST])


def _is_shortcut(n: int, n_texts: int, n_label: int, n_all: int) -> bool:
    covers = n >= COVERS * n_label
    return covers and _least(n, n_texts) >= max(PURE, min(0.99, TIMES * n_label / n_all))


def _least(n: int, of: int) -> float:
    """Return the lower end of Wilson's 95 % interval of a share."""
    share, z = n / of, 1.96
    middle = share + z * z / (2 * of)
    return float((middle - z * np.sqrt(share * (1 - share) / of + z * z / (4 * of * of))) / (1 + z * z / of))


def _forget_rare(with_word: Counter[str], with_both: Counter[tuple[str, str]]) -> None:
    rare = {word for word, n in with_word.items() if n == 1}
    for word in rare:
        del with_word[word]
    for key in [key for key in with_both if key[0] in rare]:
        del with_both[key]
