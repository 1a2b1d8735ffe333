"""What a model folder knows beside its settings: labels, figures, where it came from."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from heedful.errors import ModelFolderError
from heedful.files.json_text import json_text


@dataclass(frozen=True)
class Facts:
    """Kept in facts.json."""

    labels: tuple[str, ...]
    n_hops: int
    width: int  # of one row of M
    heedful: str  # the version that wrote it
    figures: Mapping[str, float] = field(default_factory=dict)  # on the valid texts, best epoch
    data: Mapping[str, Any] = field(default_factory=dict)  # rows read, words found, what was cut
    parity: float = 0.0  # largest difference between torch and ONNX Runtime
    many: bool = False  # whether each label is a question of its own, answered by yes or no

    def to_json(self) -> str:
        """Return the facts as JSON."""
        return json_text(asdict(self), indent=2)

    @classmethod
    def from_json(cls, text: str) -> Facts:
        """Read what `to_json` wrote."""
        try:
            tree = json.loads(text)
            facts = cls(**{**tree, "labels": tuple(str(label) for label in tree["labels"])})
            if isinstance(facts.figures, dict):  # JSON has no NaN: null stands for a figure that is not a number
                figures = {name: math.nan if value is None else value for name, value in facts.figures.items()}
                facts = replace(facts, figures=figures)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise ModelFolderError(f"facts.json is not readable: {type(error).__name__}: {error}") from None
        if not facts._is_sound():
            raise ModelFolderError("facts.json does not describe a model")
        return facts

    def _is_sound(self) -> bool:
        """Return whether every value is of its type: the file may come from anywhere."""
        return (
            type(self.n_hops) is int
            and type(self.width) is int
            and isinstance(self.heedful, str)
            and isinstance(self.figures, dict)
            and all(isinstance(value, (int, float)) for value in self.figures.values())
            and isinstance(self.data, dict)
            and isinstance(self.parity, (int, float))
            and isinstance(self.many, bool)
        )
