"""Atoms beside what stands around them give in ONNX Runtime what they give in torch."""

import numpy as np
import pytest

from heedful.config import Config
from heedful.data.features import Item
from heedful.inputs.molecule.environments import SurroundedShape
from heedful.network.build import build_network
from heedful.network.parity import check_parity
from heedful.network.write import onnx_graph

WIDTH_IN, LINKS, KNOWN, RADII = 5, 6, 9, 3
SIZES = {
    "embed_width": 7,
    "units": 12,
    "n_heads": 3,
    "inner_units": 9,
    "n_hops": 3,
    "attention_width": 4,
    "row_units": 3,
}


def item(n: int, seed: int, *, has_links: bool) -> Item:
    """Return a molecule of n atoms, each with itself and two others near."""
    random = np.random.default_rng(seed)
    arrays = {
        "vectors": random.normal(size=(n, WIDTH_IN)).astype(np.float32),
        "surroundings": random.integers(1, KNOWN, (n, RADII)),
    }
    if has_links:
        near, links = random.integers(0, n, (n, 3)), random.integers(0, LINKS, (n, 3))
        near[:, 0], links[:, 0] = np.arange(n), 1
        arrays |= {"near": near, "links": links}
    return Item(arrays)


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("encoder", ["neighbours", "transformer", "static"])
def test_onnx_runtime_agrees_with_torch(encoder, whole):
    has_links = encoder == "neighbours"
    settings = Config().changed(encoder=encoder, whole=whole, count=True, **SIZES).model
    shape = SurroundedShape(width=WIDTH_IN, n_links=LINKS if has_links else 0, n_surroundings=KNOWN, n_radii=RADII)
    network = build_network(settings, shape=shape, n_classes=3, seed=1).eval().requires_grad_(False)
    weights = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    graph = onnx_graph(settings, weights, shape=shape)
    items = [*(item(n, n, has_links=has_links) for n in (5, 1, 9)), shape.smallest()]
    assert check_parity(network, graph, items) < 1e-4
