"""Methods of a search index that read: search, explain, document."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from heedful.errors import HeedfulError
from heedful.runtime.checked_inputs import checked_text
from heedful.search.about import About
from heedful.search.hit import Hit
from heedful.search.ranking.rank import Question, ranked
from heedful.search.table import Table
from heedful.text.terms.mix import MIXES, By, checked_by

if TYPE_CHECKING:
    from heedful.explain.similarity import Similarity
    from heedful.runtime.model import Model


class IndexSearching:
    """A mix-in for Index."""

    path: Path
    about: About
    _table: Table

    if TYPE_CHECKING:

        @property
        def model(self) -> Model: ...
        def count(self, *, where: str | None = None) -> int: ...
        def _checked(self, where: str | None) -> str | None: ...

    def search(self, query: str, n: int = 10, *, where: str | None = None, by: str = "both") -> list[Hit]:
        """Return the documents that fit a query best, by the words in them, by their meaning, or by both.

        Args:
            query: a text.
            n: number of documents.
            where: filter that is applied before the search, such as "price < 10".
            by: "words" (BM25), "meaning" (cosine of vectors) or "both". An index made by an older heedful has no words
                and is searched by meaning.

        Returns:
            The documents with their scores, the best first.

        Raises:
            HeedfulError: if the query or the index is empty, or if the filter cannot be parsed.

        Example:
            >>> [hit.text for hit in index.search("a kitten", where="price < 10")]
            ['a cat on the sofa']
        """
        if n < 1:
            raise HeedfulError(f"n is {n}, expected at least 1")
        if not checked_text(query).strip():
            raise HeedfulError("the query is empty, expected a text")
        by = self.ranked_by(by)
        if self.count() == 0:
            raise HeedfulError(f"{self.path} has no rows. Add some with: heedful index FILE -o {self.path} --add")
        return ranked(self._table, self.about, self._question(query, by), n, self._checked(where))

    def ranked_by(self, by: str) -> By:
        """Return how searches are ranked.

        Args:
            by: "words", "meaning" or "both".

        Returns:
            The same; "meaning" for "both" if the index has no words.

        Raises:
            HeedfulError: if `by` is another word, or if words are asked for and the index has none.

        Example:
            >>> index.ranked_by("both")
            'both'
        """
        by = checked_by(by)
        if self.about.has_words or by == "meaning":
            return by
        if by == "words":
            raise HeedfulError(
                f"{self.path} was made by an older heedful and has no words. Rebuild it with: heedful index"
            )
        return "meaning"

    def _question(self, query: str, by: By) -> Question:
        """Return the terms and the vector of a query; raise if it has neither."""
        words = self._table.statistics().query(query) if by != "meaning" else None
        vector = self.model.embed(query, normalize=True) if by != "words" else None
        if vector is not None and not vector.any():
            vector = None
        if vector is None and (words is None or not words.weights):
            problem = "has no words to look for" if by == "words" else "has no tokens that the model knows"
            raise HeedfulError(f"{query!r:.60} {problem}")
        return Question(words, vector, MIXES[by])

    def document(self, name: str) -> str:
        """Return the whole text of a document.

        Args:
            name: its id.

        Returns:
            The text, joined from its passages.

        Raises:
            HeedfulError: if there is no such document.

        Example:
            >>> index.document(index.search("a kitten", n=1)[0].id)
            'a cat on the sofa'
        """
        passages = self._table.passages(name, self.about.text)
        if not passages:
            raise HeedfulError(f"{self.path} has no document with the id {name!r:.60}")
        return "".join(text for _, text in passages)

    def explain(self, query: str, hits: Sequence[Hit]) -> list[Similarity]:
        """Explain the similarity of each hit to the query, word by word.

        Args:
            query: the text of the search.
            hits: results of the search.

        Returns:
            A Similarity for each hit.

        Raises:
            InputError: if the query is not a text.

        Example:
            >>> index.explain("a kitten", index.search("a kitten", n=1))[0].top(1)
            [('kitten', 'cat', ...)]
        """
        from heedful.explain.similarity import pair_similarity, word_parts

        query_parts, *hit_parts = word_parts(self.model, [query, *(hit.text for hit in hits)])
        return [pair_similarity(query_parts, parts) for parts in hit_parts]
