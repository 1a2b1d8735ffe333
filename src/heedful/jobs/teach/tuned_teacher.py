"""The teacher: a classifier as it is, or an encoder that is tuned on the labels first."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from heedful.config import Config
from heedful.errors import ModelFolderError, listed
from heedful.files.json_text import json_text
from heedful.jobs.encoders.encoder import tell
from heedful.jobs.teach.estimate import estimate
from heedful.jobs.train.choose_start import read_start
from heedful.jobs.train.run_options import RunOptions
from heedful.jobs.train.train import can_resume, is_unfinished, settings_identity, train_model
from heedful.store.folder import is_model_folder, read_folder
from heedful.store.shipped import model_path
from heedful.tasks import answer_kind
from heedful.training.dataset import TrainingData

# Settings of the training that are the teacher's too; the others are the student's alone.
SHARED = ("seed", "device", "threads", "checkpoint_minutes", "class_weights", "figure", "max_tokens")
FEWEST_EPOCHS, MOST_EPOCHS, ENOUGH = 3, 20, 6_000  # epochs of a teacher, and texts that it should see in all
PATIENCE = 5  # epochs


@dataclass(frozen=True)
class Teacher:
    """A classifier to learn from."""

    name: str
    setting: str  # for config.toml
    path: Path


@dataclass(frozen=True)
class TeacherData(TrainingData):
    """TrainingData of a teacher, whose facts say what it was tuned from."""

    identity: str = ""

    def prepared(self, prepared: Any) -> Any:
        """Return the same with the identity in the facts."""
        return replace(prepared, facts={**prepared.facts, "identity": self.identity})


def find_teacher(
    config: Config, material: TrainingData, out: Path, options: RunOptions, *, n_to_label: int
) -> Teacher | None:
    """Return the teacher, tuned if it is an encoder; None if the user asked to stop."""
    given = config.encode.teacher or ""
    path = model_path(given)
    if not path.is_dir():
        raise ModelFolderError(
            f"{given} is not a folder. A teacher is the folder of an encoder, or of a model of the same task"
        )
    setting = str(path.absolute()) if path == Path(given) else given
    if is_model_folder(path) and answer_kind((stored := read_folder(path)).config) != "vector":
        kind = answer_kind(stored.config, many=stored.facts.is_multilabel)
        _check_same_answer(path, kind, stored.facts.labels, config, material)
        return Teacher(path.absolute().name, setting, path)
    tuned = _tuned(setting, config, material, out, options, n_to_label)
    return Teacher(path.absolute().name, setting, tuned) if tuned else None


def _check_same_answer(path: Path, kind: str, labels: tuple[str, ...], config: Config, material: TrainingData) -> None:
    """Raise if a model does not answer what is to be learned."""
    expected = answer_kind(config, many=material.many)
    if kind != expected:
        raise ModelFolderError(f"{path} answers with {kind}, expected {expected}: it cannot teach this task")
    if kind != "number" and labels != material.labels:
        raise ModelFolderError(
            f"{path} has labels {listed(labels)}, expected those of the data: {listed(material.labels)}"
        )


def _tuned(
    start: str, config: Config, material: TrainingData, out: Path, options: RunOptions, n_to_label: int
) -> Path | None:
    """Return the folder of an encoder that was tuned on the labels, from an earlier run if it did the same."""
    encoder, own = read_start(start), teacher_config(config, start, material.n_train)
    folder, identity = out.with_name(f"{out.name}.teacher"), _identity(own, material, encoder.fingerprint())
    if _is_made(folder, identity):
        tell(options.watcher, f"the teacher was tuned before: {folder}")
        return folder
    if folder.exists() and not (options.overwrite or can_resume(folder, options)):
        raise ModelFolderError(
            f"{folder} is a teacher of other data or settings. Set overwrite to tune it again, or choose another out"
        )
    tell(options.watcher, *estimate(encoder, own, material, n_to_label))
    known = {part.name: getattr(material, part.name) for part in fields(TrainingData)}
    result = train_model(
        own,
        folder,
        material=TeacherData(**known, identity=identity),
        resume=can_resume(folder, options),
        overwrite=options.overwrite,
        checkpoints=options.checkpoints,
        watcher=options.watcher,
        should_stop=options.should_stop,
    )
    return None if result.is_interrupted else folder


def teacher_config(config: Config, start: str, n_texts: int) -> Config:
    """Return the settings of the teacher's training."""
    kept = {name: value for section in (config.text, config.train) for name, value in vars(section).items()}
    base = Config(task=config.task, input=config.input, data=replace(config.data, unlabelled=None))
    epochs = max(FEWEST_EPOCHS, min(MOST_EPOCHS, ENOUGH // n_texts))
    shared = {name: kept[name] for name in SHARED}
    own = {"start": start, "tune": "all", "ngrams": 0, "epochs": epochs, "patience": PATIENCE}
    return base.changed(**shared).with_given(**own)


def _is_made(folder: Path, identity: str) -> bool:
    """Return whether a folder holds a teacher that was tuned to the end from the same."""
    if not is_model_folder(folder) or is_unfinished(folder):
        return False
    return bool(read_folder(folder).facts.data.get("identity") == identity)


def _identity(config: Config, material: TrainingData, encoder: str) -> str:
    """Return a hash of all that a tuned teacher depends on."""
    tree = settings_identity(config) | material.fingerprints() | {"encoder": encoder}
    return hashlib.sha256(json_text(dict(sorted(tree.items()))).encode()).hexdigest()[:16]
