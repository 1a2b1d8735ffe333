"""Progress: a live bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, TaskID, TextColumn

from heedful.cli.shared.console import err, has_live_bars, note
from heedful.training.history import (
    EpochEvent,
    EpochRecord,
    Event,
    FitEvent,
    NoteEvent,
    ResumeEvent,
    StepEvent,
    TeacherEvent,
)

EVERY = 20.0  # seconds between plain lines


def live_bar(*columns: ProgressColumn) -> Progress:
    """Return a bar on stderr that does not capture stdout, as rich would by default."""
    return Progress(*columns, console=err, transient=True, redirect_stdout=False, redirect_stderr=False)


def is_watched() -> bool:
    """Return whether somebody sees progress: stderr is a terminal, or this is a notebook."""
    return has_live_bars() or err.is_jupyter


class _Bar:
    """A bar that is shown during a `with` block, on a terminal."""

    _live: bool
    _bar: Progress

    def __enter__(self) -> Self:
        if self._live:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            self._bar.stop()


class TrainingProgress(_Bar):
    """Shows epoch, loss, best dev metric, texts per second and the time left."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._live = has_live_bars() and not quiet
        self._bar = live_bar(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("{task.percentage:3.0f}%  {task.fields[state]}"),
        )
        self._task: TaskID | None = None
        self._said = time.monotonic()
        self._best = "no metric yet"

    def __call__(self, event: Event) -> None:
        """Show an event."""
        if self._quiet:
            return
        match event:
            case NoteEvent():
                note(event.message)
            case EpochEvent():
                self._epoch(event.record)
            case TeacherEvent():
                self._teacher(event)
            case ResumeEvent():
                self._resume(event)
            case FitEvent():
                self._show("fitting the head", event.done, event.total, "", unit="fits")
            case _:
                self._step(event)

    def _resume(self, event: ResumeEvent) -> None:
        best = ""
        if event.best is not None:
            self._best = _best_dev(event.best)
            best = f", {self._best} in epoch {event.best.epoch}"
        note(f"resuming after {event.epoch} {'epoch' if event.epoch == 1 else 'epochs'}{best}")

    def _epoch(self, record: EpochRecord) -> None:
        if record.is_best:
            self._best = _best_dev(record)
        if record.epoch == 0:
            note(f"before the first epoch  dev {shown_figures(record.metrics)}")
            return
        mark = "  best so far" if record.is_best else ""
        note(
            f"epoch {record.epoch:>2}  loss {record.loss:.4f}  dev {shown_figures(record.metrics)}  "
            f"{record.texts_per_second:,.0f} texts/s  {record.seconds:.1f} s{mark}"
        )

    def _teacher(self, event: TeacherEvent) -> None:
        state = f"{event.texts_per_second:,.0f} texts/s  about {duration(event.seconds_left)} left"
        self._show("teacher", event.done, event.total, state)

    def _step(self, event: StepEvent) -> None:
        state = (
            f"loss {event.loss:.4f}  {self._best}  {event.texts_per_second:,.0f} texts/s  "
            f"at most {duration(event.seconds_left)} left"
        )
        self._show(f"epoch {event.epoch}/{event.n_epochs}", event.done, event.total, state)

    def _show(self, what: str, done: int, total: int, state: str, *, unit: str = "texts") -> None:
        if self._live:
            if self._task is None:
                self._task = self._bar.add_task("", total=1.0, state="")
            self._bar.update(self._task, description=what, completed=done / total, state=state)
        elif time.monotonic() - self._said > EVERY:
            self._said = time.monotonic()
            note(f"{what}  {done:,} of {total:,} {unit}  {state}".rstrip())


def _best_dev(record: EpochRecord) -> str:
    return f"best dev {next(iter(record.metrics.values())):.3f}"


class CountProgress(_Bar):
    """Shows how many rows are done, and how fast."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._live = has_live_bars() and not quiet
        self._quiet = quiet
        self._bar = live_bar(SpinnerColumn(), TextColumn("{task.description}"))
        self._task = self._bar.add_task("reading", total=None)
        self._start = self._said = time.monotonic()
        self._done = 0

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
        if kind is None and not self._quiet:
            note(self._state())

    def __call__(self, done: int) -> None:
        """Take the number of rows done so far."""
        self._done = done
        if self._live:
            self._bar.update(self._task, description=self._state())
        elif time.monotonic() - self._said > EVERY and not self._quiet:
            self._said = time.monotonic()
            note(self._state())

    def _state(self) -> str:
        seconds = max(time.monotonic() - self._start, 1e-9)
        return f"{self._done:,} rows  {self._done / seconds:,.0f} per second  {duration(seconds)}"


class TextProgress(_Bar):
    """Shows how many of a known number of texts are done."""

    def __init__(self, what: str, *, quiet: bool = False) -> None:
        self._what, self._quiet = what, quiet
        self._live = has_live_bars() and not quiet
        self._bar = live_bar(
            TextColumn("{task.description}"), BarColumn(bar_width=24), TextColumn("{task.fields[state]}")
        )
        self._task = self._bar.add_task(what, total=1.0, state="")
        self._start = self._said = time.monotonic()
        self._first: int | None = None  # texts done by an earlier run

    def __call__(self, done: int, total: int) -> None:
        """Take the number of texts done so far, and the total."""
        self._first = done - 1 if self._first is None else self._first
        seconds = time.monotonic() - self._start
        left = seconds / max(1, done - self._first) * (total - done)
        state = f"{done:,} of {total:,}  about {duration(left)} left"
        if self._live:
            self._bar.update(self._task, completed=done / max(1, total), state=state)
        elif time.monotonic() - self._said > EVERY and not self._quiet:
            self._said = time.monotonic()
            note(f"{self._what}: {state}")


def shown_figures(figures: Mapping[str, float], between: str = "  ") -> str:
    """Return accuracy 0.912  macro F1 0.910."""
    return between.join(
        f"{name.replace('_f1', ' F1').replace('_', ' ')} {value:.3f}" for name, value in figures.items()
    )


def duration(seconds: float) -> str:
    """Return 45 s, 3 min 20 s, 2 h 5 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
