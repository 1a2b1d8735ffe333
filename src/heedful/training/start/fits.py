"""Progress and number of threads of a series of small fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from torch import nn

from heedful.network.network import Network
from heedful.training.loop.device import threads

OnFit = Callable[[int, int], None]  # (fits done, fits in all)
# Multiplications in one matrix product. Below this, waiting for a second thread costs more than it brings, and on a
# busy machine ten times more: each product waits until the system has run every thread.
SMALL_WORK = 500_000_000


def ignore_fit(_: int, __: int) -> None:
    """Ignore progress."""


@contextmanager
def threads_for_work(multiplications: int) -> Iterator[None]:
    """Use one thread of torch for small work, and as many as before for large work."""
    with threads(1 if multiplications < SMALL_WORK else 0):
        yield


def work_of(network: Network, batch: int, time: int) -> int:
    """Return the multiplications in one matrix product of a network; an LSTM has one product for each time."""
    is_recurrent = any(isinstance(module, nn.LSTM) for module in network.modules())
    return batch * (1 if is_recurrent else time) * int(network.encoder.width) ** 2
