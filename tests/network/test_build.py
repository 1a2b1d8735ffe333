"""Which share of numbers is dropped where."""

from __future__ import annotations

import pytest
import torch

from heedful.config import Config
from heedful.data.input_spec import InputSpec
from heedful.errors import ConfigError
from heedful.inputs import INPUTS
from heedful.network.build import build_network
from heedful.network.encoders.graph.neighbour_attention import EdgeAttention, NeighbourLayer
from heedful.training.resolve import resolve

SMALL = {"input": "molecule", "units": 8, "inner_units": 8, "n_hops": 2, "row_units": 2}
HALF = 128  # of 256, as Dropout counts


def network(**settings):
    config = resolve(Config().with_given(**{**SMALL, **settings}), n_texts=100)
    return build_network(config.model, shape=InputSpec(width=5, n_links=4), n_classes=2)


def cuts(net):
    """Return the shares for what comes in, for weights among neighbours, for their states and for rows."""
    layers = [module for module in net.modules() if isinstance(module, NeighbourLayer)]
    looks = [module for module in net.modules() if isinstance(module, EdgeAttention)]
    assert len(layers) == len(looks) == INPUTS["molecule"].defaults["n_layers"]
    return net.drop_input.cut, {look.drop.cut for look in looks}, {layer.drop.cut for layer in layers}, net.drop.cut


def test_each_place_has_a_share_of_its_own():
    assert cuts(network(dropout=0.5, input_dropout=0.25, attention_dropout=0.0)) == (64, {0}, {HALF}, HALF)


def test_without_a_share_of_its_own_a_place_has_that_of_all():
    net = build_network(
        Config().changed(encoder="neighbours", units=8, dropout=0.5).model,
        shape=InputSpec(width=5, n_links=4),
        n_classes=2,
    )
    assert net.drop_input.cut == net.drop.cut == HALF
    assert {module.drop.cut for module in net.modules() if isinstance(module, EdgeAttention)} == {HALF}


def test_with_no_share_for_what_comes_in_all_of_it_is_seen():
    net = network(dropout=0.5, input_dropout=0.0).train()
    seen = []
    net.encoder.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    vectors, near = torch.ones(3, 4, 5), torch.zeros(3, 4, 1, dtype=torch.int64)
    net({"vectors": vectors, "near": near, "links": near + 1}, torch.ones(3, 4, dtype=torch.bool))
    torch.testing.assert_close(seen[0], vectors)


@pytest.mark.parametrize("name", ["input_dropout", "attention_dropout"])
def test_a_share_above_all_is_refused(name):
    with pytest.raises(ConfigError, match=f"model.{name} is 1.5, expected at most 0.95"):
        Config().with_given(**{name: 1.5})
