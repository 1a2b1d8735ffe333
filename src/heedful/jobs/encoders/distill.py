"""From a teacher and a file of texts to an encoder: `heedful distill`."""

from __future__ import annotations

import hashlib
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.config import Config
from heedful.data.bad_rows import BadRows
from heedful.data.file_form import form_of
from heedful.errors import ConfigError
from heedful.jobs.encoders.encoder import (
    Stop,
    default_cache,
    encode_identity,
    encoder_facts,
    fingerprint,
    fresh_network,
    n_kept,
    read_corpus,
    tell,
    with_whole_paths,
)
from heedful.jobs.encoders.teacher import Teacher, TeacherCache, open_teacher, read_vectors
from heedful.jobs.train.choose_start import read_start
from heedful.jobs.train.run_options import RunOptions, never
from heedful.jobs.train.train import (
    TrainResult,
    can_resume,
    check_before,
    fit_and_save,
    forget,
    settings_identity,
    working_folder,
)
from heedful.runtime.model import load
from heedful.store.folder import held
from heedful.tasks.embed.distill import DistillGoal, Vectors, main_axes, start_from_words, turned
from heedful.training.history import TeacherEvent, Watcher, nobody
from heedful.training.resolve import sized
from heedful.training.setup import Prepared
from heedful.training.start.from_encoder import EncoderStart
from heedful.training.start.from_smaller import start_from_smaller, turned_to
from heedful.training.start.vocab import make_featuriser

AXES_TEXTS = 20_000  # used to align the axes with an encoder to start from


def distill_model(
    config: Config,
    out: Path,
    *,
    cache: Path | None = None,
    watcher: Watcher = nobody,
    resume: bool = False,
    overwrite: bool = False,
    should_stop: Stop = never,
) -> TrainResult:
    """Read the corpus, get the teacher's vectors (cached on disk), train, and write the encoder."""
    corpus = config.data.train
    if config.encode.teacher is None or corpus is None:
        raise ConfigError(["encode.teacher or data.train is missing: distilling needs a teacher and a corpus."])
    config = with_whole_paths(config)
    cache = cache or default_cache(out.absolute())
    options = RunOptions(resume=resume, overwrite=overwrite, watcher=watcher, should_stop=should_stop)
    with held(out):
        return _distill(config, corpus, out.absolute(), cache, options)


def _distill(config: Config, corpus: str, out: Path, cache: Path, options: RunOptions) -> TrainResult:
    goes_on = can_resume(out, options)
    check_before(out, options)
    texts, vectors, teacher = _ask(config, corpus, cache, options.watcher)
    prepared = prepare_distillation(config, texts, vectors, teacher, cache, options.watcher)
    if not options.resume:
        forget(working_folder(out))
    return fit_and_save(
        prepared,
        out,
        replace(options, overwrite=options.overwrite or goes_on),
        identity=_identity(prepared.config, texts, vectors),
        small=config.encode.small,
    )


def prepare_distillation(
    config: Config, texts: list[str], vectors: Vectors, teacher: Teacher | None, cache: Path, watcher: Watcher
) -> Prepared:
    """Learn the tokens, rotate the vectors, and initialise the student's tokens from the teacher's vectors."""
    start = read_start(config.train.start) if config.train.start not in ("none", "auto") else None
    width = min(config.model.vector_width, vectors.shape[1])
    config = sized(config.changed(vector_width=width), len(texts))
    featuriser = start.featuriser if start else make_featuriser(texts, config.text)[0]
    features = [featuriser.ids(text) for text in texts]
    kept = n_kept(config, len(texts))
    network = fresh_network(config, featuriser)
    tell(watcher, f"{len(featuriser):,} tokens known, {np.mean([len(f) for f in features]):.0f} in a text on average")
    axes = _axes_of(start, texts, vectors) if start else main_axes(vectors, width)
    targets = turned(vectors, axes)
    if start is not None:
        tell(watcher, f"word vectors start from {start.name}")
        start_from_smaller(network, start.weights)
    elif teacher is not None:
        tell(watcher, "embedding each token with the teacher, to initialise the student")
        words = TeacherCache(cache).vectors(teacher, featuriser.forms())
        start_from_words(network, words.astype(np.float32) @ axes, features[kept:])
    goal = DistillGoal(
        features[kept:],
        features[:kept],
        train_vectors=targets[kept:],
        valid_vectors=targets[:kept],
        likeness=config.encode.likeness,
        ranking=config.encode.ranking,
        temperature=config.encode.temperature,
        near=config.encode.near,
    )
    name = teacher.name if teacher is not None else Path(config.encode.teacher or "").name
    facts = encoder_facts(features[kept:], featuriser, kept=kept, teacher=name)
    return Prepared(config, (), featuriser, network, goal, facts)


def _axes_of(start: EncoderStart, texts: list[str], vectors: Vectors) -> NDArray[np.float32]:
    """Return the axes that align the teacher's vectors with those of the encoder to start from."""
    known = load(start.path).embed(texts[:AXES_TEXTS], normalize=True)
    return turned_to(vectors[:AXES_TEXTS].astype(np.float32), known)


def _identity(config: Config, texts: list[str], vectors: Vectors) -> dict[str, Any]:
    """Return the values that must match for a training to be resumed."""
    answers = hashlib.sha256(np.ascontiguousarray(vectors[:: max(1, len(vectors) // 1000)]).tobytes()).hexdigest()[:16]
    data_identity = {"texts": fingerprint(texts), "teacher's vectors": answers}
    return settings_identity(config) | encode_identity(config) | data_identity


def _ask(config: Config, corpus: str, cache: Path, watcher: Watcher) -> tuple[list[str], Vectors, Teacher | None]:
    """Return the texts in random order, with the teacher's vectors."""
    name, teacher = config.encode.teacher or "", None
    faults, text = BadRows(form=form_of(config.data)), config.data.text
    if name.endswith(".npy"):
        texts = read_corpus(corpus, text=text, each_once=False, faults=faults)
        vectors = read_vectors(Path(name), len(texts))
    else:
        texts, teacher = read_corpus(corpus, text=text, faults=faults), open_teacher(name)
        tell(watcher, *faults.summaries.values())
        tell(watcher, f"embedding {len(texts):,} texts with {teacher.name}; its vectors are cached in {cache}")
        vectors = TeacherCache(cache).vectors(teacher, texts, progress=_TeacherProgress(watcher, len(texts)))
    order = np.random.default_rng(config.train.seed).permutation(len(texts))
    return [texts[i] for i in order], vectors[order], teacher


class _TeacherProgress:
    """Reports the teacher's progress to the watcher."""

    def __init__(self, watcher: Watcher, total: int) -> None:
        self._watcher, self._total, self._start = watcher, total, time.monotonic()

    def __call__(self, done: int) -> None:
        seconds = max(time.monotonic() - self._start, 1e-9)
        rate = done / seconds
        self._watcher(TeacherEvent(done, self._total, rate, (self._total - done) / rate))
