"""Candidates to hits: each is scored by words and by meaning, and a document is as good as its best passage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from heedful.search.about import About
from heedful.search.column_types import given_back
from heedful.search.hit import Hit, Passage
from heedful.search.ranking.candidates import Candidate, Vector
from heedful.search.rows import ID
from heedful.search.table import Table
from heedful.text.terms.bm25 import WordQuery
from heedful.text.terms.matches import matches_in
from heedful.text.terms.mix import Mix

FEWEST, FACTOR = 100, 4  # candidates from either search: as many as this, or so many for each hit


@dataclass(frozen=True)
class Question:
    """A query: its terms, its unit vector, and what they weigh. What is None is not looked for."""

    words: WordQuery | None
    vector: Vector | None
    mix: Mix


@dataclass(frozen=True)
class Scored:
    """A candidate with its score, and the contribution of each term."""

    candidate: Candidate
    score: float
    terms: dict[str, float]


def ranked(table: Table, about: About, question: Question, n: int, where: str | None) -> list[Hit]:
    """Return the n best documents, each by its best passage."""
    key, best = about.id or ID, dict[str, Scored]()
    for each in _scored(_candidates(table, question, max(FEWEST, FACTOR * n), where), question):
        name = each.candidate.row[key]
        if name not in best or each.score > best[name].score:
            best[name] = each
    order = sorted(best.items(), key=lambda item: -item[1].score)[:n]
    return [_hit(name, each, about) for name, each in order]


def _candidates(table: Table, question: Question, n: int, where: str | None) -> Iterator[Candidate]:
    by_meaning = [] if question.vector is None else table.nearest(question.vector, n, where)
    by_words = [] if question.words is None else table.with_words(list(question.words.weights), n, where)
    seen = set()
    for candidate in chain(by_meaning, by_words):
        place = (candidate.row[table.key], candidate.part)
        if place not in seen:
            seen.add(place)
            yield candidate


def _scored(candidates: Iterator[Candidate], question: Question) -> Iterator[Scored]:
    mix = question.mix
    for candidate in candidates:
        cosine = 0.0 if question.vector is None else candidate.cosine(question.vector)
        shares = {} if question.words is None else question.words.shares(candidate.forms)
        terms = {form: mix.words * share for form, share in shares.items()}
        yield Scored(candidate, sum(terms.values()) + mix.meaning * cosine, terms)


def _hit(name: str, scored: Scored, about: About) -> Hit:
    candidate = scored.candidate
    columns = {
        key: given_back(value) for key, value in candidate.columns.items() if key not in (about.id or ID, about.text)
    }
    whole = candidate.row[about.text]
    text = whole.strip() if candidate.n_parts > 1 else whole
    start = candidate.start + len(whole) - len(whole.lstrip())
    passage = (
        Passage(candidate.part + 1, candidate.n_parts, start, start + len(text)) if candidate.n_parts > 1 else None
    )
    return Hit(name, scored.score, text, columns, sum(scored.terms.values()), matches_in(text, scored.terms), passage)
