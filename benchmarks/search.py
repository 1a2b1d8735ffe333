"""Search on three public sets: by words, by meaning, by both, and all-MiniLM-L6-v2; nDCG@10.

    python -m benchmarks.search                   # results/search.json
    python -m benchmarks.search --cache FOLDER    # keeps the vectors of MiniLM, which take most of the time

Ours are searches of an index as `heedful index` makes it, one passage for each text up to 2,000 characters. The part of
words in a score by both is chosen on two sets and measured on the third, in turns. Reranking: the 100 documents that
en-base ranks first by meaning, with words counted over these alone.
"""

from __future__ import annotations

import argparse
import gzip
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.encoders import ENCODERS, OURS
from benchmarks.result import DATA, write_result
from heedful.runtime.model import load
from heedful.runtime.rerank import ranked
from heedful.search.index import Index
from heedful.text.terms.bm25 import query_over
from heedful.text.terms.mix import BY, WORDS
from heedful.text.terms.terms import forms_of

SETS = ("vaswani", "cisi", "cranfield")
DEPTH, RERANKED = 10, 100
GRID = tuple(round(0.05 * i, 2) for i in range(21))  # parts of words that are tried
NOTES = (
    "nDCG@10 in percent, linear gain, over queries with a judgement; BM25 is ours (k1 1.2, b 0.75, Porter's stems, no "
    "stop words), ranked by LanceDB's full-text index; MiniLM: ONNX int8, at most 256 tokens"
)
Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Collection:
    """Documents, queries and judgements of a set."""

    documents: Mapping[str, str]
    queries: Mapping[str, str]
    judgements: Mapping[str, Mapping[str, float]]

    @cached_property
    def ids(self) -> list[str]:
        """The ids of the documents in order."""
        return list(self.documents)

    def ndcg(self, best: Mapping[str, Sequence[str]]) -> float:
        """Return the mean nDCG@10 of the documents that are ranked first for each query."""
        return 100 * mean(self._gain(best[name], judged) for name, judged in self.judgements.items())

    def _gain(self, best: Sequence[str], judged: Mapping[str, float]) -> float:
        discounts = 1 / np.log2(np.arange(2, DEPTH + 2))
        ideal = sorted(judged.values(), reverse=True)[:DEPTH]
        gains = [judged.get(name, 0.0) for name in best[:DEPTH]]
        return float(np.dot(gains, discounts[: len(gains)]) / np.dot(ideal, discounts[: len(ideal)]))

    def best_of(self, scores: Scores) -> dict[str, list[str]]:
        """Return the documents with the highest scores (query, document) for each query."""
        order = np.argsort(-scores, axis=1, kind="stable")[:, :DEPTH]
        return {name: [self.ids[i] for i in row] for name, row in zip(self.queries, order, strict=True)}


