"""A batch as a network takes it, and with some of its words unknown."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from heedful.data.batch import Batch
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


def _some_unknown(ids: Tensor, mask: Tensor, share: float) -> Tensor:
    """Map ids (batch, time) or (batch, time, …) to the same, with some of those of real places unknown."""
    real = mask.view(*mask.shape, *[1] * (ids.dim() - mask.dim()))
    return ids.masked_fill((torch.rand(ids.shape, device=ids.device) < share) & real, UNKNOWN)
