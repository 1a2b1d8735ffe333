"""A teacher's scores, kept on disk."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heedful.errors import TrainingError
from heedful.files.atomic import naming, replacing
from heedful.jobs.encoders.teacher import shard_name
from heedful.runtime.model import Model
from heedful.training.history import TeacherEvent, Watcher

Scores = NDArray[np.float32]
SHARD = 1_024  # texts in a file: the most that a kill can lose


@dataclass(frozen=True)
class ScoreCache:
    """The scores of a teacher in a folder, in files of so many texts."""

    folder: Path
    teacher: Model
    watcher: Watcher
    should_stop: Callable[[], bool]

    def scores(self, texts: Sequence[str]) -> Scores | None:
        """Return scores (text, label), from the folder if they are in it; None if the user asked to stop."""
        with naming(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        started, n_new = time.monotonic(), 0
        shards: list[Scores] = []
        for start in range(0, len(texts), SHARD):
            if self.should_stop():
                return None
            part = texts[start : start + SHARD]
            file = self.folder / f"{shard_name(self.teacher.fingerprint, part)}.npy"
            shard = self._kept(file, len(part))
            if shard is None:
                shard = self._label(file, part)
                n_new += len(part)
            shards.append(shard)
            rate = max(n_new, 1) / max(time.monotonic() - started, 1e-9)
            done = start + len(part)
            self.watcher(TeacherEvent(done, len(texts), rate, (len(texts) - done) / rate))
        return np.concatenate(shards)

    def _kept(self, file: Path, n_texts: int) -> Scores | None:
        """Return the scores in a file, or None; a damaged file is written again."""
        if file.is_file():
            with suppress(OSError, ValueError, EOFError):
                kept: Scores = np.load(file, allow_pickle=False)
                if kept.dtype == np.float32 and kept.shape == (n_texts, len(self.teacher.labels)):
                    return kept
        return None

    def _label(self, file: Path, texts: Sequence[str]) -> Scores:
        scores = np.zeros((len(texts), len(self.teacher.labels)), np.float32)
        for batch, (some,) in self.teacher.run(self.teacher.featurise(texts), (self.teacher.output,)):
            scores[batch.positions] = some
        if not np.isfinite(scores).all():
            at = int(np.flatnonzero(~np.isfinite(scores).all(axis=1))[0])
            raise TrainingError(f"the teacher {self.teacher.path} gives {texts[at]!r:.60} scores that are not finite")
        with replacing(file) as partial, naming(file), partial.path.open("wb") as stream:
            np.save(stream, scores)
        return scores
