"""The effect of each hop on the prediction: its change without the hop's row."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.data.batch import pad
from heedful.explain.attention.model_input import Reading, answer_of
from heedful.runtime.cancel import check_wanted
from heedful.runtime.model import Model

KEEP = "keep"  # the input by which rows are left out: 1 for each hop unless given
AT_ONCE = 1_000_000  # weights that are held at once: the text is encoded again for each part of the answers


def hop_effects(model: Model, reading: Reading, target: int) -> NDArray[np.float64] | None:
    """Return p(text) − p(text without the hop's row) of a label, for each hop (hop,): the text is encoded once.

    Of a model whose answer is a number, the difference is of that number. None if the graph cannot leave a row
    out: it has one hop, or was written before there was a way to.
    """
    n_hops = model.facts.n_hops
    if model.session.defaults.get(KEEP, [])[1:] != [n_hops, 1]:
        return None
    keep = np.concatenate([np.ones((1, n_hops)), 1 - np.eye(n_hops)]).astype(np.float32)[:, :, None]
    some = max(1, AT_ONCE // (n_hops * max(1, len(reading.features))))
    scores = np.concatenate([_scores(model, reading, keep[i : i + some]) for i in range(0, len(keep), some)])
    shares = answer_of(model, scores)[:, target]
    return np.asarray(shares[0] - shares[1:])


def _scores(model: Model, reading: Reading, keep: NDArray[np.float32]) -> NDArray[Any]:
    """Return the scores of one text with the hops that are kept: (answer, hop, 1) to (answer, label)."""
    check_wanted()
    batch = pad([reading.features], [0])
    (scores,) = model.session.run(replace(batch, inputs={**batch.inputs, KEEP: keep}), ("scores",))
    return model.in_units(scores)
