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
