"""The face of a score function.

No score knows of masks: whoever asks does `masked_softmax`, so that every use is masked alike.
"""

from __future__ import annotations

from typing import Any, Protocol

from torch import Tensor

from heedful.network.scores.parts import SCORES

KEY_SIZE = 0.3  # states begin with a spread of 0.1 (BiLSTM), 0.2 (CNN), 0.4 (word vectors) or 1 (transformer)
ADDITIVE, SCALED_DOT = "additive", "scaled_dot"  # the scores of Lin et al. 2017 and of Vaswani et al. 2017


class Score(Protocol):
    """Scores every key for every query. A batch of 1 on either side goes with each of the other side."""

    query_width: int
    query_size: float  # spread of a learned query's numbers with which scores begin near 1 in size

    def __call__(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Map queries (batch, query, width) and keys (batch, key, width) to scores (batch, query, key)."""


def build_score(name: str, *, query_width: int, key_width: int, width: int) -> Any:
    """Make a score function; `width` is the width of its hidden layer, if it has one."""
    return SCORES[name].build({"query_width": query_width, "key_width": key_width, "width": width})


def check_widths(name: str, query_width: int, key_width: int) -> None:
    """Raise if queries and keys differ in width, for a score that needs equal widths."""
    if query_width != key_width:
        raise ValueError(f"{name} needs queries and keys of one width, found {query_width} and {key_width}")
