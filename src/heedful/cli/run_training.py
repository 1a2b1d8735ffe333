"""Training with its progress on the terminal, so that Ctrl-C keeps what was learned."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from heedful.cli.console import note
from heedful.config import Config
from heedful.training.history import Event, StepEvent

if TYPE_CHECKING:
    from heedful.jobs.train import TrainResult


def run_training(job: Callable[..., TrainResult], config: Config, args: argparse.Namespace, **more: Any) -> TrainResult:
    """Do the job as the flags say: into --out, resumed or anew, quiet or not; `more` is what it takes besides."""
    from heedful.cli.progress import TrainingProgress

    stop = StopOnInterrupt()
    with stop, TrainingProgress(quiet=args.quiet) as progress:

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


class StopOnInterrupt:
    """Turns the first Ctrl-C in training into a wish to stop after the current step; any other stops at once."""

    def __init__(self) -> None:
        self.asked = self.is_training = False
        self._before: object = None

    def __enter__(self) -> StopOnInterrupt:
        self._before = signal.signal(signal.SIGINT, self._ask)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)  # type: ignore[arg-type]

    def _ask(self, _: int, __: FrameType | None) -> None:
        if self.asked or not self.is_training:
            raise KeyboardInterrupt
        self.asked = True
        note("Stopping after this step; the best model so far is kept. Ctrl-C again stops at once.")
