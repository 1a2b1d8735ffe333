"""Between a network with a wide part and the regression that is fitted for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from heedful.data.features import Features, Item
from heedful.network.network import Network
from heedful.training.start.head_fit import has_linear_head, place_linear, probe_inputs
from heedful.training.start.ngrams.ngram_counts import NGramCounts
from heedful.training.start.ngrams.wide_fit import Regression, Texts


def texts_of_network(
    network: Network,
    features: Sequence[Features],
    truth: NDArray[np.int64],
    n_classes: int,
    *,
    class_weights: Tensor | None = None,
) -> Texts:
    """Return texts as the regression takes them: n-grams, and vectors if the network starts from an encoder."""
    assert network.wide is not None
    counts = NGramCounts([cast("Item", each).arrays for each in features], len(network.wide.factors))
    vectors = probe_inputs(network, features).vectors if has_linear_head(network) else None
    return Texts(counts, truth, n_classes, vectors, class_weights)


def place_wide(network: Network, regression: Regression) -> None:
    """Copy fitted weights into the network: those of vectors into its head, the others into its wide part."""
    assert network.wide is not None
    with torch.no_grad():
        network.wide.factors.copy_(torch.from_numpy(regression.scale))
        network.wide.weight.copy_(regression.weight)
        network.wide.weight[0] = 0.0
        if regression.vector_weight is not None:
            place_linear(network, regression.vector_weight.T, regression.bias, size=1.0)
            network.wide.bias.zero_()
        else:
            network.wide.bias.copy_(regression.bias)


def start_head_at_zero(network: Network) -> None:
    """Let the scores of a network from scratch be those of its wide part."""
    head: Any = network.head
    with torch.no_grad():
        head.answer.weight.zero_()
        head.answer.bias.zero_()
