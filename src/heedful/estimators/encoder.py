"""A sentence encoder as a transformer of scikit-learn."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from heedful.estimators.base import texts_of
from heedful.runtime.deprecated import old_spelling
from heedful.runtime.embeds import EmbeddingModel
from heedful.runtime.model import load


class SentenceEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A sentence encoder as a scikit-learn transformer; there is nothing to fit.

    Args:
        model: folder of an encoder, or the name of a bundled one.
        normalize: scale vectors to length 1.
        width: keep the first numbers only.
        dtype: "float32" or "int8".
        normalise: deprecated; use `normalize`.

    Example:
        >>> from heedful.estimators import SentenceEncoder
        >>> SentenceEncoder("en-small").fit_transform(["one text", "another"]).shape
        (2, 384)
    """

    def __init__(
        self,
        model: str = "en-base",
        *,
        normalize: bool = True,
        width: int | None = None,
        dtype: str = "float32",
        normalise: bool | None = None,
    ) -> None:
        self.model = model
        self.normalise = normalise
        self.normalize = normalize
        self.width = width
        self.dtype = dtype

    def fit(self, X: ArrayLike, y: Any = None) -> SentenceEncoder:  # noqa: ARG002
        """Load the model and validate the texts.

        Args:
            X: texts: a list, an array, a column, or a DataFrame with a column of texts.
            y: ignored.

        Returns:
            The encoder.

        Raises:
            ModelFolderError: if the model cannot be loaded.
            ValueError: if X has values that are not texts.

        Example:
            >>> from heedful.estimators import SentenceEncoder
            >>> SentenceEncoder("en-small").fit(["one text"])
            SentenceEncoder(model='en-small')
        """
        texts_of(X)
        self._loaded()
        return self

    def transform(self, X: ArrayLike) -> NDArray[Any]:
        """Return the vector of each text.

        Args:
            X: texts: a list, an array, a column, or a DataFrame with a column of texts.

        Returns:
            An array (text, width).

        Raises:
            ValueError: if X has values that are not texts.

        Example:
            >>> from heedful.estimators import SentenceEncoder
            >>> SentenceEncoder("en-small", width=64).transform(["one text"]).shape
            (1, 64)
        """
        normalize = old_spelling(self.normalise, self.normalize)
        form: dict[str, Any] = {"normalize": normalize, "width": self.width, "dtype": self.dtype}
        return np.asarray(self._loaded().embed(texts_of(X), **form))

    def _loaded(self) -> EmbeddingModel:
        """Return the model, loaded once for each name."""
        if getattr(self, "loaded_from_", None) != self.model:
            self.model_, self.loaded_from_ = load(self.model), self.model
        return cast("EmbeddingModel", self.model_)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:  # noqa: ARG002
        """Return a name for each dimension of a vector.

        Args:
            input_features: ignored.

        Returns:
            An array of names.

        Example:
            >>> from heedful.estimators import SentenceEncoder
            >>> SentenceEncoder("en-small", width=2).get_feature_names_out()
            array(['vector0', 'vector1'], dtype=object)
        """
        width = self.width or self._loaded().width
        return np.array([f"vector{i}" for i in range(width)], dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        tags.requires_fit = False
        return tags
