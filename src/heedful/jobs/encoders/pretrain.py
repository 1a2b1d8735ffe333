"""An encoder without a teacher: from pairs of texts, or from running text (`heedful pretrain`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from heedful.config import Config
from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.file_form import form_of
from heedful.data.read import read_rows, read_texts
from heedful.errors import ConfigError, DataError, did_you_mean
from heedful.jobs.encoders.encoder import (
    Stop,
    encode_identity,
    encoder_facts,
    fingerprint,
    fresh_network,
    n_kept,
    tell,
)
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
from heedful.store.folder import held
from heedful.tasks.embed.contrastive import PairGoal
from heedful.training.history import Watcher, nobody
from heedful.training.resolve import sized
from heedful.training.setup import Prepared
from heedful.training.start.vocab import make_featuriser

Pairs = list[tuple[str, str]]
FEWEST = 20
_SENTENCE = re.compile(r".+?(?:[.!?…]+[\"'”’)\]]*(?=\s)|[。！？]+[”’」』）]*|$)", re.DOTALL)


def pretrain_model(
    config: Config,
    out: Path,
    *,
    watcher: Watcher = nobody,
    resume: bool = False,
    overwrite: bool = False,
    should_stop: Stop = never,
) -> TrainResult:
    """Read the file, make pairs, train, and write the encoder."""
    if config.data.train is None:
        raise ConfigError(["data.train is missing: pretraining needs a file of texts."])
    options = RunOptions(resume=resume, overwrite=overwrite, watcher=watcher, should_stop=should_stop)
    with held(out):
        return _pretrain(config, config.data.train, out.absolute(), options)


def _pretrain(config: Config, corpus: str, out: Path, options: RunOptions) -> TrainResult:
    goes_on = can_resume(out, options)
    check_before(out, options)
    columns = _two_names(config.encode.pairs)
    faults = BadRows(form=form_of(config.data))
    text = config.data.text
    pairs = read_pairs(corpus, columns, faults=faults) if columns else neighbours(corpus, text=text, faults=faults)
    if len(pairs) < FEWEST:
        raise DataError(corpus, f"{len(pairs)} pairs of texts, expected at least {FEWEST}")
    tell(options.watcher, *faults.summaries.values())
    tell(options.watcher, f"{len(pairs):,} pairs of texts, {'by columns' if columns else 'each sentence and the next'}")
    prepared = prepare_pairs(config, pairs)
    data_identity = {"texts": fingerprint([text for pair in pairs for text in pair])}
    if not options.resume:
        forget(working_folder(out))
    return fit_and_save(
        prepared,
        out,
        replace(options, overwrite=options.overwrite or goes_on),
        identity=settings_identity(prepared.config) | encode_identity(prepared.config) | data_identity,
        small=config.encode.small,
    )


def _two_names(given: str | None) -> tuple[str, str] | None:
    if given is None:
        return None
    names = given.split(",")
    if len(names) != 2 or not all(names):
        raise ConfigError([f"encode.pairs is {given!r}, expected two names of columns, such as question,answer."])
    return names[0], names[1]


def prepare_pairs(config: Config, pairs: Pairs) -> Prepared:
    """Learn the tokens and build an untrained network."""
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


def read_pairs(path: str, columns: tuple[str, str], *, faults: BadRows = STRICT) -> Pairs:
    """Read two columns of a file."""
    pairs: Pairs = []
    for row in read_rows(path, faults=faults, is_table=True):
        values = [row.values.get(name) for name in columns]
        for name, value in zip(columns, values, strict=True):
            if name not in row.values:
                raise DataError(path, f"no column {name!r}.{did_you_mean(name, map(str, row.values))}", line=row.line)
            if not isinstance(value, str):
                raise DataError(path, f"{name} is {value!r}, expected a text", line=row.line)
        if all(str(value).strip() for value in values):
            pairs.append((str(values[0]), str(values[1])))
    return pairs


def neighbours(path: str, *, text: str | None = None, faults: BadRows = STRICT) -> Pairs:
    """Pair each sentence of a running text with the next, as in Skip-Thought, for a contrastive loss.

    In a .txt file an empty line ends a document; in other files each row is a document.
    """
    is_lines = Path(path).name.lower().removesuffix(".gz").endswith(".txt") or path == "-"
    pairs: Pairs = []
    before: str | None = None
    for _, document in read_texts(path, text=text, faults=faults):
        if not is_lines or not document.strip():
            before = None
        for sentence in sentences(document):
            if before is not None and before != sentence:
                pairs.append((before, sentence))
            before = sentence
    return pairs


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, split at punctuation."""
    for match in _SENTENCE.finditer(text):
        if sentence := match.group().strip():
            yield sentence
