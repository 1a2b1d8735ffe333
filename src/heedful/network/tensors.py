"""A batch as a network takes it, and with some of its words unknown."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from heedful.data.batch import Batch
from heedful.data.features import PAD
from heedful.data.input_spec import SURROUNDINGS
from heedful.network.masks import mask_of
from heedful.network.network import Inputs
from heedful.text.vocab import UNKNOWN

WORDS = ("ids", SURROUNDINGS)  # arrays of which training reads some as unknown


def tensors_of(batch: Batch, device: torch.device | str = "cpu") -> tuple[Inputs, Tensor]:
    """Return what a network takes: the arrays of a batch, and the mask."""
    arrays = {name: torch.from_numpy(array).to(device) for name, array in batch.inputs.items()}
    mask = mask_of(torch.from_numpy(batch.lengths).to(device), batch.time)
    return (next(iter(arrays.values())) if len(arrays) == 1 else arrays), mask


def with_unknown_words(inputs: Inputs, mask: Tensor, share: float) -> Inputs:
    """Let some tokens, or patterns around atoms, be read as unknown; what is neither stays as it is."""
    if isinstance(inputs, Mapping):
        return {name: _some_unknown(array, mask, share) if name in WORDS else array for name, array in inputs.items()}
    return inputs if inputs.is_floating_point() else _some_unknown(inputs, mask, share)


def with_words_removed(inputs: Inputs, mask: Tensor, share: float) -> tuple[Inputs, Tensor]:
    """Remove random tokens from a share of the texts: of each such text, from none to all but one.

    A network that has seen shortened texts gives reliable answers to them, so that removing a word shows its effect.
    Inputs that are not plain texts stay as they are.
    """
    if isinstance(inputs, Mapping) or inputs.is_floating_point() or inputs.dim() != 2:
        return inputs, mask
    is_chosen = torch.rand(len(inputs), 1, device=inputs.device) < share
    rate = torch.rand(len(inputs), 1, device=inputs.device)
    kept = mask & (~is_chosen | (torch.rand(inputs.shape, device=inputs.device) < rate))
    kept[:, 0] |= mask[:, 0] & ~kept.any(dim=1)
    order = torch.argsort(~kept, dim=1, stable=True)  # kept tokens first, in their order
    left = torch.arange(inputs.shape[1], device=inputs.device)[None] < kept.sum(dim=1, keepdim=True)
    return inputs.gather(1, order).masked_fill(~left, PAD), left


def _some_unknown(ids: Tensor, mask: Tensor, share: float) -> Tensor:
    """Map ids (batch, time) or (batch, time, …) to the same, with some of those of real places unknown."""
    real = mask.view(*mask.shape, *[1] * (ids.dim() - mask.dim()))
    return ids.masked_fill((torch.rand(ids.shape, device=ids.device) < share) & real, UNKNOWN)
