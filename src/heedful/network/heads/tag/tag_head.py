"""An answer for each row."""

from __future__ import annotations

from torch import Tensor, nn

from heedful.network.dropout import Dropout
from heedful.network.heads.tag.crf import Crf


class TagHead(nn.Module):
    """The same small layer for every row: rows know of each other by what is in them, and by the CRF if there is one.

    The CRF has no part in the scores: it says how the scores of a text's tokens make one answer.
    """

    def __init__(
        self, width: int, n_classes: int, *, hidden: int = 0, dropout: float = 0.0, crf: Crf | None = None
    ) -> None:
        super().__init__()
        self.inner = nn.Linear(width, hidden) if hidden else None
        self.drop = Dropout(dropout)
        self.answer = nn.Linear(hidden or width, n_classes)
        self.crf = crf

    def forward(self, rows: Tensor) -> Tensor:
        """Map rows (batch, time, width) to scores (batch, time, label)."""
        if self.inner is not None:
            rows = self.drop(self.inner(rows).relu())  # (batch, time, hidden)
        return self.answer(rows)  # type: ignore[no-any-return]


def tagger(width: int, n_classes: int, *, dropout: float, crf: bool) -> TagHead:
    """Make the head of a tagger, with or without a CRF."""
    return TagHead(width, n_classes, dropout=dropout, crf=Crf(n_classes) if crf else None)
