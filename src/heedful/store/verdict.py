"""Whether a model's heatmaps may be believed: the words, and how they were found. Kept in audit.json."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Level = Literal["better", "barely", "unclear", "no better", "worse", "not audited"]
LEVELS: tuple[Level, ...] = get_args(Level)


@dataclass(frozen=True)
class Verdict:
    """What an audit found, in plain words that stand on every heatmap of the model."""

    level: Level
    words: str

    @property
    def is_warning(self) -> bool:
        """Whether the heatmap should be read with doubt."""
        return self.level != "better"

    def __str__(self) -> str:
        return self.words


NOT_AUDITED = Verdict(
    "not audited",
    "Not audited: nothing has tested yet whether these weights show what the answer depends on. `heedful audit` does.",
)
