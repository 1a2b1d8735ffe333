"""Results of a search index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from heedful.text.terms.matches import WordMatch


@dataclass(frozen=True)
class Passage:
    """Where a hit is in a long document.

    Attributes:
        number: number of the passage, from 1.
        of: number of passages in the document.
        start: offset of the passage in the document, in characters.
        end: offset of its end.

    Example:
        >>> from heedful import Index
        >>> tales = Index.create("tales", "en-small")
        >>> tales.add([{"text": "A long tale. " * 300}])
        Added(read=1, new=1, replaced=0)
        >>> tales.search("a tale")[0].passage.of
        3
    """

    number: int
    of: int
    start: int
    end: int


@dataclass(frozen=True)
class Hit:
    """A search result: a document, with the passage of it that is nearest to the query.

    Attributes:
        id: id of the row.
        score: the part of words and the part of meaning, added up; by meaning alone it is the cosine similarity.
        text: text of the row, or of the passage if the row has several.
        columns: its other columns.
        by_words: part of the score that comes from words of the query in the text.
        matches: those words; their contributions add up to `by_words`.
        passage: where in the document the text is; None if it is the whole.

    Example:
        >>> index.search("a kitten", n=1)[0].text
        'a cat on the sofa'
    """

    id: str
    score: float
    text: str
    columns: Mapping[str, Any]
    by_words: float = 0.0
    matches: tuple[WordMatch, ...] = ()
    passage: Passage | None = None

    @property
    def by_meaning(self) -> float:
        """Part of the score that comes from the similarity of vectors."""
        return self.score - self.by_words

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON.

        Returns:
            Id, score with its two parts, text, columns, matching words and passage.

        Example:
            >>> index.search("a kitten", n=1)[0].to_dict()["columns"]
            {'price': 3}
        """
        return {
            "id": self.id,
            "score": self.score,
            "by_words": self.by_words,
            "by_meaning": self.by_meaning,
            "text": self.text,
            "columns": dict(self.columns),
            "matches": [asdict(match) for match in self.matches],
            "passage": None if self.passage is None else asdict(self.passage),
        }


@dataclass(frozen=True)
class Added:
    """Row counts of `add`. The other rows that were read are unchanged or duplicates.

    Attributes:
        read: rows that were read.
        new: rows that are new.
        replaced: rows that replaced those with the same id.

    Example:
        >>> index.add([])
        Added(read=0, new=0, replaced=0)
    """

    read: int = 0
    new: int = 0
    replaced: int = 0
