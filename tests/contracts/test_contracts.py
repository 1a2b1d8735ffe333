"""Every front, encoder, pooler and head keeps its contracts."""

import pytest
import torch
from tests.contracts.cases import arrays_of, encoder_cases, front_cases, has_weights, head_cases, pooler_cases
from tests.contracts.layer_contracts import (
    BATCH,
    ENCODER_CONTRACTS,
    FRONT_CONTRACTS,
    POOLER_CONTRACTS,
    WIDTH,
    gradients_reach_every_parameter,
    head_ignores_company,
    inputs,
    only,
)

FRONTS, ENCODERS, POOLERS, HEADS = front_cases(), encoder_cases(), pooler_cases(), head_cases()


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


@pytest.mark.parametrize("name", FRONTS)
def test_a_front_keeps_its_contracts(name):
    front, arrays = FRONTS[name].layer().eval(), arrays_of(FRONTS[name])
    for contract in FRONT_CONTRACTS:
        contract(front, arrays)


@pytest.mark.parametrize("name", ENCODERS)
def test_an_encoder_keeps_its_contracts(name):
    encoder = ENCODERS[name].layer().eval()
    for contract in ENCODER_CONTRACTS:
        contract(encoder, linked=ENCODERS[name].linked)


@pytest.mark.parametrize("name", POOLERS)
def test_a_pooler_keeps_its_contracts(name):
    pooler = POOLERS[name].layer().eval()
    for contract in POOLER_CONTRACTS:
        contract(pooler, linked=POOLERS[name].linked)


@pytest.mark.parametrize("name", [name for name, case in POOLERS.items() if not case.linked])
def test_a_pooler_that_needs_no_links_may_be_given_them(name):
    pooler, given = POOLERS[name].layer().eval(), inputs(linked=True)
    for with_links, without in zip(pooler(*given), pooler(*given[:2]), strict=True):
        assert torch.equal(with_links, without)


@pytest.mark.parametrize("name", HEADS)
def test_a_head_ignores_company(name):
    case = HEADS[name]
    head_ignores_company(case.layer().eval(), case.values["n_hops"], texts=2 if case.part.needs_two_texts else 1)


@pytest.mark.parametrize("name", [name for name, case in FRONTS.items() if has_weights(case)])
def test_gradients_reach_every_parameter_of_a_front(name):
    arrays = arrays_of(FRONTS[name])
    gradients_reach_every_parameter(FRONTS[name].layer(), lambda layer: layer(only(arrays)))


# Where only the position of a key counts, no gradient can reach what makes the keys.
@pytest.mark.parametrize("name", [name for name in ENCODERS if name != "transformer, location"])
def test_gradients_reach_every_parameter_of_an_encoder(name):
    x, mask, *near = inputs(linked=ENCODERS[name].linked)
    gradients_reach_every_parameter(
        ENCODERS[name].layer(), lambda layer: layer(x, mask, *near) + 0 * x.requires_grad_().sum()
    )


@pytest.mark.parametrize("name", [name for name, case in POOLERS.items() if has_weights(case)])
def test_gradients_reach_every_parameter_of_a_pooler(name):
    given = inputs(linked=POOLERS[name].linked)
    gradients_reach_every_parameter(POOLERS[name].layer(), lambda layer: layer(*given)[0])


@pytest.mark.parametrize("name", HEADS)
def test_gradients_reach_every_parameter_of_a_head(name):
    rows = torch.randn(BATCH * 8, HEADS[name].values["n_hops"], WIDTH)
    gradients_reach_every_parameter(HEADS[name].layer(), lambda layer: layer(rows))
