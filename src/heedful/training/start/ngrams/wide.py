"""Whether a network has a wide part, and the n-grams that it knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from heedful.config import Config
from heedful.data.featuriser import Featuriser
from heedful.errors import ConfigError
from heedful.inputs import INPUTS
from heedful.inputs.text.featuriser import TextFeaturiser
from heedful.inputs.text.known_ngrams import KnownNGrams
from heedful.inputs.text.wide import WideFeaturiser
from heedful.network.heads.parts import HEADS
from heedful.network.network import Network
from heedful.network.wide.ngram_scores import Wide
from heedful.tasks import answer_kind, task_of

USUAL = 200_000  # n-grams
MOST_WEIGHTS = 8_000_000  # n-grams × labels: 32 MB
AUTO = -1


def can_be_wide(config: Config, *, many: bool = False) -> bool:
    """Return whether the scores may have a wide part: one label for one text, from a linear head."""
    is_label = INPUTS[config.input].is_text and answer_kind(config, many=many) == "label"
    return is_label and task_of(config).n_texts == 1 and HEADS[config.model.head].is_linear


def with_wide(
    config: Config, featuriser: Featuriser, texts: Iterable[str], n_labels: int, *, many: bool = False
) -> tuple[Config, Featuriser]:
    """Return the config and the featuriser with the n-grams of the texts, if the config asks for them."""
    asked = config.text.ngrams
    if asked <= 0:
        return config.changed(ngrams=0), featuriser
    if not can_be_wide(config, many=many):
        raise ConfigError(["text.ngrams is for texts with one label each, and heads linear and mapped. Set it to 0."])
    most = min(asked, max(1, MOST_WEIGHTS // max(1, n_labels)))
    known = KnownNGrams.learned(texts, most=most, fewest=max(1, config.text.min_texts))
    if not len(known):
        return config.changed(ngrams=0), featuriser
    return config, WideFeaturiser(cast("TextFeaturiser", featuriser), known)


def give_wide(network: Network, featuriser: Featuriser, n_classes: int) -> None:
    """Add a wide part to a network that was built without one."""
    if n_ngrams := featuriser.shape.n_ngrams:
        network.wide = Wide(n_ngrams, n_classes)
