"""A model whose answer is a number."""

from __future__ import annotations

from heedful.runtime.embeds import EmbeddingModel
from heedful.runtime.scores import ScoringModel


class Regressor(ScoringModel, EmbeddingModel):
    """A trained regressor: a number for each input."""

    does = "answers with a number"
