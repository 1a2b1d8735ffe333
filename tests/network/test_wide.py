"""The wide part: its scores by hand, and its graph."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from heedful.config import Config
from heedful.data.features import Item
from heedful.data.input_spec import NGRAM_COUNTS, NGRAMS, InputSpec
from heedful.network.build import build_network
from heedful.network.parity import check_parity
from heedful.network.wide.ngram_scores import Wide
from heedful.network.write import onnx_graph

SHAPE = InputSpec(n_ids=12, n_ngrams=9)


def item(ids: list[int], ngrams: list[int], counts: list[float]) -> Item:
    arrays = {"ids": np.array(ids, dtype=np.int32), NGRAMS: np.array(ngrams, dtype=np.int64)}
    return Item({**arrays, NGRAM_COUNTS: np.array(counts, dtype=np.float32)})


ITEMS = [
    item([3, 4, 5], [1, 4, 8], [1.0, 1.7, 1.0]),
    item([6], [], []),
    item([], [], []),
    item([7, 7, 2, 9, 3, 3], [2, 3, 4, 5, 6, 7], [1.0, 1.0, 2.1, 1.0, 1.0, 1.7]),
]


def wide_part() -> Wide:
    wide = Wide(9, 3)
    generator = torch.Generator().manual_seed(0)
    wide.factors[1:] = torch.rand(8, generator=generator) + 0.5
    wide.weight[1:] = torch.randn(8, 3, generator=generator)
    wide.bias[:] = torch.tensor([0.1, -0.2, 0.3])
    return wide


def test_scores_are_a_sum_over_n_grams_of_a_row_of_length_1():
    wide = wide_part()
    ids, counts = torch.tensor([[1, 4, 8, 0]]), torch.tensor([[1.0, 1.7, 1.0, 0.0]])
    values = (wide.factors[ids[0]] * counts[0]).double().numpy()
    values /= np.linalg.norm(values)
    expected = values @ wide.weight[ids[0]].double().numpy() + wide.bias.double().numpy()
    np.testing.assert_allclose(wide(ids, counts)[0], expected, atol=1e-6)


def test_without_n_grams_the_scores_are_the_bias():
    wide = wide_part()
    np.testing.assert_allclose(wide(torch.zeros(1, 0, dtype=torch.int64), torch.zeros(1, 0))[0], wide.bias)


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("settings", [{"head": "linear"}, {"head": "mapped"}, {"encoder": "static", "head": "linear"}])
def test_the_graph_agrees_with_torch(settings, small):
    model = Config().changed(units=5, n_hops=2, embed_width=6, attention_width=4, **settings).model
    network = build_network(model, shape=SHAPE, n_classes=3).eval()
    network.wide = wide_part()
    weights = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    if small:
        from heedful.store.weights import rounded

        weights = rounded(weights)
        network.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    graph = onnx_graph(model, weights, shape=SHAPE, small=small)
    assert check_parity(network, graph, ITEMS, small=small) < (1e-3 if small else 1e-5)
