"""A model whose answer is any number of labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, overload

from heedful.runtime.embeds import EmbeddingModel
from heedful.runtime.scores import ScoringModel

if TYPE_CHECKING:
    from heedful.data.table import Data
    from heedful.tasks.multilabel.metrics import MultilabelMetrics


class MultilabelClassifier(ScoringModel, EmbeddingModel):
    """A trained classifier: any number of labels for each input.

    Example:
        >>> multilabel.labels
        ('food', 'service')
        >>> multilabel.predict("lovely soup and a slow waiter")
        ('food', 'service')
    """

    does = "answers many questions at once"

    if TYPE_CHECKING:

        def evaluate(
            self,
            data: Data,
            *,
            text: str | None = None,
            label: str | None = None,
            on_note: Callable[[str], None] | None = None,
        ) -> MultilabelMetrics: ...

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
            >>> multilabel.predict(["lovely soup", "a slow waiter"])
            [('food',), ('service',)]
            >>> multilabel.predict("lovely soup", top=1)
            [('food', ...)]
        """
        return super().predict(texts, top=top, batch_size=batch_size)
