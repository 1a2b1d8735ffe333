"""The receiver of progress events: a watcher, a display, or nobody."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from heedful.training.history import Watcher, nobody


def watching(watcher: Watcher | None, progress: bool | None) -> AbstractContextManager[Watcher]:
    """Return the given watcher, a display on stderr if it is wanted or somebody sees it, or nobody."""
    if watcher is not None:
        return nullcontext(watcher)
    from heedful.cli.shared.progress import TrainingProgress, is_watched

    if progress is False or (progress is None and not is_watched()):
        return nullcontext(nobody)
    return TrainingProgress()
