"""Does ONNX Runtime give what torch gives?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnxruntime
import torch
from numpy.typing import NDArray

from heedful.data.batch import Batch, feed, pad
from heedful.data.features import Features
from heedful.network.network import Network
from heedful.network.tensors import tensors_of

LIMIT = 1e-4
ROUNDING = 2.0**-24  # of a 32-bit float: a sum of n numbers may be wrong by n times as much
SMALL_LIMIT = 2e-3  # in a small graph a table of scores is rounded too, which the network cannot be
Array = NDArray[np.float32]


def check_parity(network: Network, graph: bytes, features: Sequence[Features], *, small: bool = False) -> float:
    """Return the largest difference over some texts, an empty one among them; raise if it is too large."""
    sample = list(features[:15])
    if sample and isinstance(sample[0], np.ndarray):
        sample.append(np.array([], dtype=np.int32))
    batch = pad(sample, range(len(sample)))
    session = small_session(graph)
    answer = "vector" if "vector" in {output.name for output in session.get_outputs()} else "scores"
    theirs = session.run([answer, "rows", "weights"], feed(batch))
    ours = _torch_run(network, batch)
    if getattr(network.pooler, "counts_winners", False):
        ours, theirs = ours[:2], theirs[:2]
    worst = max(_difference(a, b) for a, b in zip(ours, theirs, strict=True))
    limit = limit_for(batch.time, small=small)
    if not worst <= limit:  # a fault of ours, not the user's
        raise RuntimeError(f"the exported graph differs from the trained network by {worst:g}, more than {limit:g}")
    return worst


def limit_for(time: int, *, small: bool = False) -> float:
    """Return how far two ways to add up `time` numbers may be apart: a longer text has a longer sum."""
    return max(SMALL_LIMIT if small else LIMIT, time * ROUNDING)


def small_session(graph: bytes) -> onnxruntime.InferenceSession:
    """Return a session for a few texts: one thread is enough."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # it warns of an input with a default, which is meant
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def _difference(a: Array, b: Array) -> float:
    """Return the largest difference, as a part of the value where that is above 1."""
    return float((np.abs(a - b) / np.maximum(1.0, np.abs(a))).max(initial=0.0))


def _torch_run(network: Network, batch: Batch) -> list[Array]:
    network.eval()
    with torch.inference_mode():
        output = network(*tensors_of(batch))
    return [output.scores.numpy(), output.rows.numpy(), output.weights.numpy()]
