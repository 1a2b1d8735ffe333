"""The check of a graph before ONNX Runtime sees it: it reads what protobuf reads, and its bounds hold."""

from __future__ import annotations

import ast
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import onnx
import onnxruntime
import pytest
from hypothesis import given

import heedful.network
from heedful.config import Config
from heedful.data.input_spec import InputSpec
from heedful.errors import ModelFolderError
from heedful.network.build import build_network
from heedful.network.write import onnx_graph
from heedful.store.graph_check.cost import check_graph, sizes
from heedful.store.graph_check.graph_file import read_graph
from heedful.store.graph_check.protobuf import Message, WireError, fields
from heedful.store.graph_check.shape_rules import RULES

SMALL = {
    "embed_width": 6, "units": 6, "n_hops": 3, "attention_width": 4, "hidden": 7, "row_units": 3, "column_units": 2,
    "n_heads": 2, "inner_units": 9, "vector_width": 8, "gate_units": 4,
}  # fmt: skip
NETWORKS = {
    "bilstm": {"encoder": "bilstm"},
    "cnn, full head": {"encoder": "cnn", "head": "full"},
    "static, all beside": {"encoder": "static", "keep_words": True, "count": True, "whole": True},
    "transformer, additive": {"encoder": "transformer", "self_score": "additive", "score": "general"},
    "last": {"encoder": "bilstm", "pooler": "last"},
    "max, mapped": {"encoder": "cnn", "pooler": "max", "head": "mapped"},
    "pair": {"encoder": "static", "head": "gated"},
    "bilinear": {"encoder": "static", "head": "bilinear"},
    "likeness": {"encoder": "bilstm", "head": "likeness"},
    "location": {"encoder": "transformer", "self_score": "location", "places": False, "score": "location"},
    "neighbours": {"encoder": "neighbours"},
    "graph attention": {"encoder": "graph_attention"},
}
GRAPHS = ("neighbours", "graph_attention")


def graph_of(settings: dict) -> bytes:
    made = Config().changed(**{**SMALL, **settings}).model
    shape = InputSpec(width=6, n_links=4) if made.encoder in GRAPHS else InputSpec(n_ids=12)
    network = build_network(made, shape=shape, n_classes=4).eval().requires_grad_(False)
    return onnx_graph(made, {name: tensor.numpy() for name, tensor in network.state_dict().items()}, shape=shape)


def inputs_of(graph: onnx.GraphProto, axes: dict[str, int]) -> dict[str, np.ndarray]:
    rng, made = np.random.default_rng(0), {}
    for value in graph.input:
        kind = value.type.tensor_type
        dims = [axes[dim.dim_param] if dim.dim_param else dim.dim_value for dim in kind.shape.dim]
        if value.name == "lengths":
            made[value.name] = np.full(dims, axes["time"])
        elif kind.elem_type == onnx.TensorProto.INT64:
            made[value.name] = rng.integers(0, 3, dims)
        else:
            made[value.name] = rng.normal(size=dims).astype(np.float32)
    return made


@pytest.mark.parametrize("name", NETWORKS)
def test_no_tensor_is_larger_than_its_bound(name):
    content = graph_of(NETWORKS[name])
    axes = {"batch": 2, "time": 7, "near": 4, "width in": 6, "one or answers": 1}
    model = onnx.shape_inference.infer_shapes(onnx.load_from_string(content))
    kinds = {value.name: value.type.tensor_type.elem_type for value in model.graph.value_info}
    results = [node.output[0] for node in model.graph.node if node.output[0] in kinds]
    model.graph.output.extend(onnx.helper.make_tensor_value_info(result, kinds[result], None) for result in results)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    arrays = dict(zip(results, session.run(results, inputs_of(model.graph, axes)), strict=True))
    bounds = {node.outputs[0]: size for node, size in sizes(read_graph(content), axes)}
    assert len(arrays) > 10
    for result, array in arrays.items():
        assert array.size <= bounds[result].elements, result


def test_every_operator_that_the_exporter_writes_is_allowed():
    written = set()
    for file in Path(heedful.network.__file__).parent.rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            is_node = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "node"
            if is_node and call.args and isinstance(call.args[0], ast.Constant):
                written.add(call.args[0].value)
    assert len(written) > 40 and written <= RULES.keys()


@pytest.mark.parametrize("name", ["bilstm", "transformer, additive", "pair"])
def test_it_reads_what_the_library_reads(name):
    content = graph_of(NETWORKS[name])
    ours, theirs = read_graph(content), onnx.load_from_string(content).graph
    for mine, node in zip(ours.nodes, theirs.node, strict=True):
        assert (mine.operator, mine.inputs, mine.outputs) == (node.op_type, tuple(node.input), tuple(node.output))
        values = {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute}
        for key, value in mine.attributes.items():
            other = values[key].decode() if isinstance(values[key], bytes) else values[key]
            assert value == pytest.approx(tuple(other) if isinstance(value, tuple) else other)
    for constant in theirs.initializer:
        array, mine = onnx.numpy_helper.to_array(constant), ours.constants[constant.name]
        assert mine.dims == array.shape
        if mine.numbers is not None:
            np.testing.assert_array_equal(mine.numbers, array)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_graph_or_one_error(content):
    with pytest.raises(ModelFolderError) as refused:
        check_graph(content, name="model.onnx")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"\x08\x01\x08\x01", "has number 2 times"),
        (b"\x0a\x00", "unexpected wire type"),
        (b"\x10\x01", "a field 2 that heedful does not write"),
        (b"\x08", "truncated"),
        (b"\x08" + b"\xff" * 10 + b"\x01", "more than 64 bits"),
        (b"\x0b", "wire type 3"),
        (b"\x0a\x7f", "truncated"),
    ],
)
def test_what_a_library_would_let_through_is_refused(content, problem):
    with pytest.raises(WireError, match=problem):
        Message(memoryview(content), {1: "number"}, name="this").number("number")


def test_negative_and_packed_numbers_are_read():
    below_zero = (2**64 - 5).to_bytes(9, "little")
    assert below_zero[-1] == 0
    message = onnx.TensorProto(dims=[3, 4], data_type=1)
    raw = memoryview(message.SerializeToString())
    assert Message(raw, {1: "dims", 2: "kind"}, name="a tensor").numbers("dims") == (3, 4)
    packed = memoryview(b"\x0a\x02\x03\x04")
    assert Message(packed, {1: "dims"}, name="a tensor").numbers("dims") == (3, 4)
    attribute = memoryview(onnx.AttributeProto(name="axis", i=-5, type=2).SerializeToString())
    assert Message(attribute, {1: "name", 3: "i", 20: "type"}, name="an attribute").number("i") == -5
    assert [number for number, _, _ in fields(raw)] == [1, 1, 2]
