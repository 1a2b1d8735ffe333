"""The gate of the paper's pair model as ONNX nodes."""

from __future__ import annotations

from collections.abc import Sequence

from heedful.network.onnx_graph import Graph


def gates_of(graph: Graph, sides: Sequence[str], matrices: Sequence[str]) -> str:
    """Return the product (pair, hop · gate) of the rows (pair, hop, width) of both texts, each mapped hop by hop.

    The matrices are (hop, width, gate).
    """
    by_hop = [graph.node("Transpose", side, perm=[1, 0, 2]) for side in sides]  # (hop, pair, width)
    mapped = [graph.node("MatMul", side, matrix) for side, matrix in zip(by_hop, matrices, strict=True)]
    together = graph.node("Transpose", graph.node("Mul", *mapped), perm=[1, 0, 2])  # (pair, hop, gate)
    return graph.node("Flatten", together)
