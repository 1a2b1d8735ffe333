"""The nodes, constants, inputs and outputs of an ONNX file. Anything that our exporter does not write is an error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.store.graph_check.protobuf import Message, WireError, decoded

MAX_NODES = 20_000
MAX_RANK = 8
MAX_KNOWN = 64  # elements of an integer constant whose values matter: shapes, axes, positions
LARGEST = 2**40  # limit of any dimension, to bound products

# Field numbers of onnx.proto; every other field is refused.
_MODEL = {1: "ir_version", 2: "producer_name", 7: "graph", 8: "opset_import"}
_OPSET = {1: "domain", 2: "version"}
_GRAPH = {1: "node", 2: "name", 5: "initializer", 10: "doc_string", 11: "input", 12: "output"}
_NODE = {1: "input", 2: "output", 3: "name", 4: "op_type", 5: "attribute"}
_ATTRIBUTE = {1: "name", 2: "f", 3: "i", 4: "s", 8: "ints", 20: "type"}
_TENSOR = {1: "dims", 2: "data_type", 8: "name", 9: "raw_data"}
_VALUE = {1: "name", 2: "type"}
_TYPE = {1: "tensor_type"}
_TENSOR_TYPE = {1: "elem_type", 2: "shape"}
_SHAPE = {1: "dim"}
_DIM = {1: "dim_value", 2: "dim_param"}
_ITEM_BYTES = {1: 4, 3: 1, 7: 8, 10: 2}  # float32, int8, int64, float16
_ARRAYS = {1: "<f4", 3: "i1", 7: "<i8", 10: "<f2"}
INT64 = 7
FLOAT_ATTRIBUTE, INT_ATTRIBUTE, STRING_ATTRIBUTE, INTS_ATTRIBUTE = 1, 2, 3, 7

Attribute = int | float | str | tuple[int, ...]


@dataclass(frozen=True)
class Node:
    """One operator with the names of its inputs and outputs."""

    operator: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Attribute]


@dataclass(frozen=True)
class Constant:
    """The shape of a constant, and its values if it is small and integer."""

    dims: tuple[int, ...]
    numbers: NDArray[np.int64] | None


@dataclass(frozen=True)
class GraphFile:
    """The parts of a graph that determine its cost. A dimension of an input is a size or a name."""

    nodes: tuple[Node, ...]
    constants: Mapping[str, Constant]
    inputs: Mapping[str, tuple[int | str, ...]]
    outputs: tuple[str, ...]

    @property
    def n_weights(self) -> int:
        """The number of elements in all constants."""
        return sum(prod(constant.dims) for constant in self.constants.values())


def read_graph(content: bytes) -> GraphFile:
    """Parse an ONNX file, or raise WireError."""
    model = Message(memoryview(content), _MODEL, name="the model")
    for opset in model.contents("opset_import"):
        if (domain := Message(opset, _OPSET, name="opset_import").text("domain")) not in ("", "ai.onnx"):
            raise WireError(f"operators of {domain[:60]!r} are not allowed")
    graph = Message(model.content("graph"), _GRAPH, name="the graph")
    nodes = graph.contents("node")
    if not 0 < len(nodes) <= MAX_NODES:
        raise WireError(f"the graph has {len(nodes):,} nodes, expected 1 to {MAX_NODES:,}")
    constants = dict(_constant(field) for field in graph.contents("initializer"))
    inputs = dict(_input(field) for field in graph.contents("input"))
    outputs = tuple(Message(field, _VALUE, name="an output").text("name") for field in graph.contents("output"))
    return GraphFile(tuple(map(_node, nodes)), constants, inputs, outputs)


def read_arrays(content: bytes) -> dict[str, NDArray[Any]]:
    """Return the constants of an ONNX file in the order of the file, or raise WireError. They share its memory."""
    model = Message(memoryview(content), _MODEL, name="the model")
    graph = Message(model.content("graph"), _GRAPH, name="the graph")
    arrays = {}
    for field in graph.contents("initializer"):
        name, constant = _constant(field)
        message = Message(field, _TENSOR, name="a constant")
        kind = _ARRAYS[message.number("data_type")]
        arrays[name] = np.frombuffer(message.content("raw_data"), kind).reshape(constant.dims)
    return arrays


def _node(content: memoryview) -> Node:
    message = Message(content, _NODE, name="a node")
    attributes = dict(_attribute(field) for field in message.contents("attribute"))
    inputs, outputs = (tuple(map(decoded, message.contents(side))) for side in ("input", "output"))
    return Node(message.text("op_type"), inputs, outputs, attributes)


def _attribute(content: memoryview) -> tuple[str, Attribute]:
    message = Message(content, _ATTRIBUTE, name="an attribute")
    name, kind = message.text("name"), message.number("type")
    if kind == INT_ATTRIBUTE:
        return name, message.number("i")
    if kind == INTS_ATTRIBUTE:
        return name, message.numbers("ints")
    if kind == STRING_ATTRIBUTE:
        return name, message.text("s")
    if kind == FLOAT_ATTRIBUTE:
        return name, float(np.frombuffer(message.fixed("f"), "<f4").sum())
    raise WireError(f"attribute {name[:60]!r} has a type that is not allowed")


def _constant(content: memoryview) -> tuple[str, Constant]:
    message = Message(content, _TENSOR, name="a constant")
    name, dims, kind, raw = (
        message.text("name"),
        message.numbers("dims"),
        message.number("data_type"),
        message.content("raw_data"),
    )
    if kind not in _ITEM_BYTES:
        raise WireError(f"constant {name[:60]!r} has a data type that is not allowed")
    checked_dims(dims, name)
    if prod(dims) * _ITEM_BYTES[kind] != len(raw):
        raise WireError(f"constant {name[:60]!r} of shape {dims} has {len(raw):,} bytes of data")
    is_known = kind == INT64 and prod(dims) <= MAX_KNOWN
    return name, Constant(dims, np.frombuffer(raw, "<i8").reshape(dims) if is_known else None)


def _input(content: memoryview) -> tuple[str, tuple[int | str, ...]]:
    message = Message(content, _VALUE, name="an input")
    kind = Message(message.content("type"), _TYPE, name="a type")
    tensor = Message(kind.content("tensor_type"), _TENSOR_TYPE, name="a tensor type")
    shape = Message(tensor.content("shape"), _SHAPE, name="a shape")
    dims: list[int | str] = []
    for field in shape.contents("dim"):
        dim = Message(field, _DIM, name="a dimension")
        dims.append(dim.text("dim_param") if "dim_param" in dim else dim.number("dim_value"))
    name = message.text("name")
    checked_dims(tuple(dim for dim in dims if isinstance(dim, int)), name)
    return name, tuple(dims)


def checked_dims(dims: tuple[int, ...], name: str) -> None:
    """Raise if a shape has too many dimensions, or one that is negative or too large."""
    if len(dims) > MAX_RANK or any(not 0 <= dim <= LARGEST for dim in dims):
        raise WireError(f"{name[:60]!r} has the shape {dims[:10]}, which is not allowed")
