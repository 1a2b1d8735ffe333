"""What every graph starts from: ids or vectors, lengths, and the masks made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from onnx import TensorProto

from heedful.network.onnx_graph import Graph, Weights


@dataclass(frozen=True)
class Inputs:
    """Names of values in the graph."""

    arrays: Mapping[str, str]  # what comes in: ids, or vectors, and what goes with them, each (batch, time, …)
    time: str  # scalar
    lengths: str  # (batch,)
    steps: str  # (batch,) int32, at least 1: the LSTM operator takes no empty text
    mask: str  # (batch, time) bool
    mask_row: str  # (batch, 1, time) float
    mask_column: str  # (batch, time, 1) float
    positions: str  # (time,) 0, 1, 2 …

    @property
    def ids(self) -> str:
        """The tokens: (batch, time)."""
        return self.arrays["ids"]


Encode = Callable[[Graph, Weights, str, Inputs], str]  # writes an encoder: vectors to states

AXES: dict[str, list[str]] = {
    "ids": ["batch", "time"],
    "vectors": ["batch", "time", "width in"],
    "letters": ["batch", "time", "letter"],
    "near": ["batch", "time", "near"],
    "links": ["batch", "time", "near"],
}


def declare_inputs(graph: Graph, names: Sequence[str] = ("ids",)) -> Inputs:
    """Declare what comes in and the lengths, and make the masks."""
    arrays = {name: graph.input(name, AXES[name], is_float=name == "vectors") for name in names}
    lengths = graph.input("lengths", ["batch"])
    time = graph.node("Gather", graph.node("Shape", arrays[names[0]]), graph.constant(1))
    positions = graph.node("Range", graph.constant(0), time, graph.constant(1))  # (time,)
    mask = graph.node("Less", positions, graph.node("Unsqueeze", lengths, graph.constant([1])))  # (batch, time)
    number = graph.node("Cast", mask, to=TensorProto.FLOAT)
    steps = graph.node("Cast", graph.node("Max", lengths, graph.constant([1])), to=TensorProto.INT32)
    return Inputs(
        arrays=arrays,
        time=time,
        lengths=lengths,
        steps=steps,
        mask=mask,
        mask_row=graph.node("Unsqueeze", number, graph.constant([1])),
        mask_column=graph.node("Unsqueeze", number, graph.constant([2])),
        positions=positions,
    )


def with_keep(graph: Graph, inputs: Inputs, n_hops: int) -> Inputs:
    """Add the optional input `keep`, by default 1 for every hop; a hop with 0 reads nothing.

    Its row is then 0 and the answer is made without it. It goes into the mask, where it costs least. There may be one
    `keep` for all texts, one for each, or many for one text, which is then encoded once and answered many times; so the
    first axis from here on is not that of the batch.
    """
    keep = graph.input("keep", ["one or answers", n_hops, 1], is_float=True)
    ones = graph.constant(np.ones((1, n_hops, 1)), name=keep)
    return replace(inputs, mask_row=graph.node("Mul", inputs.mask_row, ones))  # (answer, hop, time)


def without_special(graph: Graph, inputs: Inputs, *, before: int, after: int) -> Inputs:
    """Mask the special tokens at the start and at the end of each text: the pooler does not read them."""
    ends = graph.node("Sub", inputs.lengths, graph.constant(after))  # (batch,)
    starts = graph.node("Greater", inputs.positions, graph.constant(before - 1))  # (time,)
    mask = graph.node("And", starts, graph.node("Less", inputs.positions, graph.node("Unsqueeze", ends, _one(graph))))
    number = graph.node("Cast", mask, to=TensorProto.FLOAT)
    n_words = graph.node("Max", graph.node("Sub", ends, graph.constant(before)), _one(graph))
    return replace(
        inputs,
        lengths=ends,
        steps=graph.node("Cast", n_words, to=TensorProto.INT32),
        mask=mask,
        mask_row=graph.node("Unsqueeze", number, graph.constant([1])),
        mask_column=graph.node("Unsqueeze", number, graph.constant([2])),
    )


def _one(graph: Graph) -> str:
    return graph.constant([1])
