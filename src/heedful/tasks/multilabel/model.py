"""A model whose answer is any number of labels."""

from __future__ import annotations

from heedful.runtime.embeds import EmbeddingModel
from heedful.runtime.scores import ScoringModel


class MultilabelClassifier(ScoringModel, EmbeddingModel):
    """A trained classifier: any number of labels for each input."""

    does = "answers many questions at once"
