"""What a model read in two texts, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import LEAVE_ONE_OUT, Explanation
from heedful.explain.shown import Forms, Pictured
from heedful.store.verdict import Verdict

NAMES = ("first text", "second text")


@dataclass(frozen=True)
class PairExplanation(Pictured):
    """An answer to two texts, and what was read in each of them.

    Each side is an Explanation of its own. Its effects are those of its words on the one answer, the other text staying
    whole.
    """

    FORMS = Forms(
        page="heedful.tasks.pair.show.page:page_of",
        fragment="heedful.tasks.pair.show.page:fragment_of",
        plain="heedful.tasks.pair.show.terminal:plain_pair",
        picture="heedful.tasks.pair.show.picture:pair_picture",
    )

    first: Explanation
    second: Explanation
    names: tuple[str, str] = NAMES  # what the two texts are to each other, such as premise and hypothesis

    def __post_init__(self) -> None:
        if (self.first.label, self.first.target) != (self.second.label, self.second.target):
            raise HeedfulError("the two sides of a pair have one answer; found two")

    @property
    def sides(self) -> tuple[Explanation, Explanation]:
        """Both texts."""
        return self.first, self.second

    @property
    def label(self) -> str:
        """The answer; where it is a number, the name of that."""
        return self.first.label

    @property
    def target(self) -> str:
        """The label that the effects are for."""
        return self.first.target

    @property
    def probabilities(self) -> Mapping[str, float]:
        """How probable each label is; of an answer that is a number, its value."""
        return self.first.probabilities

    @property
    def is_number(self) -> bool:
        """Whether the answer is a number."""
        return self.first.is_number

    @property
    def verdict(self) -> Verdict:
        """What an audit said of the model's heatmaps."""
        return self.first.verdict

    def top(self, n: int = 5, *, method: str = LEAVE_ONE_OUT) -> list[tuple[str, str, float]]:
        """Return the words of either text that speak most for the label: (which text, word, effect)."""
        cells = [
            (name, word.text, float(value))
            for name, side in zip(self.names, self.sides, strict=True)
            for word, value in zip(side.words, side.effects[method], strict=True)
        ]
        return sorted(cells, key=lambda each: -each[2])[:n]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        whole, own = self.first.to_dict(), ("text", "words", "hops", "read_to", "warning", "notes")
        shared = {name: value for name, value in whole.items() if name not in own}
        texts = [
            {"name": name, **{key: tree[key] for key in own}}
            for name, tree in zip(self.names, (whole, self.second.to_dict()), strict=True)
        ]
        return {**shared, "texts": texts}
