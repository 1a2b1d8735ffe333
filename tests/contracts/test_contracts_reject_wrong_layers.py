"""The contracts can fail: layers with the faults found in public ports, and others, are rejected."""

import pytest
import torch
from tests.contracts.cases import HOPS
from tests.contracts.layer_contracts import (
    WIDTH,
    encoder_has_its_width,
    encoder_ignores_company,
    encoder_ignores_padding,
    encoder_is_zero_on_pads,
    encoder_survives_an_empty_text,
    front_has_its_width,
    front_ignores_company,
    front_ignores_padding,
    gradients_reach_every_parameter,
    head_ignores_company,
    inputs,
    pooler_ignores_company,
    pooler_ignores_padding,
    pooler_survives_an_empty_text,
    pooler_weights_are_shares,
)
from torch import nn


class PlainBiLstm(nn.Module):
    """Reads the pads first when it goes backwards, as most ports do."""

    width = 10

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(WIDTH, 5, batch_first=True, bidirectional=True)

    def forward(self, x, mask):
        return self.lstm(x)[0] * mask[:, :, None]


class BatchNormed(nn.Module):
    width = WIDTH

    def forward(self, x, mask):
        return (x - x[mask].mean(0)) * mask[:, :, None]


class NoMaskEncoder(nn.Module):
    width = WIDTH + 1  # and says the wrong width

    def forward(self, x, mask):
        return x


class UnmaskedSoftmax(nn.Module):
    """Pads get weight: 4 of 6 ports."""

    n_hops = HOPS

    def __init__(self):
        super().__init__()
        self.hops = nn.Linear(WIDTH, HOPS)

    def forward(self, states, mask):
        weights = self.hops(states).transpose(1, 2).softmax(-1)
        return weights @ states, weights


class InfiniteMask(UnmaskedSoftmax):
    """Masks with minus infinity: an empty text gives NaN."""

    def forward(self, states, mask):
        scores = self.hops(states).transpose(1, 2).masked_fill(~mask[:, None, :], -torch.inf)
        weights = scores.softmax(-1)
        return weights @ states, weights


class SoftmaxOverBatch(UnmaskedSoftmax):
    """Softmax over the wrong axis."""

    def forward(self, states, mask):
        weights = self.hops(states).transpose(1, 2).softmax(0) * mask[:, None, :]
        return weights @ states, weights


class MeanOverTime(nn.Module):
    """An encoder whose empty text has NaN."""

    width = WIDTH

    def forward(self, x, mask):
        mean = (x * mask[:, :, None]).sum(1, keepdim=True) / mask.sum(1)[:, None, None]
        return mean * mask[:, :, None]


class BatchFront(nn.Module):
    width = 2  # and says the wrong width

    def forward(self, ids):
        return (ids - ids.float().mean())[:, :, None]


class CompanyHead(nn.Module):
    def forward(self, rows):
        return rows.flatten(1) - rows.flatten(1).mean(0)


class DeadWeights(nn.Module):
    def __init__(self):
        super().__init__()
        self.used, self.unused = nn.Linear(WIDTH, 2), nn.Linear(WIDTH, 2)

    def forward(self, rows):
        return self.used(rows)


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


@pytest.mark.parametrize(
    ("contract", "wrong"),
    [
        (encoder_ignores_padding, PlainBiLstm),
        (encoder_ignores_company, PlainBiLstm),
        (encoder_ignores_company, BatchNormed),
        (encoder_is_zero_on_pads, NoMaskEncoder),
        (encoder_has_its_width, NoMaskEncoder),
        (encoder_survives_an_empty_text, MeanOverTime),
        (pooler_weights_are_shares, UnmaskedSoftmax),
        (pooler_ignores_padding, UnmaskedSoftmax),
        (pooler_survives_an_empty_text, InfiniteMask),
        (pooler_survives_an_empty_text, UnmaskedSoftmax),
        (pooler_weights_are_shares, SoftmaxOverBatch),
        (pooler_ignores_company, SoftmaxOverBatch),
    ],
)
def test_contract_rejects(contract, wrong):
    with pytest.raises(AssertionError):
        contract(wrong().eval())


@pytest.mark.parametrize("contract", [front_has_its_width, front_ignores_padding, front_ignores_company])
def test_contract_rejects_a_front(contract):
    with pytest.raises(AssertionError):
        contract(BatchFront(), {"ids": torch.arange(1, 19).view(3, 6)})


def test_contract_rejects_a_head_that_minds_its_company():
    with pytest.raises(AssertionError):
        head_ignores_company(CompanyHead(), HOPS)


def test_contract_rejects_weights_that_no_gradient_reaches():
    x, _ = inputs()
    with pytest.raises(AssertionError, match="unused"):
        gradients_reach_every_parameter(DeadWeights(), lambda layer: layer(x))
