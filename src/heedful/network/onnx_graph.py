"""A small writer of ONNX graphs: each call adds a node and returns the name of its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from heedful.store.weights import as_int8

Weights = Mapping[str, NDArray[np.float32]]  # by the names of `Network.state_dict`
OPSET, IR_VERSION = 17, 8  # old enough for any ONNX Runtime of the last years
ZERO_POINT = 128  # of inputs of products in an int8 graph, which are bytes
MOST_INT8 = 64  # of weights in products: with 127, processors without VNNI overflow 16 bits in pairs of products


class Graph:
    """An ONNX graph under construction."""

    def __init__(self, *, small: bool = False, int8: bool = False) -> None:
        self._small, self._int8 = small, int8
        self._quantized: dict[str, tuple[str, str, str]] = {}  # values with their int8 form, scale and zero point
        self._nodes: list[Any] = []
        self._constants: dict[str, Any] = {}
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []
        self._count = 0
        self._renamed: dict[str, str] = {}  # results of nodes that became outputs

    def input(self, name: str, axes: Sequence[str | int], *, is_float: bool = False) -> str:
        """Declare an input of whole numbers, or of floats, with named axes."""
        kind = TensorProto.FLOAT if is_float else TensorProto.INT64
        self._inputs.append(helper.make_tensor_value_info(name, kind, axes))
        return name

    def output(self, name: str, source: str, axes: list[str | int]) -> None:
        """Declare a float output: `source` under this name. A node for it would cost a copy at every run."""
        if not any(source in node.output for node in self._nodes):  # a constant, or an output already
            self._nodes.append(helper.make_node("Identity", [self._renamed.get(source, source)], [name]))
        else:
            self._renamed[source] = name
            for node in self._nodes:
                for side in (node.input, node.output):
                    side[:] = [name if value == source else value for value in side]
        self._outputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, axes))

    def constant(self, value: NDArray[Any] | Sequence[float] | float, *, name: str | None = None) -> str:
        """Put an array into the graph: whole numbers as int64, others as float32."""
        array = np.asarray(value)
        array = array.astype(np.int64 if array.dtype.kind in "iu" else np.float32)
        name = name or self._fresh("constant")
        self._constants[name] = numpy_helper.from_array(array.copy(order="C"), name)
        return name

    def matrix(self, value: NDArray[Any]) -> str:
        """Put weights into the graph; in a small graph as float16, which ONNX Runtime widens once, when it loads."""
        if not self._small:
            return self.constant(value)
        name = self._fresh("halves")
        self._constants[name] = numpy_helper.from_array(np.asarray(value, np.float16).copy(order="C"), name)
        return self.node("Cast", name, to=TensorProto.FLOAT)

    def product(self, x: str, matrix: NDArray[np.float32]) -> str:
        """Multiply x (…, width) with weights (width, units); in an int8 graph as whole numbers.

        The weights have a scale for each column, x one for each row: so an input's company in a batch changes nothing.
        """
        if not self._int8:
            return self.node("MatMul", x, self.matrix(matrix))
        values, scales = as_int8(matrix.T, most=MOST_INT8)
        if x not in self._quantized:
            self._quantized[x] = self._as_bytes(x)
        whole, scale, zero = self._quantized[x]
        weights = self._fresh("int8")
        self._constants[weights] = numpy_helper.from_array(values.T.copy(order="C"), weights)
        total = self.node("Cast", self.node("MatMulInteger", whole, weights, zero), to=TensorProto.FLOAT)
        return self.node("Mul", self.node("Mul", total, self.constant(scales.ravel())), scale)

    def _as_bytes(self, x: str) -> tuple[str, str, str]:
        """Return x (…, width) as whole numbers from 1 to 255 around a zero point, the scale of each row, and that."""
        largest = self.node("ReduceMax", self.node("Abs", x), axes=[-1], keepdims=1)
        scale = self.node("Div", self.node("Max", largest, self.constant(1e-12)), self.constant(127.0))
        steps = self.node("Round", self.node("Div", x, scale))
        whole = self.node("Cast", self.node("Add", steps, self.constant(float(ZERO_POINT))), to=TensorProto.UINT8)
        return whole, scale, self.node("Cast", self.constant(ZERO_POINT), to=TensorProto.UINT8)

    def rows_of(self, table: NDArray[np.float32], ids: str, *, name: str) -> str:
        """Look up rows of a table; in a small graph it is kept as int8, with a scale for each row."""
        if not (self._small or self._int8):
            return self.node("Gather", self.constant(table, name=name), ids)
        values, scales = as_int8(table)
        self._constants[name] = numpy_helper.from_array(values, name)
        whole = self.node("Cast", self.node("Gather", name, ids), to=TensorProto.FLOAT)
        return self.node("Mul", whole, self.node("Gather", self.constant(scales), ids))

    def node(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """Add a node with one result."""
        result = self._fresh(operator)
        named = [self._renamed.get(name, name) for name in inputs]
        self._nodes.append(helper.make_node(operator, named, [result], name=result, **attributes))
        return result

    def to_bytes(self, *, description: str) -> bytes:
        """Check the graph and return it as a file's content."""
        graph = helper.make_graph(
            self._nodes, "heedful", self._inputs, self._outputs, list(self._constants.values()), doc_string=description
        )
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION, producer_name="heedful"
        )
        onnx.checker.check_model(model, full_check=True)
        return bytes(model.SerializeToString())

    def _fresh(self, stem: str) -> str:
        self._count += 1
        return f"{stem}_{self._count}"
