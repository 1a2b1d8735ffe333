"""Structured self-attention as a regressor of scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin

from heedful.estimators.base import TextEstimator, texts_of


class SelfAttentiveRegressor(RegressorMixin, TextEstimator):  # type: ignore[misc]
    """Structured self-attention as a scikit-learn regressor of texts.

    Args:
        text: name of the column of texts, if X is a table with several columns.
        start: encoder to start from: a folder, a bundled name, "none", or "auto".
        encoder: layer that adds context to tokens.
        pooler: how states are pooled into rows.
        n_hops: rows of attention.
        units: LSTM units in each direction, or the width of the transformer.
        penalty: coefficient of the penalty that makes hops differ.
        epochs: largest number of epochs; 0 chooses by the number of texts.
        lr: learning rate.
        batch_size: texts in a batch; 0 chooses by the number of texts.
        dropout: dropout rate.
        vectors: file of word vectors to start from.
        settings: any other settings by name.
        random_state: seed.

    Example:
        >>> from heedful.estimators import SelfAttentiveRegressor
        >>> regressor = SelfAttentiveRegressor(start="none", epochs=2, units=8).fit(texts, stars)
        >>> regressor.predict(["lovely soup"]).shape
        (1,)
    """

    task = "regress"
    has_classes = False

    def fit(self, X: ArrayLike, y: ArrayLike) -> SelfAttentiveRegressor:
        """Train on texts and numbers, as the command line does with a file of them.

        Args:
            X: texts: a list, an array, a column, or a DataFrame with a column of texts.
            y: a number for each text.

        Returns:
            The fitted regressor.

        Raises:
            ValueError: if numbers do not fit the texts.
            MissingExtraError: if torch is not installed.

        Example:
            >>> from heedful.estimators import SelfAttentiveRegressor
            >>> regressor = SelfAttentiveRegressor(start="none", epochs=1, units=4).fit(texts, stars)
        """
        texts, numbers = texts_of(X, self.text), np.asarray(y, dtype=np.float64)
        if numbers.shape != (len(texts),):
            raise ValueError(
                f"found {len(texts)} texts and numbers of shape {numbers.shape}, expected one number per text"
            )
        self._fit(texts, [str(number) for number in numbers.tolist()])
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the number of each text.

        Args:
            X: texts: a list, an array, a column, or a DataFrame with a column of texts.

        Returns:
            An array of numbers.

        Raises:
            ValueError: if X has values that are not texts.

        Example:
            >>> from heedful.estimators import SelfAttentiveRegressor
            >>> regressor = SelfAttentiveRegressor(start="none", epochs=1, units=4).fit(texts, stars)
            >>> regressor.predict(["lovely soup", "dreadful soup"]).shape
            (2,)
        """
        model: Any = self._model()
        return np.asarray(model.predict(texts_of(X, self.text)), dtype=np.float64)
