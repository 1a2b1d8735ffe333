"""Running a training job with progress and graceful interrupts."""

from __future__ import annotations

import argparse
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from heedful.cli.shared.console import note
from heedful.config import Config
from heedful.training.history import EpochEvent, Event, StepEvent

if TYPE_CHECKING:
    from heedful.jobs.train.train import TrainResult

AT_ONCE = 1.0  # seconds


def run_training(job: Callable[..., TrainResult], config: Config, args: argparse.Namespace, **more: Any) -> TrainResult:
    """Run a training job with the options of the flags; `more` are further keywords of the job."""
    from heedful.cli.shared.progress import TrainingProgress

    stop, path = StopOnInterrupt(), Path(args.out)
    was_there = path.exists()
    with (
        stop,
        said_when_interrupted(lambda: interrupted_sentence(path, was_there=was_there)),
        TrainingProgress(quiet=args.quiet or not is_first_process()) as progress,
    ):

        def watch(event: Event) -> None:
            match event:
                case StepEvent() | EpochEvent():
                    stop.is_training = True
            progress(event)

        return job(
            config,
            path,
            watcher=watch,
            resume=args.resume,
            overwrite=args.overwrite,
            should_stop=lambda: stop.asked,
            **more,
        )


def is_first_process() -> bool:
    """Return whether this is the first process of torchrun, the only one that shows progress."""
    return os.environ.get("RANK", "0") == "0"


@contextmanager
def said_when_interrupted(sentence: Callable[[], str]) -> Iterator[None]:
    """Print a sentence if the block is interrupted, and re-raise."""
    try:
        yield
    except KeyboardInterrupt:
        if is_first_process():
            note(sentence())
        raise


def interrupted_sentence(path: Path, *, was_there: bool) -> str:
    """Return what an immediate interrupt leaves of a training."""
    if has_checkpoint(path):
        return f"Stopped at once. The last checkpoint is kept: to resume, add --resume to the command, --out {path}"
    if path.exists() and not was_there:
        return f"Stopped at once. The model was already written to {path}."
    return f"Stopped before there was a model to keep: nothing was written to {path}."


def has_checkpoint(path: Path) -> bool:
    """Return whether a training into this folder can be resumed: of the model, or of its teacher."""
    model = path.absolute()
    unfinished = (model.with_name(f"{model.name}{more}.training") for more in ("", ".teacher"))
    is_labelling = not model.exists() and model.with_name(f"{model.name}.teacher-scores").exists()
    return is_labelling or any((folder / "checkpoint.safetensors").is_file() for folder in unfinished)


class StopOnInterrupt:
    """Turns the first Ctrl-C or SIGTERM in training into a request to stop after this step; a second stops at once.

    Two at the same moment count as one: torchrun forwards signals that the terminal has sent to all processes.
    """

    def __init__(self) -> None:
        self.asked = False
        self.is_training = not is_first_process()  # only the first process gets progress events
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
