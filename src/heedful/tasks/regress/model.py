"""A model whose answer is a number."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, overload

from heedful.runtime.embeds import EmbeddingModel
from heedful.runtime.scores import ScoringModel


class Regressor(ScoringModel, EmbeddingModel):
    """A trained regressor: a number for each input.

    Example:
        >>> import heedful
        >>> model = heedful.load("model")  # doctest: +SKIP
        >>> model.predict("great food, slow service")  # doctest: +SKIP
        3.8
    """

    does = "answers with a number"

    @overload  # type: ignore[override]
    def predict(self, texts: str, *, batch_size: int = 64) -> float: ...
    @overload
    def predict(self, texts: Iterable[Any], *, batch_size: int = 64) -> list[float]: ...
    def predict(self, texts: Any, *, batch_size: int = 64) -> Any:
        """Return the number of each input.

        Args:
            texts: a text or several; also a DataFrame or another table with the text column of the training data.
            batch_size: inputs in one run.

        Returns:
            A number for each input; of one text, the number alone.

        Raises:
            InputError: if an input is not a text.

        Example:
            >>> model.predict(["great food", "never again"])  # doctest: +SKIP
            [4.6, 1.2]
        """
        return super().predict(texts, batch_size=batch_size)
