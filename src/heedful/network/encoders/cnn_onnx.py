"""The CNN as ONNX nodes."""

from __future__ import annotations

from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import Inputs


def cnn_states(graph: Graph, weights: Weights, x: str, inputs: Inputs) -> str:
    """Convolutions of several widths, side by side."""
    by_width = graph.node("Transpose", graph.node("Mul", x, inputs.mask_column), perm=[0, 2, 1])  # (batch, width, time)
    windows = []
    for i in range(sum(name.startswith("encoder.windows.") and name.endswith(".weight") for name in weights)):
        kernel, bias = weights[f"encoder.windows.{i}.weight"], weights[f"encoder.windows.{i}.bias"]
        before = (kernel.shape[-1] - 1) // 2
        pads = [before, kernel.shape[-1] - 1 - before]
        windows.append(graph.node("Conv", by_width, graph.matrix(kernel), graph.matrix(bias), pads=pads))
    states = graph.node("Relu", graph.node("Concat", *windows, axis=1))  # (batch, width, time)
    return graph.node("Transpose", states, perm=[0, 2, 1])
