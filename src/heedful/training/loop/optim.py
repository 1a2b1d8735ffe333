"""Optimisers in which the table of vectors is updated row by row, and a schedule over all steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from heedful.settings import TrainSettings

Optimisers = Sequence[torch.optim.Optimizer]


def make_optimisers(network: nn.Module, sparse: Sequence[Tensor], settings: TrainSettings) -> Optimisers:
    """Return one optimiser for the dense weights and one for the sparse rows, if these are tuned.

    Weight decay is for dense weights only: on the table it would touch every row at every step.
    """
    rows = [p for p in sparse if p.requires_grad]
    dense = [p for p in network.parameters() if p.requires_grad and not any(p is s for s in sparse)]
    make_dense, make_sparse = MAKERS[settings.optimiser]
    # the default of torch, set explicitly so that Adagrad does not warn
    torch.sparse.check_sparse_tensor_invariants.disable()  # type: ignore[no-untyped-call]
    made = [make_dense(dense, settings)]
    if rows:
        made.append(make_sparse(rows, settings))
    return made


_Maker = Callable[[Sequence[Tensor], TrainSettings], torch.optim.Optimizer]
MAKERS: dict[str, tuple[_Maker, _Maker]] = {
    "adam": (
        lambda p, s: torch.optim.Adam(p, lr=s.lr, weight_decay=s.l2, fused=True),
        lambda p, s: torch.optim.SparseAdam(p, lr=s.lr),
    ),
    "adamw": (
        lambda p, s: torch.optim.AdamW(p, lr=s.lr, weight_decay=s.l2, fused=True),
        lambda p, s: torch.optim.SparseAdam(p, lr=s.lr),
    ),
    "sgd": (
        lambda p, s: torch.optim.SGD(p, lr=s.lr, weight_decay=s.l2),
        lambda p, s: torch.optim.SGD(p, lr=s.lr),
    ),
    "adagrad": (
        lambda p, s: torch.optim.Adagrad(p, lr=s.lr, weight_decay=s.l2),
        lambda p, s: torch.optim.Adagrad(p, lr=s.lr),
    ),
}


def learning_rate(settings: TrainSettings, step: int, n_steps: int) -> float:
    """Return the learning rate for a step: a rise over `warmup`, then constant, straight down or half a cosine."""
    rise = round(settings.warmup * n_steps)
    if step < rise:
        return settings.lr * (step + 1) / rise
    if settings.schedule == "constant":
        return settings.lr
    done = min(1.0, (step - rise) / max(1, n_steps - rise))
    fall = 1.0 - done if settings.schedule == "linear" else 0.5 * (1.0 + math.cos(math.pi * done))
    return settings.lr * max(fall, 0.01)


def set_learning_rate(optimisers: Optimisers, lr: float) -> None:
    """Set the learning rate of all optimisers."""
    for optimiser in optimisers:
        for group in optimiser.param_groups:
            group["lr"] = lr


def clip_gradients(parameters: Sequence[Tensor], limit: float) -> None:
    """Scale all gradients so that their norm is at most `limit`, sparse ones by the rows they have."""
    grads = [_values(p) for p in parameters if p.grad is not None]
    norm = torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(g) for g in grads]))
    scale = float(limit / (norm + 1e-6))
    if scale < 1.0:
        torch._foreach_mul_(grads, scale)


def _values(parameter: Tensor) -> Tensor:
    """Return the values of a gradient; a sparse one is coalesced first."""
    assert parameter.grad is not None
    if not parameter.grad.is_sparse:
        return parameter.grad
    parameter.grad = parameter.grad.coalesce()
    return parameter.grad.values()
