"""Structured self-attention as a classifier of scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target

from heedful.estimators.base import TextEstimator, texts_of


class SelfAttentiveClassifier(ClassifierMixin, TextEstimator):  # type: ignore[misc]
    """Structured self-attention as a scikit-learn classifier of texts.

    Parameters are settings of heedful. Those that differ from their defaults count as chosen, as flags of the command
    line do. After `fit`, `model_` is the heedful model.

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
        >>> from heedful.estimators import SelfAttentiveClassifier
        >>> classifier = SelfAttentiveClassifier(start="none", epochs=10, units=8).fit(texts, labels)
        >>> classifier.predict(["lovely soup", "dreadful soup"])
        array(['good', 'bad'], dtype='<U4')
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> SelfAttentiveClassifier:
        """Train on texts and labels, as the command line does with a file of them.

        A tenth of the texts (setting `valid_share`) is held out to choose the best epoch.

        Args:
            X: texts: a list, an array, a column, or a DataFrame with a column of texts.
            y: a label for each text; for a multilabel task, an array (text, label) of 0 and 1, as from
                `MultiLabelBinarizer`.

        Returns:
            The fitted classifier.

        Raises:
            ValueError: if labels do not fit the texts, or are all the same.
            MissingExtraError: if torch is not installed.

        Example:
            >>> from heedful.estimators import SelfAttentiveClassifier
            >>> SelfAttentiveClassifier(start="none", epochs=1, units=4).fit(texts, labels).classes_
            array(['bad', 'good'], dtype='<U4')
        """
        texts = texts_of(X, self.text)
        self.classes_, labels = labels_of(np.asarray(y), len(texts))
        self._fit(texts, labels)
        return self

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the label of each text.

        Args:
            X: texts: a list, an array, a column, or a DataFrame with a column of texts.

        Returns:
            An array of labels; for a multilabel task, 0 or 1 for each (text, label).

        Raises:
            ValueError: if X has values that are not texts.

        Example:
            >>> classifier.predict(["lovely soup", "dreadful soup"])
            array(['good', 'bad'], dtype='<U4')
        """
        if self._model().facts.is_multilabel:
            return np.asarray(self.predict_proba(X) > 0.5, dtype=np.int64)
        best = self.predict_proba(X).argmax(1)
        return np.asarray(self.classes_[best])

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float32]:
        """Return the probability of each class, in the order of `classes_`.

        Args:
            X: texts: a list, an array, a column, or a DataFrame with a column of texts.

        Returns:
            An array (text, class).

        Raises:
            ValueError: if X has values that are not texts.

        Example:
            >>> classifier.predict_proba(["lovely soup", "dreadful soup"]).shape
            (2, 2)
        """
        model = self._model()
        probabilities = model.predict_proba(texts_of(X, self.text))
        if model.facts.is_multilabel:
            return np.asarray(probabilities)
        return np.asarray(probabilities[:, [model.labels.index(str(label)) for label in self.classes_]])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags


def labels_of(answers: NDArray[Any], n_texts: int) -> tuple[NDArray[Any], Sequence[Any]]:
    """Return the classes, and the labels of the texts in the form of `Example.label`."""
    if answers.ndim not in (1, 2) or len(answers) != n_texts:
        raise ValueError(f"found {n_texts} texts and labels of shape {answers.shape}, expected one label per text")
    if answers.ndim == 2:
        if type_of_target(answers) != "multilabel-indicator":
            raise ValueError(
                f"found labels of shape {answers.shape}, expected one label per text, or a matrix of 0 and 1"
            )
        return np.arange(answers.shape[1]), [tuple("1" if cell else "0" for cell in row) for row in answers]
    check_classification_targets(answers)
    classes = np.unique(answers)
    if len(classes) < 2:
        raise ValueError(f"y has only one class, {classes[0]!r}; expected two or more")
    return classes, [str(answer) for answer in answers]
