"""What turns inputs into vectors, as ONNX nodes."""

from __future__ import annotations

from heedful.data.pieces import PieceShape
from heedful.data.shape import InputShape
from heedful.data.surroundings import SurroundedShape
from heedful.export.encoders import Weights
from heedful.export.graph import Graph
from heedful.export.inputs import Inputs
from heedful.export.letters import spelled_vectors
from heedful.export.pieces import pieced_vectors
from heedful.export.scaled import scaled_vectors
from heedful.export.surroundings import surrounded_vectors


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
