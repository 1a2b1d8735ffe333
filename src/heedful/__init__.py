"""heedful: sequence models whose answers add up.

    >>> import heedful
    >>> model = heedful.train("reviews.csv", text="review", label="stars", overwrite=True, start="none", epochs=3)
    >>> explanation = model.explain("The soup was lovely.")

Names are loaded on first use, so that importing heedful is quick and running a model needs no torch. What is not in
`__all__` is internal and may change in any version.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heedful.api.check import check as check
    from heedful.api.distill import distill as distill
    from heedful.api.pretrain import pretrain as pretrain
    from heedful.api.train import train as train
    from heedful.errors import HeedfulError as HeedfulError
    from heedful.explain.attention.explanation import Explanation as Explanation
    from heedful.jobs.audit.audit import audit as audit
    from heedful.jobs.evaluate import evaluate as evaluate
    from heedful.runtime.model import Model as Model
    from heedful.runtime.model import load as load
    from heedful.search.index import Index as Index
    from heedful.tasks.classify.model import Classifier as Classifier
    from heedful.tasks.embed.model import Encoder as Encoder
    from heedful.tasks.multilabel.model import MultilabelClassifier as MultilabelClassifier
    from heedful.tasks.pair.model import PairModel as PairModel
    from heedful.tasks.regress.model import Regressor as Regressor
    from heedful.tasks.tag.model import Tagger as Tagger
    from heedful.tasks.translate.model import Translator as Translator

__version__ = "0.2.0"  # the only place: pyproject.toml reads it

# ONNX Runtime keeps, when imported, an id of the device and a list of events in the user's folder. Not for our users.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

_HOMES = {
    "Classifier": "heedful.tasks.classify.model",
    "Encoder": "heedful.tasks.embed.model",
    "Explanation": "heedful.explain.attention.explanation",
    "HeedfulError": "heedful.errors",
    "Index": "heedful.search.index",
    "Model": "heedful.runtime.model",
    "MultilabelClassifier": "heedful.tasks.multilabel.model",
    "PairModel": "heedful.tasks.pair.model",
    "Regressor": "heedful.tasks.regress.model",
    "Tagger": "heedful.tasks.tag.model",
    "Translator": "heedful.tasks.translate.model",
    "audit": "heedful.jobs.audit.audit",
    "check": "heedful.api.check",
    "distill": "heedful.api.distill",
    "evaluate": "heedful.jobs.evaluate",
    "load": "heedful.runtime.model",
    "pretrain": "heedful.api.pretrain",
    "train": "heedful.api.train",
}
_NEED_TORCH = {"distill": "Training", "pretrain": "Training"}

__all__ = [
    "Classifier", "Encoder", "Explanation", "HeedfulError", "Index", "Model", "MultilabelClassifier", "PairModel",
    "Regressor", "Tagger", "Translator", "__version__", "audit", "check", "distill", "evaluate", "load", "pretrain",
    "train",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in ("errors", "estimators", "show"):
        return import_module(f"heedful.{name}")
    if name not in _HOMES:
        from heedful.errors import did_you_mean

        raise AttributeError(f"module 'heedful' has no attribute {name!r}.{did_you_mean(name, __all__)}")
    if name in _NEED_TORCH:
        from heedful.errors import need

        need("torch", feature=_NEED_TORCH[name], extra="train")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
