"""From labelled texts and a large model to a small one that has learned the task from it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, Unpack

from heedful.config import Config
from heedful.errors import ConfigError, TrainingError
from heedful.inputs import INPUTS
from heedful.jobs.encoders.encoder import tell
from heedful.jobs.teach.scores import ScoreCache
from heedful.jobs.teach.texts import TextsToLabel, texts_to_label
from heedful.jobs.teach.tuned_teacher import find_teacher
from heedful.jobs.train.run_options import RunKeywords, RunOptions
from heedful.jobs.train.train import FITTED, TrainResult, can_resume, check_before, train_model
from heedful.runtime.model import load
from heedful.tasks import task_of
from heedful.tasks.task import TEACH
from heedful.training.dataset import Pair, TrainingData, read_data
from heedful.training.taught import TaughtData

STOPPED = TrainResult(None, (), None, is_interrupted=True, facts=None)
BATCH = 64  # texts
FEWEST_EPOCHS, MOST_EPOCHS, ENOUGH = 5, 20, 300_000  # epochs of the student, and texts that it should see in all


def training_job(config: Config) -> Callable[..., TrainResult]:
    """Return the job that trains a model with these settings."""
    return train_model if config.encode.teacher is None else teach_model


def teach_model(
    config: Config,
    out: Path,
    *,
    examples: Pair | None = None,
    material: TrainingData | None = None,
    **options: Unpack[RunKeywords],
) -> TrainResult:
    """Tune the teacher, let it label texts, and train a model on its scores.

    The tuned teacher and its scores are kept beside the model, so a run that was stopped continues where it was.
    """
    check_settings(config)
    out, run = out.absolute(), RunOptions(**options)
    check_before(out, run)
    material = material or read_data(config, given=examples)
    texts = texts_to_label(config, material, run.watcher)
    teacher = find_teacher(config, material, out, run, n_to_label=len(texts))
    if teacher is None:
        return STOPPED
    cache = out.with_name(f"{out.name}.teacher-scores")
    tell(run.watcher, f"the teacher labels {texts}; its scores are kept in {cache}")
    scores = ScoreCache(cache, load(teacher.path), run.watcher, run.should_stop).scores(texts.all)
    if scores is None:
        return STOPPED
    n_valid = len(material.valid)
    known = {part.name: getattr(material, part.name) for part in fields(TrainingData)}
    taught = TaughtData(
        **known,
        more=texts.more,
        scores=scores[n_valid:],
        valid_scores=scores[:n_valid],
        facts={"teacher": teacher.name, **texts.facts},
    )
    tell(run.watcher, f"training the model on the scores of {len(taught.scores):,} texts")
    options["resume"] = can_resume(out, run)
    return train_model(student_config(config, teacher.setting, texts), out, material=taught, **options)


def check_settings(config: Config) -> None:
    """Raise if a model with these settings cannot learn from a teacher."""
    task, faults = task_of(config), []
    if TEACH not in task.can or not INPUTS[config.input].is_text:
        faults.append(f"encode.teacher is for texts with labels or a number, not for {config.input} {config.task}.")
    if config.data.stream:
        faults.append("encode.teacher and data.stream are set: leave one of them out.")
    if config.text.ngrams > 0:
        faults.append("encode.teacher and text.ngrams are set: n-grams do not learn from a teacher. Leave one out.")
    if config.train.tune in FITTED:
        faults.append(f"encode.teacher is set and train.tune is {config.train.tune!r}: set train.tune to 'all'.")
    if faults:
        raise ConfigError(faults)
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        raise TrainingError("a model learns from a teacher in one process. Run the command without torchrun")


def student_config(config: Config, teacher: str, texts: TextsToLabel) -> Config:
    """Return the settings of the small model: by default an encoder that is all trained."""
    settings: dict[str, Any] = {"teacher": teacher, "variations": texts.each, "tune": "all", "ngrams": 0}
    settings["batch_size"] = config.train.batch_size or BATCH
    learned = len(texts) - len(texts.valid)
    settings["epochs"] = config.train.epochs or max(FEWEST_EPOCHS, min(MOST_EPOCHS, ENOUGH // learned))
    return config.changed(**settings)
