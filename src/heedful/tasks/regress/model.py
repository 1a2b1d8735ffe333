"""A model whose answer is a number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, overload

from heedful.runtime.embeds import EmbeddingModel
from heedful.runtime.scores import ScoringModel

if TYPE_CHECKING:
    from heedful.data.table import Data
    from heedful.tasks.regress.metrics import RegressionMetrics


class Regressor(ScoringModel, EmbeddingModel):
    """A trained regressor: a number for each input.

    Example:
        >>> regressor.predict("lovely soup") > regressor.predict("dreadful soup")
        True
    """

    does = "answers with a number"

    if TYPE_CHECKING:

        def evaluate(
            self,
            data: Data,
            *,
            text: str | None = None,
            label: str | None = None,
            on_note: Callable[[str], None] | None = None,
        ) -> RegressionMetrics: ...

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
            >>> regressor.predict(["lovely soup", "dreadful soup"])
            [...]
        """
        return super().predict(texts, batch_size=batch_size)
