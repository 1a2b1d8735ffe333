"""An encoder without a teacher: from pairs of texts, or from running text (`heedful pretrain`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from heedful.config import Config, load_config
from heedful.data.read import read_rows, read_texts
from heedful.errors import ConfigError, DataError, did_you_mean
from heedful.jobs.encoders.encoder import (
    Stop,
    encode_identity,
    encoder_config,
    encoder_facts,
    fingerprint,
    fresh_network,
    n_kept,
    tell,
)
from heedful.jobs.train.train import TrainResult, check_before, fit_and_save, forget, settings_identity, working_folder
from heedful.runtime.model import Model, load
from heedful.store.folder import held
from heedful.tasks.embed.contrastive import PairGoal
from heedful.training.history import Watcher, nobody
from heedful.training.loop.checkpoint import FILE as CHECKPOINT
from heedful.training.resolve import sized
from heedful.training.setup import Prepared
from heedful.training.start.vocab import make_featuriser

Pairs = list[tuple[str, str]]
FEWEST = 20
_SENTENCE = re.compile(r".+?(?:[.!?…]+[\"'”’)\]]*(?=\s)|[。！？]+[”’」』）]*|$)", re.DOTALL)


def pretrain(
    corpus: str | Path | None = None,
    out: str | Path = "encoder",
    *,
    config: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    watcher: Watcher = nobody,
    **settings: Any,
) -> Model:
    """Train an encoder on a file of texts and return it; it is also in the folder `out`.

    The setting `pairs`, such as "question,answer", names two columns whose texts belong together. Without it the file
    is running text, and each sentence belongs to the one that follows it.
    """
    if corpus is not None:
        settings["train"] = str(corpus)
    made = encoder_config(load_config(config) if config is not None else None, **settings)
    result = pretrain_model(made, Path(out), resume=resume, overwrite=overwrite, watcher=watcher)
    return load(result.path or out)


def pretrain_model(
    config: Config,
    out: Path,
    *,
    watcher: Watcher = nobody,
    resume: bool = False,
    overwrite: bool = False,
    should_stop: Stop = lambda: False,
) -> TrainResult:
    """Read, pair, learn, write."""
    if config.data.train is None:
        raise ConfigError(["A file is needed: heedful pretrain FILE."])
    with held(out):
        return _pretrain(config, config.data.train, out.absolute(), watcher, resume, overwrite, should_stop)


def _pretrain(
    config: Config, corpus: str, out: Path, watcher: Watcher, resume: bool, overwrite: bool, should_stop: Stop
) -> TrainResult:
    work = working_folder(out)
    goes_on = resume and (work / CHECKPOINT).is_file()
    check_before(out, work, resume=resume, overwrite=overwrite, goes_on=goes_on)
    pairs = _two_names(config.encode.pairs)
    found = read_pairs(corpus, pairs) if pairs else neighbours(corpus, text=config.data.text)
    if len(found) < FEWEST:
        raise DataError(corpus, f"{len(found)} pairs of texts, expected at least {FEWEST}")
    tell(watcher, f"{len(found):,} pairs of texts, {'by columns' if pairs else 'each sentence and the next'}")
    prepared = prepare_pairs(config, found)
    said = {"texts": fingerprint([text for pair in found for text in pair])}
    if not resume:
        forget(work)
    return fit_and_save(
        prepared,
        out,
        identity=settings_identity(prepared.config) | encode_identity(prepared.config) | said,
        watcher=watcher,
        resume=resume,
        overwrite=overwrite or goes_on,
        small=config.encode.small,
        should_stop=should_stop,
    )


def _two_names(given: str | None) -> tuple[str, str] | None:
    if given is None:
        return None
    names = given.split(",")
    if len(names) != 2 or not all(names):
        raise ConfigError([f"encode.pairs is {given!r}, expected two names of columns, such as question,answer."])
    return names[0], names[1]


def prepare_pairs(config: Config, pairs: Pairs) -> Prepared:
    """Learn the tokens and make a fresh network."""
    config = sized(config, len(pairs))
    order = np.random.default_rng(config.train.seed).permutation(len(pairs))
    shuffled = [pairs[i] for i in order]
    kept = n_kept(config, len(pairs))
    featuriser, _ = make_featuriser(list(dict.fromkeys(text for pair in shuffled for text in pair)), config.text)
    features = [(featuriser.ids(a), featuriser.ids(b)) for a, b in shuffled]
    valid, train = features[:kept], features[kept:]
    goal = PairGoal(
        ([a for a, _ in train], [b for _, b in train]),
        ([a for a, _ in valid], [b for _, b in valid]),
        temperature=config.encode.temperature,
    )
    facts = encoder_facts(goal.train, featuriser, kept=2 * kept, pairs=len(train))
    return Prepared(config, (), featuriser, fresh_network(config, featuriser), goal, facts)


def read_pairs(path: str, columns: tuple[str, str]) -> Pairs:
    """Read two columns of a file."""
    pairs: Pairs = []
    for row in read_rows(path):
        values = [row.values.get(name) for name in columns]
        for name, value in zip(columns, values, strict=True):
            if name not in row.values:
                raise DataError(path, f"no column {name!r}.{did_you_mean(name, map(str, row.values))}", line=row.line)
            if not isinstance(value, str):
                raise DataError(path, f"{name} is {value!r}, expected a text", line=row.line)
        if all(str(value).strip() for value in values):
            pairs.append((str(values[0]), str(values[1])))
    return pairs


def neighbours(path: str, *, text: str | None = None) -> Pairs:
    """Pair each sentence of a running text with the next: the idea of Skip-Thought, as a choice among sentences.

    In a .txt file an empty line ends a document and lines follow each other; elsewhere each row is a document.
    """
    is_lines = Path(path).name.lower().removesuffix(".gz").endswith(".txt") or path == "-"
    pairs: Pairs = []
    before: str | None = None
    for _, document in read_texts(path, text=text):
        if not is_lines or not document.strip():
            before = None
        for sentence in sentences(document):
            if before is not None and before != sentence:
                pairs.append((before, sentence))
            before = sentence
    return pairs


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, by their punctuation."""
    for found in _SENTENCE.finditer(text):
        if part := found.group().strip():
            yield part
