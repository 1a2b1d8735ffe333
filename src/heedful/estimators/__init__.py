"""scikit-learn estimators over texts: a classifier, a regressor and a sentence encoder."""

from heedful.errors import MissingExtraError

try:
    import sklearn  # noqa: F401
except ModuleNotFoundError as error:
    raise MissingExtraError("heedful.estimators", "sklearn") from error

from heedful.estimators.classifier import SelfAttentiveClassifier
from heedful.estimators.encoder import SentenceEncoder
from heedful.estimators.regressor import SelfAttentiveRegressor

__all__ = ["SelfAttentiveClassifier", "SelfAttentiveRegressor", "SentenceEncoder"]
