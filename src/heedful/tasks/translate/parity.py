"""Do the two graphs of a translator give what torch gives?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray

from heedful.data.batch import pad
from heedful.data.features import Features
from heedful.network.heads.decoder_onnx import MEMORY, reader_graph, step_graph
from heedful.network.masks import mask_of
from heedful.network.parity import Array, limit_for, small_session
from heedful.store.folder import DECODER, GRAPH
from heedful.store.weights import Weights
from heedful.tasks.translate.goal import TranslateNetwork, tokens_before
from heedful.tasks.translate.read import TARGET
from heedful.training.setup import Prepared

SAMPLE = 16
Ints = NDArray[np.int64]
OUTPUTS = ["log_probabilities", *(f"next_{name}" for name in MEMORY), "weights"]


def make_graphs(prepared: Prepared, weights: Weights) -> tuple[dict[str, bytes], float]:
    """Return the graphs by the names of their files, and their largest difference from the network."""
    settings = prepared.config.model
    reader, writer = reader_graph(settings, weights), step_graph(settings, weights)
    network = cast("TranslateNetwork", prepared.network)
    parity = check_translation(network, reader, writer, prepared.goal.valid)
    return {GRAPH: reader, DECODER: writer}, parity


def check_translation(network: TranslateNetwork, reader: bytes, writer: bytes, features: Sequence[Features]) -> float:
    """Return the largest difference over some texts and their true translations; raise if it is too large."""
    batch = pad(features[:SAMPLE], range(len(features[:SAMPLE])))
    before = tokens_before(torch.from_numpy(batch.inputs[TARGET]))
    mask = mask_of(torch.from_numpy(batch.lengths), batch.time)
    network.eval()
    with torch.inference_mode():
        outs, weights = network.head(network.read(torch.from_numpy(batch.ids), mask), mask, before)
        scores = torch.log_softmax(network.head.scores(outs), dim=-1)
    theirs = _run(reader, writer, batch.ids, batch.lengths, before.numpy())
    worst = max(_difference(a, b) for a, b in zip((scores.numpy(), weights.numpy()), theirs, strict=True))
    limit = limit_for(max(batch.time, before.shape[1]))
    if not worst <= limit:  # a fault of ours, not the user's
        raise RuntimeError(f"the exported graphs differ from the trained network by {worst:g}, more than {limit:g}")
    return worst


def _run(reader: bytes, writer: bytes, ids: Ints, lengths: Ints, before: Ints) -> tuple[Array, Array]:
    """Return log-probabilities (batch, out, id) and weights (batch, out, time), token by token."""
    read, write = (small_session(g) for g in (reader, writer))
    states, *memory = read.run(["states", *MEMORY], {"ids": ids, "lengths": lengths})
    scores, weights = [], []
    for at in range(before.shape[1]):
        inputs = {"before": before[:, at : at + 1], "states": states, "lengths": lengths}
        step_scores, *memory, looks = write.run(OUTPUTS, inputs | dict(zip(MEMORY, memory, strict=True)))
        scores.append(step_scores)
        weights.append(looks)
    return np.concatenate(scores, axis=1), np.concatenate(weights, axis=1)


def _difference(a: Array, b: Array) -> float:
    """Return the largest difference, as a part of the value where that is above 1."""
    return float((np.abs(a - b) / np.maximum(1.0, np.abs(a))).max(initial=0.0))
