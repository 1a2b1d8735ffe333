"""From a teacher and a file of texts to an encoder: `heedful distill`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

from heedful.config import Config, load_config
from heedful.data.featurise import Featuriser, SubwordFeaturiser, WordFeaturiser
from heedful.errors import ConfigError
from heedful.jobs.encoder import (
    Stop,
    default_cache,
    encoder_config,
    encoder_facts,
    fingerprint,
    fresh_network,
    n_kept,
    read_corpus,
    tell,
)
from heedful.jobs.teacher import Teacher, TeacherCache, open_teacher, read_vectors
from heedful.jobs.train import TrainResult, check_before, fit_and_save, forget, settings_identity, working_folder
from heedful.runtime.model import Model, load
from heedful.training.checkpoint import FILE as CHECKPOINT
from heedful.training.distill import DistillGoal, Vectors, main_axes, start_from_words, turned
from heedful.training.history import TeacherEvent, Watcher, nobody
from heedful.training.prepare import Prepared, make_featuriser

INNER = "##"  # how a sub-word says that it stands inside a word


def distill(
    teacher: str | Path | None = None,
    corpus: str | Path | None = None,
    out: str | Path = "encoder",
    *,
    config: str | Path | None = None,
    cache: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    watcher: Watcher = nobody,
    **settings: Any,
) -> Model:
    """Teach a small encoder to give a teacher's vectors, and return it; it is also in the folder `out`."""
    given = {"teacher": teacher, "train": corpus}
    settings |= {name: str(value) for name, value in given.items() if value is not None}
    made = encoder_config(load_config(config) if config is not None else None, **settings)
    result = distill_model(
        made, Path(out), cache=Path(cache) if cache else None, resume=resume, overwrite=overwrite, watcher=watcher
    )
    return load(result.path or out)


def distill_model(
    config: Config,
    out: Path,
    *,
    cache: Path | None = None,
    watcher: Watcher = nobody,
    resume: bool = False,
    overwrite: bool = False,
    should_stop: Stop = lambda: False,
) -> TrainResult:
    """Read the corpus, ask the teacher, learn, write. What the teacher said is kept and never asked for twice."""
    if config.encode.teacher is None or config.data.train is None:
        raise ConfigError(["A teacher and a corpus are needed: heedful distill TEACHER CORPUS."])
    out = out.absolute()
    work = working_folder(out)
    goes_on = resume and (work / CHECKPOINT).is_file()
    check_before(out, work, resume=resume, overwrite=overwrite, goes_on=goes_on)
    texts, vectors, teacher = _ask(config, config.data.train, cache or default_cache(out), watcher)
    prepared = prepare_distillation(config, texts, vectors, teacher, cache or default_cache(out), watcher)
    if not resume:
        forget(work)
    return fit_and_save(
        prepared,
        out,
        identity=settings_identity(config) | {"texts": fingerprint(texts), "likeness": config.encode.likeness},
        watcher=watcher,
        resume=resume,
        overwrite=overwrite or goes_on,
        small=config.encode.small,
        should_stop=should_stop,
    )


def prepare_distillation(
    config: Config, texts: list[str], vectors: Vectors, teacher: Teacher | None, cache: Path, watcher: Watcher
) -> Prepared:
    """Learn the tokens, turn the vectors, and let the student begin where the teacher's words are."""
    width = min(config.model.vector_width, vectors.shape[1])
    config = config.changed(vector_width=width)
    axes = main_axes(vectors, width)
    targets = turned(vectors, axes)
    featuriser, _ = make_featuriser(texts, config.text)
    features = [featuriser.ids(text) for text in texts]
    kept = n_kept(config, len(texts))
    network = fresh_network(config, featuriser)
    tell(watcher, f"{len(featuriser):,} tokens known, {np.mean([len(f) for f in features]):.0f} in a text on average")
    if teacher is not None:
        tell(watcher, "asking the teacher about each token by itself: the student begins there")
        words = TeacherCache(cache).vectors(teacher, _forms(featuriser))
        start_from_words(network, words.astype(np.float32) @ axes, features[kept:])
    goal = DistillGoal(
        features[kept:],
        features[:kept],
        train_vectors=targets[kept:],
        valid_vectors=targets[:kept],
        likeness=config.encode.likeness,
    )
    name = teacher.name if teacher is not None else Path(config.encode.teacher or "").name
    facts = encoder_facts(features[kept:], featuriser, kept=kept, teacher=name)
    return Prepared(config, (), featuriser, network, goal, facts)


def _ask(config: Config, corpus: str, cache: Path, watcher: Watcher) -> tuple[list[str], Vectors, Teacher | None]:
    """Return the texts in an order of chance, with the teacher's vectors."""
    name, teacher = config.encode.teacher or "", None
    if name.endswith(".npy"):
        texts = read_corpus(corpus, text=config.data.text, each_once=False)
        vectors = read_vectors(Path(name), len(texts))
    else:
        texts, teacher = read_corpus(corpus, text=config.data.text), open_teacher(name)
        tell(watcher, f"asking {teacher.name} about {len(texts):,} texts; its answers are kept in {cache}")
        vectors = TeacherCache(cache).vectors(teacher, texts, progress=_TeacherProgress(watcher, len(texts)))
    order = np.random.default_rng(config.train.seed).permutation(len(texts))
    return [texts[i] for i in order], vectors[order], teacher


class _TeacherProgress:
    """Tells the watcher how far the teacher has come."""

    def __init__(self, watcher: Watcher, total: int) -> None:
        self._watcher, self._total, self._start = watcher, total, time.monotonic()

    def __call__(self, done: int) -> None:
        seconds = max(time.monotonic() - self._start, 1e-9)
        rate = done / seconds
        self._watcher(TeacherEvent(done, self._total, rate, (self._total - done) / rate))


def _forms(featuriser: Featuriser) -> list[str]:
    """Return each token as a text of its own, by its id."""
    if isinstance(featuriser, SubwordFeaturiser):
        return [form.removeprefix(INNER) for form in featuriser.tokeniser.forms()]
    assert isinstance(featuriser, WordFeaturiser)
    return list(featuriser.vocab.words)
