"""Words as an encoder of sub-words reads them, as ONNX nodes."""

from __future__ import annotations

from dataclasses import replace

from onnx import TensorProto

from heedful.data.input_spec import PIECES
from heedful.network.encoders.bilstm_onnx import bilstm_states
from heedful.network.fronts.word_chars_onnx import word_char_vectors
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import Inputs

HOME = "embed.pieces."  # of the encoder's weights
AXES = ["batch", "time", "piece"]


def word_piece_vectors(graph: Graph, weights: Weights, inputs: Inputs) -> str:
    """A word's own vector, its letters, and what the encoder makes of its pieces: (batch, time, width)."""
    words = word_char_vectors(graph, weights, inputs)
    return graph.node("Concat", words, _in_pieces(graph, weights, inputs), axis=2)


def _in_pieces(graph: Graph, weights: Weights, inputs: Inputs) -> str:
    """Read all pieces in a row, and take the mean over those of each word."""
    pieces = graph.input(PIECES, AXES)
    own = {name.removeprefix(HOME): value for name, value in weights.items() if name.startswith(HOME)}
    width = own["embed.weight"].shape[1] + 2 * own["encoder.forwards.weight_hh_l0"].shape[1]
    row, places, n_pieces = _in_a_row(graph, pieces)
    x = graph.rows_of(own["embed.weight"], row, name="pieces.embed")  # (batch, cell, piece width)
    states = graph.node(
        "Concat", bilstm_states(graph, own, x, replace(inputs, steps=_steps(graph, n_pieces))), x, axis=2
    )
    back = graph.node("GatherND", states, graph.node("Unsqueeze", places, graph.constant([2])), batch_dims=1)
    shape = graph.node("Concat", graph.node("Shape", pieces), graph.constant([width]), axis=0)
    back = graph.node("Reshape", back, shape)  # (batch, time, piece, width)
    real = graph.node("Cast", graph.node("Greater", pieces, graph.constant(0)), to=TensorProto.FLOAT)
    real = graph.node("Unsqueeze", real, graph.constant([3]))
    total = graph.node("ReduceSum", graph.node("Mul", back, real), graph.constant([2]), keepdims=0)
    count = graph.node("ReduceSum", real, graph.constant([2]), keepdims=0)  # (batch, time, 1)
    return graph.node("Div", total, graph.node("Max", count, graph.constant([1.0])))


def _in_a_row(graph: Graph, pieces: str) -> tuple[str, str, str]:
    """Close the gaps after words of few pieces; return the row, the place of each cell in it, and the number of pieces.

    The row has one cell more than there are: a pad, where every gap looks.
    """
    cells = graph.node("Reshape", pieces, graph.constant([0, -1]))  # (batch, time · piece)
    real = graph.node("Greater", cells, graph.constant(0))
    one_each = graph.node("Cast", real, to=TensorProto.INT64)
    count = graph.node("CumSum", one_each, graph.constant(1))
    shape = graph.node("Shape", cells)
    last = graph.node("Gather", shape, graph.constant(1))
    places = graph.node("Where", real, graph.node("Sub", count, graph.constant(1)), last)
    room = graph.node("Add", shape, graph.constant([0, 1]))
    empty = graph.node("Expand", graph.constant([0]), room)
    row = graph.node("ScatterElements", empty, places, cells, axis=1)
    return row, places, graph.node("ReduceSum", one_each, graph.constant([1]), keepdims=0)


def _steps(graph: Graph, n_pieces: str) -> str:
    """Return lengths (batch,) as the LSTM operator takes them: none is 0."""
    return graph.node("Cast", graph.node("Max", n_pieces, graph.constant([1])), to=TensorProto.INT32)
