"""The verdict of an audit: how reliable a model's heatmaps are. Stored in audit.json."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Level = Literal["better", "barely", "unclear", "no better", "worse", "not audited"]
LEVELS: tuple[Level, ...] = get_args(Level)


@dataclass(frozen=True)
class Verdict:
    """The verdict of an audit, shown on every heatmap of the model."""

    level: Level
    words: str

    @property
    def is_warning(self) -> bool:
        """Whether the heatmap may be unreliable."""
        return self.level != "better"

    def __str__(self) -> str:
        return self.words


NOT_AUDITED = Verdict(
    "not audited",
    "Not audited: nothing has tested yet whether these numbers show what the answer depends on. `heedful audit` does.",
)
