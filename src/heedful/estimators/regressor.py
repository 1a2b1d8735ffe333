"""Structured self-attention as a regressor of scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin

from heedful.estimators.base import TextEstimator, texts_of


class SelfAttentiveRegressor(RegressorMixin, TextEstimator):  # type: ignore[misc]
    """Structured self-attention as a scikit-learn regressor of texts; parameters as of `SelfAttentiveClassifier`.

    Example:
        >>> from heedful.estimators import SelfAttentiveRegressor
        >>> regressor = SelfAttentiveRegressor(epochs=5).fit(texts, stars)  # doctest: +SKIP
        >>> regressor.predict(["great food, slow service"])  # doctest: +SKIP
        array([3.8])
    """

    task = "regress"

    def fit(self, X: ArrayLike, y: ArrayLike) -> SelfAttentiveRegressor:
        """Train on texts X and numbers y, as the command line does with a file of them."""
        texts, numbers = texts_of(X, self.text), np.asarray(y, dtype=np.float64)
        if numbers.shape != (len(texts),):
            raise ValueError(
                f"found {len(texts)} texts and numbers of shape {numbers.shape}, expected one number per text"
            )
        self._fit(texts, [str(number) for number in numbers.tolist()])
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the number of each text."""
        model: Any = self._model()
        return np.asarray(model.predict(texts_of(X, self.text)), dtype=np.float64)
