"""A model whose answer is any number of labels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, overload

from heedful.runtime.embeds import EmbeddingModel
from heedful.runtime.scores import ScoringModel


class MultilabelClassifier(ScoringModel, EmbeddingModel):
    """A trained classifier: any number of labels for each input.

    Example:
        >>> import heedful
        >>> model = heedful.load("model")  # doctest: +SKIP
        >>> model.predict("great food, slow service")  # doctest: +SKIP
        ('food', 'service')
    """

    does = "answers many questions at once"

    @overload  # type: ignore[override]
    def predict(self, texts: str, *, top: None = None, batch_size: int = 64) -> tuple[str, ...]: ...
    @overload
    def predict(self, texts: str, *, top: int, batch_size: int = 64) -> list[tuple[str, float]]: ...
    @overload
    def predict(self, texts: Iterable[Any], *, top: None = None, batch_size: int = 64) -> list[tuple[str, ...]]: ...
    @overload
    def predict(self, texts: Iterable[Any], *, top: int, batch_size: int = 64) -> list[list[tuple[str, float]]]: ...
    def predict(self, texts: Any, *, top: int | None = None, batch_size: int = 64) -> Any:
        """Return the labels of each input that are more probable than not.

        Args:
            texts: a text or several; also a DataFrame or another table with the text column of the training data.
            top: return this many labels with their probabilities, the most probable first.
            batch_size: inputs in one run.

        Returns:
            A tuple of labels for each input; of one text, the tuple alone. With `top`, a list of (label, probability)
            for each.

        Raises:
            InputError: if an input is not a text.

        Example:
            >>> model.predict("great food, slow service", top=1)  # doctest: +SKIP
            [('food', 0.98)]
        """
        return super().predict(texts, top=top, batch_size=batch_size)
