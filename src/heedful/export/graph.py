"""A small writer of ONNX graphs: each call adds a node and returns the name of its result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

OPSET, IR_VERSION = 17, 8  # old enough for any ONNX Runtime of the last years


class Graph:
    """An ONNX graph under construction."""

    def __init__(self) -> None:
        self._nodes: list[Any] = []
        self._constants: dict[str, Any] = {}
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []
        self._count = 0

    def input(self, name: str, axes: list[str]) -> str:
        """Declare an int64 input with named axes."""
        self._inputs.append(helper.make_tensor_value_info(name, TensorProto.INT64, axes))
        return name

    def output(self, name: str, source: str, axes: list[str | int]) -> None:
        """Declare a float output, made from `source`."""
        self._nodes.append(helper.make_node("Identity", [source], [name]))
        self._outputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, axes))

    def constant(self, value: NDArray[Any] | Sequence[float] | float, *, name: str | None = None) -> str:
        """Put an array into the graph: whole numbers as int64, others as float32."""
        array = np.asarray(value)
        array = array.astype(np.int64 if array.dtype.kind in "iu" else np.float32)
        name = name or self._fresh("constant")
        self._constants[name] = numpy_helper.from_array(array.copy(order="C"), name)
        return name

    def node(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """Add a node with one result."""
        result = self._fresh(operator)
        self._nodes.append(helper.make_node(operator, list(inputs), [result], name=result, **attributes))
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
