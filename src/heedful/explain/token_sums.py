"""The scores of each token as exact sums: its own state, and the tokens that it looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from heedful.data.batch import pad
from heedful.errors import ModelFolderError
from heedful.network.heads.parts import STATES, TOKEN_BIAS, TOKEN_MAP
from heedful.runtime.model import Model

Values = NDArray[np.float64]


@dataclass(frozen=True)
class TokenSum:
    """The parts of the scores of one input: score[i, c] = bias[c] + own[i, c] + Σ_j weights[i, j] · values[j, c].

    So the contributions (token, token looked at, label) need no array of their own: they are weights times values.
    """

    bias: Values  # (label,)
    own: Values  # (token, label); zeros if a row has no state of its own
    values: Values  # (token, label): the contribution of a token to whatever looks at it with a weight of 1


@dataclass(frozen=True)
class TokenMap:
    """The linear map of a token's row [H_i ; Σ_j A_ij H_j] to scores, in its two halves."""

    own: Values | None  # (width, label); None if a row is the sum alone
    looked: Values  # (width, label)
    bias: Values  # (label,)

    def sum_of(self, states: NDArray[np.float32]) -> TokenSum:
        """Return the parts of the scores of an input with these states (token, width)."""
        exact = states.astype(np.float64)
        own = np.zeros((len(states), len(self.bias))) if self.own is None else exact @ self.own
        return TokenSum(self.bias, own, exact @ self.looked)


_KNOWN: WeakKeyDictionary[Model, TokenMap] = WeakKeyDictionary()  # fetching it takes as long as a run


def has_token_sums(model: Model) -> bool:
    """Return whether the scores of each token are sums: a linear head over states and weighted sums of states."""
    return TOKEN_MAP in model.session.outputs


def token_map(model: Model) -> TokenMap:
    """Return how the scores of a token depend on states, for a model that has token sums."""
    if (known := _KNOWN.get(model)) is None:
        known = _KNOWN[model] = _fetched(model)
    return known


def _fetched(model: Model) -> TokenMap:
    smallest: Any = model.featuriser.shape.smallest()
    states, whole, bias = model.session.run(pad([smallest], [0]), (STATES, TOKEN_MAP, TOKEN_BIAS))
    width, n_labels = states.shape[-1], len(model.labels)
    if whole.shape not in ((width, n_labels), (2 * width, n_labels)) or bias.shape != (n_labels,):
        raise ModelFolderError(
            f"{model.path}: the map of rows to scores has shape {whole.shape} with a bias {bias.shape}, expected "
            f"{n_labels} labels and rows of {width} or {2 * width} numbers"
        )
    exact = whole.astype(np.float64)
    own = exact[:-width] if len(exact) > width else None
    return TokenMap(own, exact[-width:], bias.astype(np.float64))
