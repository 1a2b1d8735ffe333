"""Where torch works, and with how many threads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from heedful.errors import TrainingError


@contextmanager
def threads(n: int) -> Iterator[None]:
    """Let torch use `n` threads, as many as it likes for 0, and put things back."""
    before = torch.get_num_threads()
    torch.set_num_threads(n or before)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def pick_device(asked: str) -> torch.device:
    """Return the device to train on."""
    if asked == "cuda" and not torch.cuda.is_available():
        raise TrainingError("device is cuda, but torch finds no GPU. Use device auto or cpu")
    return torch.device("cuda" if asked != "cpu" and torch.cuda.is_available() else "cpu")


def seed_random(seed: int, device: torch.device) -> None:
    """Seed the random numbers that are drawn on a device.

    For each step, `torch.manual_seed` is slow: it notes from where it was called for each kind of device that is not
    in use.
    """
    if device.type == "cpu":
        torch.default_generator.manual_seed(seed)
    else:
        torch.manual_seed(seed)
