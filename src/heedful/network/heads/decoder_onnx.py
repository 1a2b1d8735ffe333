"""A translator as two ONNX graphs: one that reads a text, and one that says the next token."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto

from heedful.data.input_spec import InputSpec
from heedful.network.choice import chosen_parts
from heedful.network.heads.decoder import Memory
from heedful.network.masks_onnx import LOW
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import declare_inputs
from heedful.network.onnx_layers import linear
from heedful.network.poolers.mean_max_last_onnx import mean_rows
from heedful.network.scores.score_onnx import write_score
from heedful.network.write import encoder_writer
from heedful.settings import ModelSettings

MEMORY = Memory._fields  # what goes from one token to the next


def reader_graph(settings: ModelSettings, weights: Weights) -> bytes:
    """Write ids (batch, time) and lengths (batch,) to states (batch, time, width) and what the decoder begins with."""
    graph, parts = Graph(), chosen_parts(settings, InputSpec(n_ids=1), wrappers=["keep_words"])
    inputs = declare_inputs(graph)
    x = graph.rows_of(weights["embed.weight"], inputs.ids, name="embed")  # (batch, time, width)
    states = encoder_writer(parts)(graph, weights, x, inputs)
    mean, _ = mean_rows(graph, weights, states, inputs)  # (batch, 1, width)
    initial = graph.node("Tanh", linear(graph, weights, mean, "head.begin"))  # (batch, 1, 2 · units)
    first, second = _parts(graph, initial, 2, weights["head.begin.bias"].size // 2)
    none = graph.node("Mul", first, graph.constant(0.0))
    for name, source in zip(MEMORY, (first, none, second, none), strict=True):
        graph.output(name, source, ["batch", 1, "units"])
    graph.output("states", states, ["batch", "time", "width"])
    return graph.to_bytes(description=f"{settings.encoder} encoder of a translator")


def step_graph(settings: ModelSettings, weights: Weights) -> bytes:
    """Write the tokens before (batch, beam), the memory and the states to log-probabilities, memory and weights.

    Texts that go on in several ways share their states: the ways are the queries of the attention.
    """
    graph = Graph()
    before = graph.input("before", ["batch", "beam"])
    memory = [graph.input(name, ["batch", "beam", "units"], is_float=True) for name in MEMORY]
    states = graph.input("states", ["batch", "time", "width"], is_float=True)
    lengths = graph.input("lengths", ["batch"])
    table = graph.constant(weights["head.table"], name="table")
    x = graph.node("Gather", table, before)  # (batch, beam, width)
    first, first_cell = _lstm(graph, weights, x, memory[0], memory[1], "head.first")
    looks = _attend(graph, settings, weights, first, states, lengths)  # (batch, beam, time)
    context = graph.node("MatMul", looks, states)
    both = graph.node("Concat", first, context, axis=2)
    second, second_cell = _lstm(graph, weights, both, memory[2], memory[3], "head.second")
    joined = linear(graph, weights, graph.node("Concat", second, context, axis=2), "head.join")
    scores = _against(graph, graph.node("Tanh", joined), table, weights)
    graph.output("log_probabilities", graph.node("LogSoftmax", scores, axis=-1), ["batch", "beam", "id"])
    for name, source in zip(MEMORY, (first, first_cell, second, second_cell), strict=True):
        graph.output(f"next_{name}", source, ["batch", "beam", "units"])
    graph.output("weights", looks, ["batch", "beam", "time"])
    return graph.to_bytes(description=f"one step of a translator's decoder, {settings.score} attention")


def _attend(graph: Graph, settings: ModelSettings, weights: Weights, asked: str, states: str, lengths: str) -> str:
    """Softmax of the scores (batch, beam, time) over the real tokens, exactly 0 on pads; all 0 for an empty text."""
    time = graph.node("Gather", graph.node("Shape", states), graph.constant(1))
    positions = graph.node("Range", graph.constant(0), time, graph.constant(1))  # (time,)
    real = graph.node("Less", positions, graph.node("Unsqueeze", lengths, graph.constant([1, 2])))  # (batch, 1, time)
    scores = write_score(settings.score, graph, weights, asked, states, "head.score")
    shares = graph.node("Softmax", graph.node("Where", real, scores, graph.constant(LOW)), axis=-1)
    return graph.node("Mul", shares, graph.node("Cast", real, to=TensorProto.FLOAT))


def _lstm(graph: Graph, weights: Weights, x: str, state: str, cell: str, name: str) -> tuple[str, str]:
    """One step of an LSTM over x (batch, beam, width): its state and its cell (batch, beam, units)."""
    bias = weights[f"{name}.bias_ih_l0"] + weights[f"{name}.bias_hh_l0"]
    joint = np.concatenate([weights[f"{name}.weight_ih_l0"], weights[f"{name}.weight_hh_l0"]], axis=1)
    gates = graph.node("MatMul", graph.node("Concat", x, state, axis=2), graph.matrix(joint.T))
    let_in, forget, fresh, let_out = _parts(graph, graph.node("Add", gates, graph.matrix(bias)), 4, bias.size // 4)
    let_in, forget, let_out = (graph.node("Sigmoid", gate) for gate in (let_in, forget, let_out))
    kept = graph.node("Mul", forget, cell)
    now = graph.node("Add", kept, graph.node("Mul", let_in, graph.node("Tanh", fresh)))
    return graph.node("Mul", let_out, graph.node("Tanh", now)), now


def _against(graph: Graph, outs: str, table: str, weights: Weights) -> str:
    """Scores (batch, beam, id) of the table's rows, without a second copy of the table."""
    width = weights["head.table"].shape[1]
    flat = graph.node("Reshape", outs, graph.constant([-1, width]))
    scores = graph.node("Gemm", flat, table, graph.matrix(weights["head.bias"]), transB=1)  # (batch · beam, id)
    shape = graph.node("Shape", outs, end=2)
    return graph.node("Reshape", scores, graph.node("Concat", shape, graph.constant([-1]), axis=0))


def _parts(graph: Graph, x: str, n: int, units: int) -> list[str]:
    """Cut the last axis of x (batch, beam, n · units) into its parts."""
    ends = [graph.constant([i * units]) for i in range(n + 1)]
    return [graph.node("Slice", x, ends[i], ends[i + 1], graph.constant([2])) for i in range(n)]
