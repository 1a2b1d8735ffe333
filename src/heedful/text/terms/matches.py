"""Words of a query that are literally in a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heedful.text.terms.bm25 import spans_of

CLEAR = 0.05  # of the contribution of the strongest match


@dataclass(frozen=True)
class WordMatch:
    """A word of the query that is literally in a text, in any form (wing, wings).

    Attributes:
        words: the word as it is written in the text, once for each place.
        spans: start and end of each place.
        adds: its contribution to the score.

    Example:
        >>> encoder.rerank("cats", ["a train", "a cat"])[0].matches[0].words
        ('cat',)
    """

    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    adds: float


def matches_in(text: str, terms: Mapping[str, float]) -> tuple[WordMatch, ...]:
    """Return the terms in a text with their contributions, the strongest first."""
    spans = spans_of(text, terms)
    return tuple(
        WordMatch(
            tuple(text[term.start : term.end] for term in spans[form]),
            tuple((term.start, term.end) for term in spans[form]),
            terms[form],
        )
        for form in sorted(terms, key=lambda form: -terms[form])
        if form in spans
    )


def clear_matches(matches: Sequence[WordMatch]) -> list[WordMatch]:
    """Return the matches worth marking: a word as common as "of" adds next to nothing."""
    strongest = max((match.adds for match in matches), default=0.0)
    return [match for match in matches if match.adds >= CLEAR * strongest]
