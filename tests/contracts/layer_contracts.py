"""What every encoder, pooler and head must do, each as a function that raises where a layer does not.

A new layer gets all of this by one line in `cases.py`; `test_contracts_reject_wrong_layers.py` shows that each contract
can fail.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

BATCH, TIME, WIDTH = 3, 6, 8
LENGTHS = (6, 4, 1)


def inputs(seed: int = 0) -> tuple[Tensor, Tensor]:
    """Return vectors (batch, time, width) with noise on the pads, and their mask."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(BATCH, TIME, WIDTH, generator=generator)
    mask = torch.arange(TIME) < torch.tensor(LENGTHS)[:, None]
    return x, mask


def longer(x: Tensor, mask: Tensor, extra: int = 3) -> tuple[Tensor, Tensor]:
    """Return the same texts with more padding, noise on it."""
    noise = torch.full((len(x), extra, x.shape[2]), 7.0)
    return torch.cat([x, noise], 1), torch.cat([mask, torch.zeros(len(x), extra, dtype=torch.bool)], 1)


def assert_close(found: Tensor, expected: Tensor, why: str) -> None:
    if not torch.allclose(found, expected, atol=1e-5):
        raise AssertionError(f"{why}: differs by {(found - expected).abs().max():.3g}")


# --- encoders


def encoder_ignores_padding(encoder: nn.Module) -> None:
    x, mask = inputs()
    states, more = encoder(x, mask), encoder(*longer(x, mask))
    for i, n in enumerate(LENGTHS):
        assert_close(more[i, :n], states[i, :n], "more padding changed a state")


def encoder_ignores_company(encoder: nn.Module) -> None:
    x, mask = inputs()
    together = encoder(x, mask)
    for i, n in enumerate(LENGTHS):
        alone = encoder(x[i : i + 1, :n], mask[i : i + 1, :n])
        assert_close(together[i, :n], alone[0], "a state depends on the company in the batch")


def encoder_is_zero_on_pads(encoder: nn.Module) -> None:
    x, mask = inputs()
    if encoder(x, mask)[~mask].abs().max() != 0:
        raise AssertionError("a pad has a state")


def encoder_has_its_width(encoder: nn.Module) -> None:
    x, mask = inputs()
    if encoder(x, mask).shape != (BATCH, TIME, encoder.width):
        raise AssertionError("the states have another width than the encoder says")


# --- poolers


def pooler_weights_are_shares(pooler: nn.Module) -> None:
    x, mask = inputs()
    _, weights = pooler(x, mask)
    if weights.shape != (BATCH, pooler.n_hops, TIME):
        raise AssertionError(f"weights are {tuple(weights.shape)}")
    if weights.min() < 0:
        raise AssertionError("a weight is negative")
    assert_close(weights.sum(-1), torch.ones(BATCH, pooler.n_hops), "weights do not sum to 1")
    if weights[~mask[:, None, :].expand_as(weights)].abs().max() != 0:
        raise AssertionError("a pad has weight")


def pooler_ignores_padding(pooler: nn.Module) -> None:
    x, mask = inputs()
    rows, weights = pooler(x, mask)
    more_rows, more_weights = pooler(*longer(x, mask))
    assert_close(more_rows, rows, "more padding changed the rows")
    assert_close(more_weights[:, :, :TIME], weights, "more padding changed the weights")


def pooler_ignores_company(pooler: nn.Module) -> None:
    x, mask = inputs()
    rows, weights = pooler(x, mask)
    for i, n in enumerate(LENGTHS):
        alone, alone_weights = pooler(x[i : i + 1, :n], mask[i : i + 1, :n])
        assert_close(rows[i], alone[0], "rows depend on the company in the batch")
        assert_close(weights[i, :, :n], alone_weights[0], "weights depend on the company in the batch")


def pooler_survives_an_empty_text(pooler: nn.Module) -> None:
    x, mask = inputs()
    mask = mask.clone()
    mask[1] = False
    rows, weights = pooler(x, mask)
    if not (torch.isfinite(rows).all() and torch.isfinite(weights).all()):
        raise AssertionError("an empty text gives NaN")
    if rows[1].abs().max() != 0 or weights[1].abs().max() != 0:
        raise AssertionError("an empty text has an embedding")


# --- heads


def head_ignores_company(head: nn.Module, n_hops: int) -> None:
    rows = torch.randn(BATCH, n_hops, WIDTH, generator=torch.Generator().manual_seed(1))
    together = head(rows)
    for i in range(BATCH):
        assert_close(together[i], head(rows[i : i + 1])[0], "scores depend on the company in the batch")


# --- all


def gradients_reach_every_parameter(layer: nn.Module, run: Callable[[nn.Module], Tensor]) -> None:
    layer.zero_grad()
    run(layer).square().sum().backward()
    for name, parameter in layer.named_parameters():
        if parameter.grad is None or parameter.grad.abs().max() == 0:
            raise AssertionError(f"no gradient reaches {name}")


ENCODER_CONTRACTS = (encoder_ignores_padding, encoder_ignores_company, encoder_is_zero_on_pads, encoder_has_its_width)
POOLER_CONTRACTS = (
    pooler_weights_are_shares,
    pooler_ignores_padding,
    pooler_ignores_company,
    pooler_survives_an_empty_text,
)
