"""Fitting, saving and explaining: what the classifier and the regressor share."""

from __future__ import annotations

import inspect
import numbers
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from heedful.config import Config
from heedful.data.example import Example
from heedful.data.memory import as_table
from heedful.data.read import read_texts
from heedful.data.split import stratified_split
from heedful.errors import InputError, need
from heedful.explain.attention.explanation import Explanation
from heedful.runtime.model import load
from heedful.runtime.scores import ScoringModel
from heedful.store.folder import write_folder


class TextEstimator(BaseEstimator):  # type: ignore[misc]
    """A model of texts. Parameters are settings; after `fit`, `model_` is the heedful model."""

    task = "classify"
    has_classes = True

    def __init__(
        self,
        *,
        text: str | None = None,
        start: str = "auto",
        encoder: str = "bilstm",
        pooler: str = "structured",
        n_hops: int = 8,
        units: int = 100,
        penalty: float = 0.01,
        epochs: int = 0,
        lr: float = 3e-3,
        batch_size: int = 0,
        dropout: float = 0.4,
        vectors: str | None = None,
        settings: dict[str, Any] | None = None,
        random_state: Any = None,
    ) -> None:
        self.text = text
        self.start = start
        self.encoder = encoder
        self.pooler = pooler
        self.n_hops = n_hops
        self.units = units
        self.penalty = penalty
        self.epochs = epochs
        self.lr = lr
        self.batch_size = batch_size
        self.dropout = dropout
        self.vectors = vectors
        self.settings = settings
        self.random_state = random_state

    def _fit(self, texts: Sequence[str], labels: Sequence[Any]) -> None:
        """Train on texts and labels in the form of `Example.label`."""
        need("torch", feature="Training", extra="train")
        from heedful.jobs.train.train import train_model

        examples = [Example(text, label) for text, label in zip(texts, labels, strict=True)]
        config = self._config()
        groups = labels if self.has_classes and isinstance(labels[0], str) else ["" for _ in labels]
        _, held = stratified_split(groups, config.data.valid_share, seed=config.train.seed)
        with tempfile.TemporaryDirectory(prefix="heedful-") as folder:
            pair = (examples, [] if held else examples)  # too few texts to hold some out: validate on all
            train_model(config, Path(folder) / "model", examples=pair, checkpoints=False)
            self.model_ = load(Path(folder) / "model")
            self.files_ = {file.name: file.read_bytes() for file in (Path(folder) / "model").iterdir()}

    def save(self, folder: str | Path, *, overwrite: bool = False) -> None:
        """Write the fitted model to a folder that `heedful.load` and the command line can read.

        Args:
            folder: path of the folder.
            overwrite: replace a model that is there.

        Raises:
            ModelFolderError: if the folder exists, or cannot be written.

        Example:
            >>> import heedful
            >>> classifier.save("fitted")
            >>> heedful.load("fitted").labels
            ('bad', 'good')
        """
        self._model()
        write_folder(Path(folder), self.files_, overwrite=overwrite)

    def explain(self, X: ArrayLike) -> list[Explanation]:
        """Return an explanation of the answer to each text.

        Args:
            X: texts: a list, an array, a column, or a DataFrame with a column of texts.

        Returns:
            An Explanation for each text.

        Raises:
            ValueError: if X has values that are not texts.

        Example:
            >>> classifier.explain(["lovely soup"])[0].text
            'lovely soup'
        """
        return list(self._model().explain(texts_of(X, self.text)))

    def transform(self, X: ArrayLike) -> NDArray[np.float32]:
        """Return the vector of each text.

        Args:
            X: texts: a list, an array, a column, or a DataFrame with a column of texts.

        Returns:
            An array (text, width).

        Raises:
            ValueError: if X has values that are not texts.

        Example:
            >>> len(classifier.transform(["lovely soup"]))
            1
        """
        model: Any = self._model()
        return np.asarray(model.embed(texts_of(X, self.text)))

    def _model(self) -> ScoringModel:
        check_is_fitted(self, "model_")
        return cast("ScoringModel", self.model_)

    def _config(self) -> Config:
        """Return the settings. Parameters that differ from their defaults count as chosen, as flags do."""
        defaults = {name: each.default for name, each in inspect.signature(TextEstimator.__init__).parameters.items()}
        named = self.get_params(deep=False)
        extra, seed = named.pop("settings") or {}, named.pop("random_state")
        named.pop("text")
        chosen = {name: value for name, value in named.items() if value != defaults[name]}
        return Config().with_given(task=self.task, seed=seed_of(seed), **{**chosen, **extra})

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        return tags


def seed_of(given: Any) -> int:
    """Return a seed from a `random_state`: None, a number or a generator."""
    if given is None:
        return 0
    return int(given) if isinstance(given, numbers.Integral) else int(check_random_state(given).randint(2**31))


def texts_of(given: Any, column: str | None = None) -> list[str]:
    """Return a list of texts from a list, a tuple, an array, a column, or a table with a column of texts."""
    if isinstance(given, str):
        raise InputError("found one text, expected a list of texts")
    if (table := as_table(given)) is not None and not isinstance(given, tuple):
        return [text for _, text in read_texts(table, text=column)]
    values: Sequence[Any] = given.tolist() if hasattr(given, "tolist") else list(given)
    for value in values:
        if not isinstance(value, str):
            raise ValueError(f"found {type(value).__name__} {value!r:.40}, expected texts (str)")
    return list(values)
