"""A model whose answer is one label."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, overload

from heedful.runtime.embeds import EmbeddingModel
from heedful.runtime.scores import ScoringModel

if TYPE_CHECKING:
    from heedful.data.table import Data
    from heedful.explain.attention.flip import Flip
    from heedful.tasks.classify.metrics import ClassificationMetrics


class Classifier(ScoringModel, EmbeddingModel):
    """A trained classifier: one label for each input.

    `heedful.train` and `heedful.load` return one.

    Example:
        >>> import heedful
        >>> model = heedful.load("model")
        >>> model.predict("the soup was lovely")
        'good'
    """

    does = "gives each input a label"

    if TYPE_CHECKING:

        def evaluate(
            self,
            data: Data,
            *,
            text: str | None = None,
            label: str | None = None,
            on_note: Callable[[str], None] | None = None,
        ) -> ClassificationMetrics: ...

    @overload  # type: ignore[override]
    def predict(self, texts: str, *, top: None = None, batch_size: int = 64) -> str: ...
    @overload
    def predict(self, texts: str, *, top: int, batch_size: int = 64) -> list[tuple[str, float]]: ...
    @overload
    def predict(self, texts: Iterable[Any], *, top: None = None, batch_size: int = 64) -> list[str]: ...
    @overload
    def predict(self, texts: Iterable[Any], *, top: int, batch_size: int = 64) -> list[list[tuple[str, float]]]: ...
    def predict(self, texts: Any, *, top: int | None = None, batch_size: int = 64) -> Any:
        """Return the most probable label of each input.

        Args:
            texts: a text or several; also a DataFrame or another table with the text column of the training data.
            top: return this many labels with their probabilities, the most probable first.
            batch_size: inputs in one run.

        Returns:
            A label for each input; of one text, the label alone. With `top`, a list of (label, probability) for each.

        Raises:
            InputError: if an input is not a text.

        Example:
            >>> model.predict(["lovely soup", "dreadful soup"])
            ['good', 'bad']
            >>> model.predict("lovely soup", top=2)
            [('good', ...), ('bad', ...)]
        """
        return super().predict(texts, top=top, batch_size=batch_size)

    def flip(self, text: str) -> Flip:
        """Return the fewest words without which the answer would be another.

        Args:
            text: a text.

        Returns:
            The words, the answer without them, and whether no smaller set exists.

        Raises:
            InputError: if the input is not a text.

        Example:
            >>> print(model.flip("the soup was lovely").sentence)
            Without “lovely” this would be bad (...
        """
        from heedful.explain.attention.flip import find_flip

        return find_flip(self, text)
