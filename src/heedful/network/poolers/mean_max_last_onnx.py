"""The baselines of attention as ONNX nodes."""

from __future__ import annotations

from onnx import TensorProto

from heedful.network.masks_onnx import LOW
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import Inputs


def mean_rows(graph: Graph, _: Weights, states: str, inputs: Inputs) -> tuple[str, str]:
    """Equal weights."""
    count = graph.node("Cast", inputs.steps, to=TensorProto.FLOAT)  # (batch,)
    weights = graph.node("Div", inputs.mask_row, graph.node("Unsqueeze", count, graph.constant([1, 2])))
    return graph.node("MatMul", weights, states), weights


def max_rows(graph: Graph, _: Weights, states: str, inputs: Inputs) -> tuple[str, str]:
    """The largest value in each column; a token's weight is the share of columns it wins."""
    real = graph.node("Unsqueeze", inputs.mask, graph.constant([2]))
    seen = graph.node("Where", real, states, graph.constant(LOW))  # (batch, time, width)
    some = graph.node("ReduceMax", inputs.mask_row, axes=[2], keepdims=1)  # (batch, 1, 1)
    row = graph.node("Mul", graph.node("ReduceMax", seen, axes=[1], keepdims=1), some)
    winner = graph.node("ArgMax", seen, axis=1, keepdims=0)  # (batch, width)
    won = graph.node("OneHot", winner, inputs.time, graph.constant([0.0, 1.0]), axis=1)  # (batch, time, width)
    share = graph.node("ReduceMean", won, axes=[2], keepdims=0)  # (batch, time)
    return row, graph.node("Mul", graph.node("Unsqueeze", share, graph.constant([1])), some)


def first_rows(graph: Graph, _: Weights, states: str, inputs: Inputs) -> tuple[str, str]:
    """The state of the first token that is not masked."""
    real = graph.node("Cast", inputs.mask, to=TensorProto.INT64)
    place = graph.node("CumSum", real, graph.constant(1))  # (batch, time): 1 at the first, and at masked ones after it
    is_first = graph.node("And", inputs.mask, graph.node("Less", place, graph.constant(2)))
    weights = graph.node("Unsqueeze", graph.node("Cast", is_first, to=TensorProto.FLOAT), graph.constant([1]))
    return graph.node("MatMul", weights, states), weights


def last_rows(graph: Graph, _: Weights, states: str, inputs: Inputs, *, bidirectional: bool = False) -> tuple[str, str]:
    """The last token's state; of two directions, the forward half there and the backward half at the first token."""
    final = _one_hot_last(graph, inputs)
    if not bidirectional:
        return graph.node("MatMul", final, states), final
    at_zero = graph.node("OneHot", graph.constant([0]), inputs.time, graph.constant([0.0, 1.0]))  # (1, time)
    first = graph.node("Mul", graph.node("Unsqueeze", at_zero, graph.constant([0])), inputs.mask_row)
    width = graph.node("Gather", graph.node("Shape", states), graph.constant(2))
    half = graph.node("Unsqueeze", graph.node("Div", width, graph.constant(2)), graph.constant([0]))
    whole = graph.node("Unsqueeze", width, graph.constant([0]))
    ahead = graph.node("Slice", states, graph.constant([0]), half, graph.constant([2]))
    back = graph.node("Slice", states, half, whole, graph.constant([2]))
    row = graph.node("Concat", graph.node("MatMul", final, ahead), graph.node("MatMul", first, back), axis=2)
    return row, graph.node("Mul", graph.node("Add", final, first), graph.constant(0.5))


def _one_hot_last(graph: Graph, inputs: Inputs) -> str:
    """Return (batch, 1, time) with 1 on the last token, all 0 for an empty text."""
    steps = graph.node("Cast", inputs.steps, to=TensorProto.INT64)
    at = graph.node("Unsqueeze", graph.node("Sub", steps, graph.constant(1)), graph.constant([1]))  # (batch, 1)
    return graph.node("Mul", graph.node("OneHot", at, inputs.time, graph.constant([0.0, 1.0])), inputs.mask_row)
