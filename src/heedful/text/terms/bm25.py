"""BM25 as a share of the query: 1 if a text had all of its words without end, 0 if it has none of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from heedful.text.terms.terms import Term, forms_of, terms_of

K1, B = 1.2, 0.75  # as in LanceDB, and the customary values
MAX_TERMS = 256  # different terms of a query; the rest is not looked for


@dataclass(frozen=True)
class WordQuery:
    """The terms of a query with their weights, and the mean length of the texts that are ranked.

    The share of term t in a text is weight[t] / Σ weights · tf / (tf + k1 (1 - b + b length / mean length)), so that
    shares add up to BM25 divided by its upper bound.
    """

    weights: Mapping[str, float]  # times in the query × inverse document frequency
    mean_length: float

    @cached_property
    def total(self) -> float:
        """The sum of the weights."""
        return sum(self.weights.values())

    def shares(self, forms: Sequence[str]) -> dict[str, float]:
        """Return the share of each term of the query that a text has; their sum is the score of the text."""
        own = Counter(form for form in forms if form in self.weights)
        if not own or self.total <= 0:
            return {}
        saturation = K1 * (1 - B + B * len(forms) / max(self.mean_length, 1e-9))
        return {form: self.weights[form] / self.total * tf / (tf + saturation) for form, tf in own.items()}


def query_terms(query: str) -> Counter[str]:
    """Return the terms of a query with their counts, at most MAX_TERMS."""
    counts: Counter[str] = Counter()
    for form in forms_of(query, is_query=True):
        if form in counts or len(counts) < MAX_TERMS:
            counts[form] += 1
    return counts


def rarity(n_with: float, n_texts: int) -> float:
    """Return the inverse document frequency of a term."""
    return math.log(1 + (n_texts - n_with + 0.5) / (n_with + 0.5))


def query_over(query: str, texts: Sequence[Sequence[str]]) -> WordQuery:
    """Return a query whose weights are counted over given texts, as lists of terms."""
    counts = query_terms(query)
    n_with: Counter[str] = Counter()
    for forms in texts:
        n_with.update(set(forms) & counts.keys())
    lengths = [len(forms) for forms in texts if forms]
    weights = {form: count * rarity(n_with[form], len(texts)) for form, count in counts.items()}
    return WordQuery(weights, sum(lengths) / max(1, len(lengths)))


def spans_of(text: str, forms: Iterable[str]) -> dict[str, list[Term]]:
    """Return where each of these terms occurs in a text."""
    wanted = set(forms)
    spans: dict[str, list[Term]] = {}
    for term in terms_of(text):
        if term.form in wanted:
            spans.setdefault(term.form, []).append(term)
    return spans
