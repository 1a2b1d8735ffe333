"""Ranking of given documents by a query: by the words they share, by meaning, or by both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.runtime.cancel import check_wanted
from heedful.text.terms.bm25 import query_over
from heedful.text.terms.matches import WordMatch, matches_in
from heedful.text.terms.mix import MIXES, By
from heedful.text.terms.terms import forms_of

TEXTS_AT_ONCE = 64  # between two looks whether the result is still wanted


@dataclass(frozen=True)
class Ranked:
    """A document with its score.

    Attributes:
        index: position of the document in the list that was given, from 0.
        score: the part of words and the part of meaning, added up.
        text: the document.
        by_words: part of the score that comes from words of the query in the text.
        matches: those words; their contributions add up to `by_words`.

    Example:
        >>> encoder.rerank("a kitten", ["a train to rome", "a cat on the sofa"])[0].index
        1
    """

    index: int
    score: float
    text: str
    by_words: float = 0.0
    matches: tuple[WordMatch, ...] = ()

    @property
    def by_meaning(self) -> float:
        """Part of the score that comes from the similarity of vectors."""
        return self.score - self.by_words

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON.

        Returns:
            Index, score with its two parts, text and matching words.

        Example:
            >>> encoder.rerank("a kitten", ["a train to rome", "a cat on the sofa"])[0].to_dict()["index"]
            1
        """
        parts = {"index": self.index, "score": self.score, "by_words": self.by_words, "by_meaning": self.by_meaning}
        return {**parts, "text": self.text, "matches": [asdict(match) for match in self.matches]}


def ranked(
    query: str, documents: Sequence[str], cosines: NDArray[Any] | None, *, by: By, n: int | None = None
) -> list[Ranked]:
    """Return the n best documents, the best first; `cosines` are those with the query, None if by words alone."""
    mix = MIXES[by]
    terms = _contributions(query, documents, mix.words) if mix.words else [dict[str, float]() for _ in documents]
    words = np.array([sum(each.values()) for each in terms])
    scores = words if cosines is None else words + mix.meaning * np.asarray(cosines, dtype=np.float64)
    best = np.argsort(-scores, kind="stable")[:n]
    return [
        Ranked(int(i), float(scores[i]), documents[i], float(words[i]), matches_in(documents[i], terms[i]))
        for i in best
    ]


def _contributions(query: str, documents: Sequence[str], weight: float) -> list[dict[str, float]]:
    """Return the contributions of the terms of the query to the score of each document."""
    forms = []
    for i, document in enumerate(documents):
        if i % TEXTS_AT_ONCE == 0:
            check_wanted()
        forms.append(forms_of(document))
    counted = query_over(query, forms)
    return [{form: weight * share for form, share in counted.shares(each).items()} for each in forms]
