import numpy as np
import pytest
import torch

from heedful.config import Config
from heedful.inputs.graph.featuriser import GraphFeaturiser
from heedful.inputs.graph.graph import Graph
from heedful.network.build import build_network
from heedful.network.parity import check_parity
from heedful.network.write import onnx_graph


def graph(n, edges, seed):
    return Graph(
        tuple(map(str, range(n))), np.random.default_rng(seed).normal(size=(n, 3)), edges, columns=("a", "b", "c")
    )


@pytest.mark.parametrize("task", ["tag", "classify"])
def test_a_model_of_graphs_gives_in_onnx_runtime_what_it_gives_in_torch(task):
    graphs = [graph(5, [(0, 1), (1, 2), (3, 1)], 0), graph(1, [], 1), graph(3, [(0, 2)], 2)]
    config = Config().changed(input="graph", task=task)
    featuriser = GraphFeaturiser.learned(graphs, config)
    answers = {"pooler": "each", "head": "tag"} if task == "tag" else {}
    sizes = {"units": 8, "n_heads": 2, "inner_units": 9, "n_layers": 2}
    settings = config.changed(encoder="neighbours", **sizes, **answers).model
    network = build_network(settings, shape=featuriser.shape, n_classes=4, seed=3).eval().requires_grad_(False)
    for parameter in network.pooler.parameters():
        parameter.mul_(2.0)
    exported = onnx_graph(
        settings, {name: t.numpy() for name, t in network.state_dict().items()}, shape=featuriser.shape
    )
    features = [featuriser.features(one) for one in graphs]
    assert check_parity(network, exported, features) < 1e-5
    inputs = {name: torch.from_numpy(array)[None].float() for name, array in features[0].arrays.items()}
    inputs |= {name: inputs[name].long() for name in ("near", "links")}
    output = network(inputs, torch.ones(1, 5, dtype=torch.bool))
    assert output.weights.max() > 0.3  # not all alike: the test can see something
