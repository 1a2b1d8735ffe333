"""Training with its progress on the terminal, so that Ctrl-C keeps what was learned."""

from __future__ import annotations

import argparse
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from heedful.cli.console import note
from heedful.config import Config
from heedful.training.history import Event, StepEvent

if TYPE_CHECKING:
    from heedful.jobs.train import TrainResult

AT_ONCE = 1.0  # seconds


def run_training(job: Callable[..., TrainResult], config: Config, args: argparse.Namespace, **more: Any) -> TrainResult:
    """Do the job as the flags say: into --out, resumed or anew, quiet or not; `more` is what it takes besides."""
    from heedful.cli.progress import TrainingProgress

    stop = StopOnInterrupt()
    with stop, TrainingProgress(quiet=args.quiet or not is_first_process()) as progress:

        def watch(event: Event) -> None:
            stop.is_training |= isinstance(event, StepEvent)
            progress(event)

        return job(
            config,
            Path(args.out),
            watcher=watch,
            resume=args.resume,
            overwrite=args.overwrite,
            should_stop=lambda: stop.asked,
            **more,
        )


def is_first_process() -> bool:
    """Return whether this process speaks for all that torchrun started: it alone shows progress."""
    return os.environ.get("RANK", "0") == "0"


class StopOnInterrupt:
    """Turns the first Ctrl-C or SIGTERM in training into a wish to stop after the current step; another stops at once.

    Two at the same moment are one wish: torchrun passes on what the terminal has sent to all already.
    """

    def __init__(self) -> None:
        self.asked = False
        self.is_training = not is_first_process()  # only the first is told of progress
        self._before: dict[int, object] = {}
        self._when = 0.0

    def __enter__(self) -> StopOnInterrupt:
        self._before = {sign: signal.signal(sign, self._ask) for sign in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *_: object) -> None:
        for sign, before in self._before.items():
            signal.signal(sign, before)  # type: ignore[arg-type]

    def _ask(self, _: int, __: FrameType | None) -> None:
        now = time.monotonic()
        if self.asked and now - self._when < AT_ONCE and "RANK" in os.environ:
            return
        if self.asked or not self.is_training:
            raise KeyboardInterrupt
        self.asked, self._when = True, now
        if is_first_process():
            note("Stopping after this step; the best model so far is kept. Ctrl-C again stops at once.")
