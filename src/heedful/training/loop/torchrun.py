"""A group of processes that torch's launcher started: `torchrun --nproc-per-node 2 -m heedful train …`."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TypeVar

import numpy as np
import torch
import torch.distributed as dist
from torch import Tensor, nn

from heedful.errors import HeedfulError, TrainingError
from heedful.training.goal import Judged
from heedful.training.loop.process_group import ALONE, Group, LeftAloneError, Positions, Seen

T = TypeVar("T")
PATIENCE = timedelta(hours=4)  # of those who wait while the first judges and writes; who dies is noticed at once

COURTESY = 5.0  # seconds for which the others leave it to the first to say what is wrong


@contextmanager
def joined(device: str = "auto") -> Iterator[Group]:
    """Join the processes that the launcher started; without it, work alone."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1 or "RANK" not in os.environ:
        yield ALONE
        return
    if dist.is_initialized():  # a user's own program has joined already
        yield Processes()
        return
    has_gpus = device != "cpu" and torch.cuda.is_available()
    if has_gpus:
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
    try:
        dist.init_process_group("nccl" if has_gpus else "gloo", timeout=PATIENCE)
    except (RuntimeError, ValueError) as error:
        raise TrainingError(f"the {size} processes of this training do not find each other: {error}") from None
    try:
        yield Processes()
    except HeedfulError:
        if dist.get_rank() > 0:
            _leave_it_to_the_first()
        raise
    finally:
        dist.destroy_process_group()


def _leave_it_to_the_first() -> None:
    """Wait a little: most errors occur in all processes, the first reports them, and the launcher ends the others."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    time.sleep(COURTESY)


class Processes:
    """One of several processes."""

    def __init__(self) -> None:
        self.rank, self.size = dist.get_rank(), dist.get_world_size()
        self._device = torch.device("cuda" if dist.get_backend() == "nccl" else "cpu")

    @property
    def is_first(self) -> bool:
        """Whether this process writes and shows progress."""
        return self.rank == 0

    def part(self, positions: Positions) -> Positions:
        """Return every nth text. Texts are sorted by length, so all processes get similar work."""
        return positions[self.rank :: self.size]

    def summed(self, seen: Seen) -> Sequence[float]:
        """Return the sums over all processes."""
        values = torch.tensor(seen.as_sums(), dtype=torch.float64, device=self._device)
        self._together(lambda: dist.all_reduce(values))
        return [float(value) for value in values]

    def sum_gradients(self, parameters: Sequence[Tensor], sparse: Sequence[Tensor]) -> None:
        """Sum dense gradients as one long vector, sparse ones row by row."""
        rows = [p for p in parameters if any(p is s for s in sparse)]
        dense = [p for p in parameters if not any(p is s for s in sparse)]
        self._sum_dense(dense)
        for parameter in rows:
            self._sum_rows(parameter)

    def _sum_dense(self, parameters: Sequence[Tensor]) -> None:
        has = torch.tensor([float(p.grad is not None) for p in parameters], device=self._device)
        parts = [torch.zeros_like(p) if p.grad is None else p.grad for p in parameters]
        flat = torch.cat([*(part.flatten().float() for part in parts), has])
        self._together(lambda: dist.all_reduce(flat))
        at = 0
        for parameter, n_with in zip(parameters, flat[-len(parameters) :].tolist(), strict=True):
            gradient = flat[at : at + parameter.numel()].view_as(parameter).to(parameter.dtype)
            parameter.grad = (
                gradient if n_with else None
            )  # parameters without a gradient are left alone, as in a single process
            at += parameter.numel()

    def _sum_rows(self, parameter: Tensor) -> None:
        grad = parameter.grad.coalesce() if parameter.grad is not None else _no_rows(parameter)
        places, values = grad.indices()[0], grad.values()
        sizes = [torch.zeros(1, dtype=torch.int64, device=self._device) for _ in range(self.size)]
        mine = torch.tensor([len(places)], device=self._device)
        self._together(lambda: dist.all_gather(sizes, mine))
        most = max(int(size) for size in sizes)
        all_places, all_values = (self._gathered(each, most) for each in (places, values))
        kept = [slice(int(size)) for size in sizes]
        indices = torch.cat([each[keep] for each, keep in zip(all_places, kept, strict=True)])
        rows = torch.cat([each[keep] for each, keep in zip(all_values, kept, strict=True)])
        parameter.grad = torch.sparse_coo_tensor(indices[None], rows, parameter.shape).coalesce()

    def _gathered(self, mine: Tensor, most: int) -> list[Tensor]:
        """Return the tensors of all processes, padded to the same length."""
        padded = mine.new_zeros((most, *mine.shape[1:]))
        padded[: len(mine)] = mine
        parts = [torch.zeros_like(padded) for _ in range(self.size)]
        self._together(lambda: dist.all_gather(parts, padded))
        return parts

    def any(self, flag: bool) -> bool:
        """Return whether the flag is set in any process."""
        count = torch.tensor([int(flag)], device=self._device)
        self._together(lambda: dist.all_reduce(count))
        return bool(count)

    def same_weights(self, network: nn.Module) -> None:
        """Broadcast the weights of the first process: with one seed they differ only by rounding on other CPUs."""
        for tensor in network.state_dict().values():
            self._together(lambda tensor=tensor: dist.broadcast(tensor, src=0))  # type: ignore[misc]

    def judged(self, judge: Callable[[], Judged]) -> Judged:
        """Compute metrics in the first process and broadcast them."""
        content = json.dumps(judge()._asdict()).encode() if self.is_first else None
        values = json.loads(self.bytes_of_first(content) or b"")
        return Judged(values["metrics"], values["loss"], (values["rank"][0], values["rank"][1]))

    def bytes_of_first(self, content: bytes | None) -> bytes | None:
        """Broadcast the bytes of the first process: the length, -1 for none, then the content."""
        size = torch.tensor([-1 if content is None else len(content)], dtype=torch.int64, device=self._device)
        self._together(lambda: dist.broadcast(size, src=0))
        if int(size) < 0:
            return None
        data = torch.empty(int(size), dtype=torch.uint8, device=self._device)
        if self.is_first and content is not None:
            data.copy_(torch.from_numpy(np.frombuffer(content, dtype=np.uint8).copy()))
        self._together(lambda: dist.broadcast(data, src=0))
        return data.cpu().numpy().tobytes()

    def _together(self, call: Callable[[], T]) -> T:
        try:
            return call()
        except RuntimeError as error:  # gloo and nccl have no class of their own for a peer that is gone
            why = re.sub(r"^\[[^]]*\] ", "", str(error).splitlines()[0]).partition(". ")[0][
                :120
            ]  # without gloo's own path
            raise LeftAloneError(
                f"another process of this training is gone ({why}). The checkpoint is kept: continue with resume"
            ) from None


def _no_rows(parameter: Tensor) -> Tensor:
    places = torch.zeros((1, 0), dtype=torch.int64, device=parameter.device)
    return torch.sparse_coo_tensor(places, parameter.new_zeros((0, parameter.shape[1])), parameter.shape).coalesce()
