"""A model whose answer is one label."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heedful.runtime.embeds import EmbeddingModel
from heedful.runtime.scores import ScoringModel

if TYPE_CHECKING:
    from heedful.explain.attention.flip import Flip


class Classifier(ScoringModel, EmbeddingModel):
    """A trained classifier: one label for each input."""

    does = "gives each input a label"

    def flip(self, text: str) -> Flip:
        """Return the fewest words without which the answer would be another."""
        from heedful.explain.attention.flip import find_flip

        return find_flip(self, text)
