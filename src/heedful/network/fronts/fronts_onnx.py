"""What turns inputs into vectors, as ONNX nodes."""

from __future__ import annotations

from heedful.data.input_spec import InputShape
from heedful.inputs.molecule.environments import SurroundedShape
from heedful.network.encoders.encoders_onnx import Weights
from heedful.network.fronts.environments_onnx import surrounded_vectors
from heedful.network.fronts.scaled_onnx import scaled_vectors
from heedful.network.fronts.word_chars_onnx import spelled_vectors
from heedful.network.fronts.word_pieces_onnx import pieced_vectors
from heedful.network.onnx_graph import Graph
from heedful.network.onnx_inputs import Inputs
from heedful.tasks.tag.word_pieces import PieceShape


def front(graph: Graph, weights: Weights, inputs: Inputs, shape: InputShape) -> str:
    """Vectors (batch, time, width) of what comes in."""
    if isinstance(shape, SurroundedShape):
        return surrounded_vectors(graph, weights, inputs)
    if shape.width:
        return scaled_vectors(graph, weights, inputs.arrays["vectors"])
    if shape.is_one_hot:
        return one_hot_vectors(graph, inputs, shape.n_ids)
    if isinstance(shape, PieceShape):
        return pieced_vectors(graph, weights, inputs)
    if shape.n_letters:
        return spelled_vectors(graph, weights, inputs.ids, inputs.arrays["letters"])
    return graph.rows_of(weights["embed.weight"], inputs.ids, name="embed")


def one_hot_vectors(graph: Graph, inputs: Inputs, n_ids: int) -> str:
    """A 1 in the place of each id; the pad is all 0."""
    hot = graph.node("OneHot", inputs.ids, graph.constant(n_ids), graph.constant([0.0, 1.0]))
    return graph.node("Mul", hot, inputs.mask_column)