def read_collection(name: str) -> Collection:
    """Read a retrieval set."""
    rows = [
        line.split("\t") for line in gzip.decompress((DATA / name / "docs.tsv.gz").read_bytes()).decode().splitlines()
    ]
    queries = [line.split("\t") for line in (DATA / name / "queries.tsv").read_text(encoding="utf-8").splitlines()]
    judgements: dict[str, dict[str, float]] = {}
    for line in (DATA / name / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, document, relevance = line.split("\t")
        judgements.setdefault(query, {})[document] = float(relevance)
    documents = {row[0]: f"{row[1]} {row[2]}".strip() for row in rows[1:]}
    return Collection(documents, {row[0]: row[1] for row in queries[1:]}, judgements)


def by_index(collection: Collection, model: str, folder: Path, ways: Sequence[str]) -> dict[str, float]:
    """Return nDCG@10 of searches of an index."""
    index = Index.create(folder, load(model, threads=1))
    index.add({"id": name, "text": text} for name, text in collection.documents.items())
    index.optimise()
    return {
        by: collection.ndcg(
            {name: [hit.id for hit in index.search(text, DEPTH, by=by)] for name, text in collection.queries.items()}
        )
        for by in ways
    }


def vectors_of(collection: Collection, model: str) -> tuple[Scores, Scores]:
    """Return unit vectors of queries and documents."""
    encoder = load(model, threads=1)
    queries = encoder.embed(list(collection.queries.values()), normalize=True)
    documents = encoder.embed(list(collection.documents.values()), normalize=True)
    return queries.astype(np.float64), documents.astype(np.float64)


def minilm(name: str, collection: Collection, cache: Path) -> float:
    """Return nDCG@10 of all-MiniLM-L6-v2."""
    kept = cache / f"minilm_{name}.npz"
    if not kept.exists():
        encoder = ENCODERS["onnx_int8"]
        encoder.make(cache)
        encode = encoder.load(cache, 1)
        np.savez(kept, d=encode(list(collection.documents.values())), q=encode(list(collection.queries.values())))
    vectors = np.load(kept)
    return collection.ndcg(collection.best_of(vectors["q"] @ vectors["d"].T))


def word_scores(collection: Collection) -> Scores:
    """Return the shares of words (query, document), counted exactly."""
    forms = [forms_of(text) for text in collection.documents.values()]
    queries = [query_over(text, forms) for text in collection.queries.values()]
    return np.array([[sum(query.shares(each).values()) for each in forms] for query in queries])


def chosen_on_others(
    collections: Mapping[str, Collection], words: Mapping[str, Scores], cosines: Mapping[str, Scores]
) -> Any:
    """Return for each set the part of words that is best on the other two, and nDCG@10 with it."""
    table = {
        name: {weight: each.ndcg(each.best_of(weight * words[name] + (1 - weight) * cosines[name])) for weight in GRID}
        for name, each in collections.items()
    }
    result = {}
    for name in collections:
        best = max(GRID, key=lambda weight: mean(table[other][weight] for other in collections if other != name))
        result[name] = {"words": best, "ndcg": table[name][best], "grid": table[name]}
    return result


def reranked(collection: Collection, cosines: Scores) -> dict[str, float]:
    """Return nDCG@10 of the documents nearest to each query, ranked again in each way."""
    texts, result = list(collection.documents.values()), dict[str, float]()
    for by in BY:
        best = {}
        for row, (name, query) in zip(cosines, collection.queries.items(), strict=True):
            near = np.argsort(-row, kind="stable")[:RERANKED]
            ranking = ranked(query, [texts[i] for i in near], None if by == "words" else row[near], by=by, n=DEPTH)
            best[name] = [collection.ids[near[each.index]] for each in ranking]
        result[by] = collection.ndcg(best)
    return result


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cache = args.cache or Path(folder)
        collections = {name: read_collection(name) for name in SETS}
        rows: dict[str, dict[str, float]] = {}
        words, cosines, again = {}, {}, {}
        for name, collection in collections.items():
            queries, documents = vectors_of(collection, "en-base")
            words[name], cosines[name] = word_scores(collection), queries @ documents.T
            again[name] = reranked(collection, cosines[name])
            row = {"minilm": minilm(name, collection, cache)}
            for model in OURS:
                ways = BY if model == "en-base" else BY[1:]
                found = by_index(collection, model, Path(folder) / f"{name}-{model}", ways)
                row |= {by if by == "words" else f"{model} {by}": value for by, value in found.items()}
            rows[name] = row
            print(time.strftime("%H:%M:%S"), name, {key: round(value, 1) for key, value in row.items()}, flush=True)
            print("  reranked", {key: round(value, 1) for key, value in again[name].items()}, flush=True)
        turns = chosen_on_others(collections, words, cosines)
        for name, turn in turns.items():
            print(f"  {name}: {turn['words']} of words from the other two sets, nDCG@10 {turn['ndcg']:.1f}")
        figures = {"rows": rows, "reranked": again, "in_turns": turns, "words": WORDS}
        write_result("search", figures, notes=NOTES)


if __name__ == "__main__":
    main()
