"""Every encoder, pooler and head keeps its contracts."""

import pytest
import torch
from cases import ENCODERS, HEADS, HOPS, POOLERS, WIDTH
from layer_contracts import (
    BATCH,
    ENCODER_CONTRACTS,
    POOLER_CONTRACTS,
    gradients_reach_every_parameter,
    head_ignores_company,
    inputs,
)


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


@pytest.mark.parametrize("contract", ENCODER_CONTRACTS, ids=lambda c: c.__name__)
@pytest.mark.parametrize("name", ENCODERS)
def test_encoder_keeps(name, contract):
    contract(ENCODERS[name]().eval())


@pytest.mark.parametrize("contract", POOLER_CONTRACTS, ids=lambda c: c.__name__)
@pytest.mark.parametrize("name", POOLERS)
def test_pooler_keeps(name, contract):
    contract(POOLERS[name]().eval())


@pytest.mark.parametrize("name", HEADS)
def test_head_ignores_company(name):
    head_ignores_company(HEADS[name]().eval(), HOPS)


@pytest.mark.parametrize("name", ENCODERS)
def test_gradients_reach_every_parameter_of_an_encoder(name):
    x, mask = inputs()
    gradients_reach_every_parameter(ENCODERS[name](), lambda layer: layer(x, mask) + 0 * x.requires_grad_().sum())


@pytest.mark.parametrize("name", [name for name in POOLERS if list(POOLERS[name]().parameters())])
def test_gradients_reach_every_parameter_of_a_pooler(name):
    x, mask = inputs()
    gradients_reach_every_parameter(POOLERS[name](), lambda layer: layer(x, mask)[0])


@pytest.mark.parametrize("name", HEADS)
def test_gradients_reach_every_parameter_of_a_head(name):
    rows = torch.randn(BATCH * 8, HOPS, WIDTH)
    gradients_reach_every_parameter(HEADS[name](), lambda layer: layer(rows))
