"""From a teacher and a file of texts to an encoder: `heedful distill`."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.config import Config, load_config
from heedful.errors import ConfigError
from heedful.inputs.text.featuriser import SubwordFeaturiser, TextFeaturiser, WordFeaturiser
from heedful.jobs.encoders.encoder import (
    Stop,
    default_cache,
    encode_identity,
    encoder_config,
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
from heedful.jobs.train.train import TrainResult, check_before, fit_and_save, forget, settings_identity, working_folder
from heedful.runtime.model import Model, load
from heedful.store.folder import held
from heedful.tasks.embed.distill import DistillGoal, Vectors, main_axes, start_from_words, turned
from heedful.training.history import TeacherEvent, Watcher, nobody
from heedful.training.loop.checkpoint import FILE as CHECKPOINT
from heedful.training.resolve import sized
from heedful.training.setup import Prepared
from heedful.training.start.from_encoder import Start
from heedful.training.start.from_smaller import grow_from, turned_to
from heedful.training.start.vocab import make_featuriser

AXES_TEXTS = 20_000  # from which the axes of an encoder to begin from are found
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
    corpus = config.data.train
    if config.encode.teacher is None or corpus is None:
        raise ConfigError(["A teacher and a corpus are needed: heedful distill TEACHER CORPUS."])
    config = with_whole_paths(config)
    cache = cache or default_cache(out.absolute())
    with held(out):
        return _distill(config, corpus, out.absolute(), cache, watcher, resume, overwrite, should_stop)


def _distill(
    config: Config,
    corpus: str,
    out: Path,
    cache: Path,
    watcher: Watcher,
    resume: bool,
    overwrite: bool,
    should_stop: Stop,
) -> TrainResult:
    work = working_folder(out)
    goes_on = resume and (work / CHECKPOINT).is_file()
    check_before(out, work, resume=resume, overwrite=overwrite, goes_on=goes_on)
    texts, vectors, teacher = _ask(config, corpus, cache, watcher)
    prepared = prepare_distillation(config, texts, vectors, teacher, cache, watcher)
    if not resume:
        forget(work)
    return fit_and_save(
        prepared,
        out,
        identity=_identity(prepared.config, texts, vectors),
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
        tell(watcher, f"the words begin as those of {start.name}")
        grow_from(network, start.weights)
    elif teacher is not None:
        tell(watcher, "asking the teacher about each token by itself: the student begins there")
        words = TeacherCache(cache).vectors(teacher, _forms(featuriser))
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


def _axes_of(start: Start, texts: list[str], vectors: Vectors) -> NDArray[np.float32]:
    """Return the axes along which the encoder to begin from gives its vectors."""
    known = load(start.path).embed(texts[:AXES_TEXTS], normalise=True)
    return turned_to(vectors[:AXES_TEXTS].astype(np.float32), known)


def _identity(config: Config, texts: list[str], vectors: Vectors) -> dict[str, Any]:
    """Return what must be the same for a training to be taken up again."""
    answers = hashlib.sha256(np.ascontiguousarray(vectors[:: max(1, len(vectors) // 1000)]).tobytes()).hexdigest()[:16]
    said = {"texts": fingerprint(texts), "teacher's vectors": answers}
    return settings_identity(config) | encode_identity(config) | said


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


def _forms(featuriser: TextFeaturiser) -> list[str]:
    """Return each token as a text of its own, by its id."""
    if isinstance(featuriser, SubwordFeaturiser):
        return [form.removeprefix(INNER) for form in featuriser.tokeniser.forms()]
    assert isinstance(featuriser, WordFeaturiser)
    return list(featuriser.vocab.words)
