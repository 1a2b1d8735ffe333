"""Results of a search index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Hit:
    """A search result.

    Attributes:
        id: id of the row.
        score: cosine similarity to the query.
        text: text of the row.
        columns: its other columns.

    Example:
        >>> index.search("a kitten", n=1)[0].text
        'a cat on the sofa'
    """

    id: str
    score: float
    text: str
    columns: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON.

        Returns:
            Id, score, text and columns.

        Example:
            >>> index.search("a kitten", n=1)[0].to_dict()["columns"]
            {'price': 3}
        """
        return {"id": self.id, "score": self.score, "text": self.text, "columns": dict(self.columns)}


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
