"""An encoder takes a layer, its ONNX nodes and a line in the table: one that is defined here goes the whole way."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tests.contracts.cases import Case
from tests.contracts.layer_contracts import ENCODER_CONTRACTS, gradients_reach_every_parameter, inputs
from tests.network.graph_cases import GraphCase
from torch import Tensor, nn

from heedful import load
from heedful.config import Config
from heedful.errors import ConfigError
from heedful.jobs.train.train import train_model
from heedful.network.build import build_network
from heedful.network.encoders.parts import ENCODERS
from heedful.network.onnx_graph import Graph, Weights
from heedful.network.onnx_inputs import Inputs
from heedful.network.onnx_layers import linear
from heedful.network.parity import check_parity
from heedful.network.part import Part
from heedful.torch_model.network import network_of


class Toy(nn.Module):
    """Each vector by itself through a layer of sines."""

    def __init__(self, width_in: int, *, units: int) -> None:
        super().__init__()
        self.width = units
        self.inner = nn.Linear(width_in, units)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        return torch.sin(self.inner(x)) * mask[:, :, None]


def toy_states(graph: Graph, weights: Weights, x: str, inputs: Inputs) -> str:
    return graph.node("Mul", graph.node("Sin", linear(graph, weights, x, "encoder.inner")), inputs.mask_column)


TOY = Part(layer=f"{__name__}:Toy", nodes=f"{__name__}:toy_states", settings=("units",), sizes=("width_in",))


@pytest.fixture
def _toy(monkeypatch):
    monkeypatch.setitem(ENCODERS, "toy", TOY)


def test_without_its_line_in_the_table_it_cannot_be_chosen():
    with pytest.raises(ConfigError, match="toy"):
        Config().changed(encoder="toy")


@pytest.mark.usefixtures("_toy")
def test_it_is_built_from_settings():
    network = build_network(Config().changed(encoder="toy", units=7).model, n_ids=12, n_classes=2)
    assert type(network.encoder).__name__ == "Toy" and network.encoder.width == 7


def test_it_keeps_the_contracts():
    case = Case(TOY, {})
    for contract in ENCODER_CONTRACTS:
        contract(case.layer())
    gradients_reach_every_parameter(case.layer(), lambda layer: layer(*inputs()))


@pytest.mark.usefixtures("_toy")
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"head": "vector"},
        {"head": "gated", "pooler": "last"},
        {"pooler": "each", "head": "tag", "score": "general"},
        {"whole": True, "count": True, "keep_words": True},
    ],
    ids=str,
)
def test_it_is_written_and_onnx_runtime_agrees_with_torch(settings):
    case = GraphCase({"encoder": "toy", **settings})
    network, graph = case.made()
    assert b"Sin" in graph
    assert check_parity(network, graph, case.features) < 1e-5


@pytest.mark.usefixtures("_toy")
def test_it_is_trained_saved_loaded_and_explained(tiny_settings, examples, tmp_path):
    config = Config().changed(**{**tiny_settings, "encoder": "toy", "units": 8})
    train_model(config, tmp_path / "model", examples=(examples(80)[:60], examples(80)[60:]))
    model = load(tmp_path / "model", threads=1)
    assert model.config.model.encoder == "toy" and type(network_of(model).encoder.encoder).__name__ == "Toy"
    assert np.isfinite(model.predict_proba(["the parcel was great"])).all()
    assert model.explain("the parcel was great").weights.sum(1) == pytest.approx(1.0, abs=1e-5)
