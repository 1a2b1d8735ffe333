"""scikit-learn estimators over lists of texts."""

from __future__ import annotations

import numbers
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heedful.errors import MissingExtraError

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.multiclass import check_classification_targets, type_of_target
    from sklearn.utils.validation import check_is_fitted
except ModuleNotFoundError as error:
    raise MissingExtraError("heedful.estimators", "sklearn") from error

from heedful.config import Config
from heedful.data.example import Example
from heedful.data.split import stratified_split
from heedful.errors import HeedfulError, need
from heedful.explain.attention.explanation import Explanation
from heedful.runtime.deprecated import old_spelling
from heedful.runtime.model import Model, load
from heedful.store.folder import write_folder


class SelfAttentiveClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Structured self-attention as a scikit-learn classifier of texts.

    Parameters are settings of `config.py`; `random_state` is the seed, `settings` takes any other setting by name.
    After `fit`, `model_` is the heedful Model.
    """

    def __init__(
        self,
        *,
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

    def fit(self, X: ArrayLike, y: ArrayLike) -> SelfAttentiveClassifier:
        """Train on texts X and labels y, as the command line does with a file of them.

        A tenth of the texts (setting `valid_share`) is held out to choose the best epoch. For a multilabel task, y is
        an array (text, label) of 0 and 1, as from `MultiLabelBinarizer`.
        """
        need("torch", feature="Training", extra="train")
        from heedful.jobs.train.train import train_model

        texts = _texts(X)
        self.classes_, labels = _labels(np.asarray(y), len(texts))
        examples = [Example(text, label) for text, label in zip(texts, labels, strict=True)]
        config = self._config()
        groups = labels if isinstance(labels[0], str) else ["" for _ in labels]
        _, held = stratified_split(groups, config.data.valid_share, seed=config.train.seed)
        with tempfile.TemporaryDirectory(prefix="heedful-") as folder:
            pair = (examples, [] if held else examples)  # too few texts to hold some out: validate on all
            train_model(config, Path(folder) / "model", examples=pair, checkpoints=False)
            self.model_ = load(Path(folder) / "model")
            self.files_ = {file.name: file.read_bytes() for file in (Path(folder) / "model").iterdir()}
        return self

    def save(self, folder: str | Path, *, overwrite: bool = False) -> None:
        """Write the fitted model to a folder that `heedful.load` and the command line can read."""
        self._model()
        write_folder(Path(folder), self.files_, overwrite=overwrite)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the label of each text; for a multilabel task, 0 or 1 for each (text, label)."""
        if self._model().facts.is_multilabel:
            return np.asarray(self.predict_proba(X) > 0.5, dtype=np.int64)
        best = self.predict_proba(X).argmax(1)
        return np.asarray(self.classes_[best])

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float32]:
        """Return probabilities (text, class), in the order of `classes_`."""
        model = self._model()
        if model.facts.is_multilabel:
            return np.asarray(model.predict_proba(_texts(X)))
        order = [model.labels.index(str(label)) for label in self.classes_]
        return np.asarray(model.predict_proba(_texts(X))[:, order])

    def explain(self, X: ArrayLike) -> list[Explanation]:
        """Return an explanation of the prediction for each text."""
        return list(self._model().explain(_texts(X)))

    def transform(self, X: ArrayLike) -> NDArray[np.float32]:
        """Return the vector of each text."""
        return np.asarray(self._model().embed(_texts(X)))

    def _model(self) -> Model:
        check_is_fitted(self, "model_")
        model: Model = self.model_
        return model

    def _config(self) -> Config:
        named = self.get_params(deep=False)
        extra, seed = named.pop("settings") or {}, named.pop("random_state")
        return Config().changed(**{**named, "seed": _seed(seed), **extra})

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        tags.classifier_tags.multi_label = True
        return tags


class SentenceEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A sentence encoder as a scikit-learn transformer; there is nothing to fit.

    `model` is a folder or the name of a model that comes with heedful.
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
        """Load the model and validate the texts."""
        _texts(X)
        self._loaded()
        return self

    def transform(self, X: ArrayLike) -> NDArray[Any]:
        """Return the vector of each text (text, width)."""
        normalize = old_spelling(self.normalise, self.normalize)
        form: dict[str, Any] = {"normalize": normalize, "width": self.width, "dtype": self.dtype}
        return np.asarray(self._loaded().embed(_texts(X), **form))

    def _loaded(self) -> Model:
        """Return the model, loaded once for each name."""
        if getattr(self, "loaded_from_", None) != self.model:
            self.model_, self.loaded_from_ = load(self.model), self.model
        model: Model = self.model_
        return model

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:  # noqa: ARG002
        """Return a name for each dimension of a vector."""
        width = self.width or self._loaded().width
        return np.array([f"vector{i}" for i in range(width)], dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        tags.requires_fit = False
        return tags


def _labels(answers: NDArray[Any], n_texts: int) -> tuple[NDArray[Any], Sequence[Any]]:
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


def _seed(given: Any) -> int:
    """Return a seed from a `random_state`: None, a number or a generator."""
    if given is None:
        return 0
    return int(given) if isinstance(given, numbers.Integral) else int(check_random_state(given).randint(2**31))


def _texts(given: Any) -> list[str]:
    """Return a list of texts from a list, a tuple, an array or a pandas column."""
    if isinstance(given, str):
        raise HeedfulError("found one text, expected a list of texts")
    values: Sequence[Any] = given.tolist() if hasattr(given, "tolist") else list(given)
    for value in values:
        if not isinstance(value, str):
            raise ValueError(f"found {type(value).__name__} {value!r:.40}, expected texts (str)")
    return list(values)
