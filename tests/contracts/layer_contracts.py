"""What every front, encoder, pooler and head must do, each as a function that raises where a layer does not.

A new part gets all of this by its line in a table of parts: `cases.py` reads the tables.
`test_contracts_reject_wrong_layers.py` shows that each contract can fail.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from heedful.network.protocols import Neighbours

BATCH, TIME, WIDTH = 3, 6, 8
LENGTHS = (6, 4, 1)
N_LINKS, NEAR = 4, 3  # kinds of links, and neighbours of each vector

Arguments = tuple[Any, ...]  # of an encoder or a pooler: vectors, mask, and the links of a graph


def inputs(*, linked: bool = False) -> Arguments:
    """Return vectors (batch, time, width) with noise on the pads, their mask, and links where they are asked for."""
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(BATCH, TIME, WIDTH, generator=generator)
    lengths = torch.tensor(LENGTHS)[:, None]
    mask = torch.arange(TIME) < lengths
    if not linked:
        return x, mask
    near = torch.randint(0, 10**6, (BATCH, TIME, NEAR), generator=generator) % lengths[:, :, None]
    links = torch.randint(0, N_LINKS, (BATCH, TIME, NEAR), generator=generator)
    near[:, :, 0], links[:, :, 0] = torch.arange(TIME) * mask, 1  # itself first
    return x, mask, Neighbours(near, links)


def longer(x: Tensor, mask: Tensor, *near: Neighbours, extra: int = 3) -> Arguments:
    """Return the same texts with more padding, noise on it; of graphs, longer lists of neighbours too."""
    noise = torch.full((len(x), extra, x.shape[2]), 7.0)
    x, mask = torch.cat([x, noise], 1), torch.cat([mask, torch.zeros(len(x), extra, dtype=torch.bool)], 1)
    return x, mask, *(Neighbours(*(nn.functional.pad(side, (0, 2, 0, extra)) for side in each)) for each in near)


def alone(i: int, n: int, x: Tensor, mask: Tensor, *near: Neighbours) -> Arguments:
    """Return text i, n tokens long, without company and padding."""
    text = (slice(i, i + 1), slice(n))
    return x[text], mask[text], *(Neighbours(*(side[text] for side in each)) for each in near)


def assert_close(found: Tensor, expected: Tensor, why: str) -> None:
    if not torch.allclose(found, expected, atol=1e-5):
        raise AssertionError(f"{why}: differs by {(found - expected).abs().max():.3g}")


# --- fronts: of what comes in, arrays (batch, time, …) by name


def only(arrays: dict[str, Tensor]) -> Any:
    """Return several arrays by name, and one as itself."""
    return next(iter(arrays.values())) if len(arrays) == 1 else arrays


def front_has_its_width(front: nn.Module, arrays: dict[str, Tensor]) -> None:
    if front(only(arrays)).shape != (BATCH, TIME, front.width):
        raise AssertionError("the vectors have another width than the front says")


def front_ignores_padding(front: nn.Module, arrays: dict[str, Tensor]) -> None:
    vectors = front(only(arrays))
    wider = {name: nn.functional.pad(array, _after(array, 1)) for name, array in arrays.items()}
    assert_close(front(only(wider))[:, :TIME], vectors, "more padding changed a vector")


def front_ignores_company(front: nn.Module, arrays: dict[str, Tensor]) -> None:
    together = front(only(arrays))
    for i, n in enumerate(LENGTHS):
        vectors = front(only({name: array[i : i + 1, :n] for name, array in arrays.items()}))
        assert_close(together[i, :n], vectors[0], "a vector depends on the company in the batch")


def _after(array: Tensor, extra: int) -> tuple[int, ...]:
    """Return padding at the end of time and, of whole numbers, of what is inside a token."""
    inside = 0 if array.is_floating_point() else extra
    return (0, extra) if array.dim() == 2 else (0, inside, 0, extra)


# --- encoders


def encoder_ignores_padding(encoder: nn.Module, *, linked: bool = False) -> None:
    given = inputs(linked=linked)
    states, more = encoder(*given), encoder(*longer(*given))
    for i, n in enumerate(LENGTHS):
        assert_close(more[i, :n], states[i, :n], "more padding changed a state")


def encoder_ignores_company(encoder: nn.Module, *, linked: bool = False) -> None:
    given = inputs(linked=linked)
    together = encoder(*given)
    for i, n in enumerate(LENGTHS):
        assert_close(together[i, :n], encoder(*alone(i, n, *given))[0], "a state depends on the company in the batch")


def encoder_is_zero_on_pads(encoder: nn.Module, *, linked: bool = False) -> None:
    given = inputs(linked=linked)
    if encoder(*given)[~given[1]].abs().max() != 0:
        raise AssertionError("a pad has a state")


def encoder_has_its_width(encoder: nn.Module, *, linked: bool = False) -> None:
    if encoder(*inputs(linked=linked)).shape != (BATCH, TIME, encoder.width):
        raise AssertionError("the states have another width than the encoder says")


def encoder_survives_an_empty_text(encoder: nn.Module, *, linked: bool = False) -> None:
    x, mask, *near = inputs(linked=linked)
    states = encoder(x, mask & torch.tensor([True, False, True])[:, None], *near)
    if not torch.isfinite(states).all() or states[1].abs().max() != 0:
        raise AssertionError("an empty text has states, or NaN")


# --- poolers: those with a row for each token say 0 hops, and a pad looks at nothing


def pooler_weights_are_shares(pooler: nn.Module, *, linked: bool = False) -> None:
    x, mask, *near = inputs(linked=linked)
    _, weights = pooler(x, mask, *near)
    if weights.shape != (BATCH, pooler.n_hops or TIME, TIME):
        raise AssertionError(f"weights are {tuple(weights.shape)}")
    if weights.min() < 0:
        raise AssertionError("a weight is negative")
    expected = torch.ones(BATCH, pooler.n_hops) if pooler.n_hops else mask.float()
    assert_close(weights.sum(-1), expected, "weights do not sum to 1")
    if weights[~mask[:, None, :].expand_as(weights)].abs().max() != 0:
        raise AssertionError("a pad has weight")


def pooler_ignores_padding(pooler: nn.Module, *, linked: bool = False) -> None:
    given = inputs(linked=linked)
    rows, weights = pooler(*given)
    more_rows, more_weights = pooler(*longer(*given))
    assert_close(more_rows[:, : rows.shape[1]], rows, "more padding changed the rows")
    assert_close(more_weights[:, : rows.shape[1], :TIME], weights, "more padding changed the weights")


def pooler_ignores_company(pooler: nn.Module, *, linked: bool = False) -> None:
    given = inputs(linked=linked)
    rows, weights = pooler(*given)
    for i, n in enumerate(LENGTHS):
        own_rows, own_weights = pooler(*alone(i, n, *given))
        n_rows = own_rows.shape[1]
        assert_close(rows[i, :n_rows], own_rows[0], "rows depend on the company in the batch")
        assert_close(weights[i, :n_rows, :n], own_weights[0], "weights depend on the company in the batch")


def pooler_survives_an_empty_text(pooler: nn.Module, *, linked: bool = False) -> None:
    x, mask, *near = inputs(linked=linked)
    rows, weights = pooler(x, mask & torch.tensor([True, False, True])[:, None], *near)
    if not (torch.isfinite(rows).all() and torch.isfinite(weights).all()):
        raise AssertionError("an empty text gives NaN")
    if rows[1].abs().max() != 0 or weights[1].abs().max() != 0:
        raise AssertionError("an empty text has an embedding")


# --- heads: of pairs, the rows of all first texts come before those of all second texts


def head_ignores_company(head: nn.Module, n_hops: int, *, texts: int = 1) -> None:
    sides = torch.randn(texts, BATCH, n_hops, WIDTH, generator=torch.Generator().manual_seed(1))
    together = head(sides.flatten(0, 1))
    if len(together) != BATCH:
        raise AssertionError(f"{BATCH} inputs have {len(together)} answers")
    for i in range(BATCH):
        assert_close(together[i], head(sides[:, i])[0], "scores depend on the company in the batch")


# --- all


def gradients_reach_every_parameter(layer: nn.Module, run: Callable[[nn.Module], Tensor]) -> None:
    layer.zero_grad()
    run(layer).square().sum().backward()
    for name, parameter in layer.named_parameters():
        if parameter.requires_grad and (parameter.grad is None or parameter.grad.to_dense().abs().max() == 0):
            raise AssertionError(f"no gradient reaches {name}")


FRONT_CONTRACTS = (front_has_its_width, front_ignores_padding, front_ignores_company)
ENCODER_CONTRACTS = (
    encoder_ignores_padding,
    encoder_ignores_company,
    encoder_is_zero_on_pads,
    encoder_has_its_width,
    encoder_survives_an_empty_text,
)
POOLER_CONTRACTS = (
    pooler_weights_are_shares,
    pooler_ignores_padding,
    pooler_ignores_company,
    pooler_survives_an_empty_text,
)
