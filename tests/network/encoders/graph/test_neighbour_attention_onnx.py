"""Attention among neighbours gives in ONNX Runtime what it gives in torch."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
import torch

from heedful.data.batch import pad
from heedful.data.features import Item
from heedful.network.encoders.graph.neighbour_attention import NeighbourAttention
from heedful.network.encoders.graph.neighbour_attention_onnx import neighbour_states
from heedful.network.masks import mask_of
from heedful.network.onnx_graph import Graph
from heedful.network.onnx_inputs import declare_inputs
from heedful.network.protocols import Neighbours

WIDTH_IN, WIDTH, HEADS, LAYERS, LINKS = 5, 12, 3, 2, 6
NAMES = ("vectors", "near", "links")


def item(n: int, most: int, seed: int) -> Item:
    """Return a graph of n nodes, each with itself and up to `most` - 1 others."""
    random = np.random.default_rng(seed)
    near, links = random.integers(0, n, (n, most)), random.integers(0, LINKS, (n, most))
    near[:, 0], links[:, 0] = np.arange(n), 1
    return Item({"vectors": random.normal(size=(n, WIDTH_IN)).astype(np.float32), "near": near, "links": links})


def nothing() -> Item:
    return Item({"vectors": np.zeros((0, WIDTH_IN), np.float32), **{k: np.zeros((0, 1), int) for k in NAMES[1:]}})


@pytest.fixture(scope="module")
def encoder():
    torch.manual_seed(0)
    found = NeighbourAttention(WIDTH_IN, WIDTH, n_layers=LAYERS, n_heads=HEADS, inner_units=20, n_links=LINKS).eval()
    found.requires_grad_(False)
    for parameter in found.parameters():
        parameter.add_(0.3 * torch.randn_like(parameter))
    return found


@pytest.fixture(scope="module")
def session(encoder):
    graph = Graph()
    inputs = declare_inputs(graph, NAMES)
    weights = {f"encoder.{name}": value.numpy() for name, value in encoder.state_dict().items()}
    states = neighbour_states(graph, weights, "vectors", inputs, n_layers=LAYERS, n_heads=HEADS, need_looks=True)
    graph.output("states", states, ["batch", "time", "width"])
    return onnxruntime.InferenceSession(graph.to_bytes(description="test"), providers=["CPUExecutionProvider"])


def both(encoder, session, items):
    """Return states and looks of torch, and of ONNX Runtime."""
    batch = pad(items, range(len(items)))
    x, near, links = (torch.from_numpy(batch.inputs[name]) for name in NAMES)
    mask = mask_of(torch.from_numpy(batch.lengths), batch.time)
    neighbours = Neighbours(near, links)
    ours = encoder(x, mask, neighbours), encoder.looks(x, mask, neighbours)
    names = ["states", *(f"looks_{i + 1}" for i in range(LAYERS))]
    states, *looks = session.run(names, {**batch.inputs, "lengths": batch.lengths})
    return ours, (states, np.stack(looks, axis=1))


@pytest.mark.parametrize(
    "items",
    [
        [item(5, 4, 0), item(1, 1, 1), item(9, 3, 2)],
        [item(4, 2, 3), nothing(), item(2, 6, 4)],
        [nothing()],
        [item(300, 40, 5)],
    ],
    ids=["a batch", "with an empty one", "empty alone", "a large one"],
)
def test_onnx_runtime_agrees_with_torch(encoder, session, items):
    ours, theirs = both(encoder, session, items)
    for expected, found in zip(ours, theirs, strict=True):
        assert expected.shape == found.shape and np.isfinite(found).all()
        np.testing.assert_allclose(found, expected.numpy(), atol=1e-4)


def test_many_threads_make_the_same_sums(encoder, session):
    hub = item(400, 60, 6)
    first = both(encoder, session, [hub])[1][0]
    assert all(np.array_equal(both(encoder, session, [hub])[1][0], first) for _ in range(10))


def test_looks_are_no_output_where_they_are_not_needed(encoder):
    graph = Graph()
    inputs = declare_inputs(graph, NAMES)
    weights = {f"encoder.{name}": value.numpy() for name, value in encoder.state_dict().items()}
    states = neighbour_states(graph, weights, "vectors", inputs, n_layers=LAYERS, n_heads=HEADS)
    graph.output("states", states, ["batch", "time", "width"])
    made = onnxruntime.InferenceSession(graph.to_bytes(description="test"), providers=["CPUExecutionProvider"])
    assert [output.name for output in made.get_outputs()] == ["states"]
