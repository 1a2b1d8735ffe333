"""What every graph starts from: ids, lengths, and the masks made of them."""

from __future__ import annotations

from dataclasses import dataclass

from onnx import TensorProto

from heedful.export.graph import Graph


@dataclass(frozen=True)
class Inputs:
    """Names of values in the graph."""

    ids: str  # (batch, time)
    time: str  # scalar
    lengths: str  # (batch,)
    steps: str  # (batch,) int32, at least 1: the LSTM operator takes no empty text
    mask: str  # (batch, time) bool
    mask_row: str  # (batch, 1, time) float
    mask_column: str  # (batch, time, 1) float
    positions: str  # (time,) 0, 1, 2 …

    def steps_of_time(self, graph: Graph) -> str:
        """Return the positions as floats."""
        return graph.node("Cast", self.positions, to=TensorProto.FLOAT)


def declare_inputs(graph: Graph) -> Inputs:
    """Declare ids and lengths, and make the masks."""
    ids = graph.input("ids", ["batch", "time"])
    lengths = graph.input("lengths", ["batch"])
    time = graph.node("Gather", graph.node("Shape", ids), graph.constant(1))
    positions = graph.node("Range", graph.constant(0), time, graph.constant(1))  # (time,)
    mask = graph.node("Less", positions, graph.node("Unsqueeze", lengths, graph.constant([1])))  # (batch, time)
    number = graph.node("Cast", mask, to=TensorProto.FLOAT)
    steps = graph.node("Cast", graph.node("Max", lengths, graph.constant([1])), to=TensorProto.INT32)
    return Inputs(
        ids=ids,
        time=time,
        lengths=lengths,
        steps=steps,
        mask=mask,
        mask_row=graph.node("Unsqueeze", number, graph.constant([1])),
        mask_column=graph.node("Unsqueeze", number, graph.constant([2])),
        positions=positions,
    )
