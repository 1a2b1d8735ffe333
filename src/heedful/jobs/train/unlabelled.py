"""Unlabelled texts: a static encoder whose vectors are learned from them, to start a training from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from heedful.config import Config
from heedful.data.bad_rows import BadRows
from heedful.data.example import texts_in
from heedful.data.file_form import form_of
from heedful.data.read import read_texts
from heedful.errors import ConfigError, DataError
from heedful.inputs import INPUTS
from heedful.inputs.text.featuriser import SubwordFeaturiser
from heedful.jobs.encoders.encoder import encoder_config, fresh_network
from heedful.tasks import task_of
from heedful.text.wordpiece import WordPieceTokeniser
from heedful.training.dataset import TrainingData
from heedful.training.history import NoteEvent, Watcher
from heedful.training.start.count_vectors import count_vectors
from heedful.training.start.from_encoder import EncoderStart

UNLABELLED = "unlabelled"  # value of train.start
FEWEST, MOST = 100, 500_000  # texts
MOST_CHARACTERS = 100_000_000  # of all texts
CHARACTERS = 2_500  # that are sub-words: Korean and Chinese texts have as many
WIDTH, VOCAB, MIN_COUNT, N_HOPS, ATTENTION = 100, 8_000, 3, 4, 64
SPREAD = 0.01  # of the weights of the hops: at the start each hop is close to a mean


def start_of_unlabelled(config: Config, material: TrainingData, watcher: Watcher) -> EncoderStart | None:
    """Return an encoder of the unlabelled texts and the training texts, None if no file of them is set."""
    if config.encode.teacher is not None:
        return None  # they are for the teacher to label
    if config.data.unlabelled is None:
        if config.train.start == UNLABELLED:
            raise ConfigError([f"train.start is {UNLABELLED!r}: set data.unlabelled to a file of texts."])
        return None
    _check(config)
    more = read_unlabelled(config, watcher)
    own = [text for example in material.train for text in texts_in(example.text)]
    texts = list(dict.fromkeys([*own, *more]))
    watcher(NoteEvent(f"learning vectors from {len(texts):,} texts, {len(more):,} of them unlabelled"))
    return encoder_of(texts, seed=config.train.seed, lowercase=config.text.lowercase)


def _check(config: Config) -> None:
    """Raise if the settings leave nothing to do for unlabelled texts."""
    start, task = config.train.start, task_of(config)
    if not INPUTS[config.input].is_text or task.start is None or not task.starts_by_itself:
        what = f"task {config.task}" if INPUTS[config.input].is_text else f"input {config.input}"
        raise ConfigError([f"data.unlabelled is set: {what} cannot start from unlabelled texts."])
    if start not in ("auto", UNLABELLED):
        raise ConfigError([f"data.unlabelled is set and train.start is {start!r}: leave one of them out."])


def read_unlabelled(config: Config, watcher: Watcher, *, fewest: int = FEWEST) -> list[str]:
    """Return the unlabelled texts, without repeated and empty ones; of a large file, the first ones."""
    if (path := config.data.unlabelled) is None:
        return []
    faults = BadRows(skip=config.data.skip_bad, form=form_of(config.data))
    texts, n_characters = dict[str, None](), 0
    for _, text in read_texts(path, hint=config.data.text, faults=faults):
        if text.strip() and text not in texts:
            texts[text] = None
            n_characters += len(text)
        if len(texts) == MOST or n_characters > MOST_CHARACTERS:
            break
    for line in faults.summaries.values():
        watcher(NoteEvent(line))
    if len(texts) < fewest:
        raise DataError(path, f"{len(texts)} different texts, expected at least {fewest}")
    return list(texts)


def encoder_of(texts: Sequence[str], *, seed: int = 0, lowercase: bool = True) -> EncoderStart:
    """Learn sub-words and their vectors, and return a static encoder of them."""
    config = encoder_config(
        embed_width=WIDTH, vector_width=WIDTH, n_hops=N_HOPS, attention_width=ATTENTION, vocab_size=VOCAB,
        min_count=MIN_COUNT, lowercase=lowercase, seed=seed, start="none",
    )  # fmt: skip
    tokeniser = WordPieceTokeniser.trained(
        texts, size=VOCAB, min_count=MIN_COUNT, lowercase=lowercase, characters=CHARACTERS
    )
    featuriser = SubwordFeaturiser(tokeniser, max_tokens=config.text.max_tokens)
    ids = [featuriser.ids(text) for text in texts]
    network = fresh_network(config, featuriser)
    weights = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    weights["embed.weight"] = count_vectors(ids, len(featuriser), width=WIDTH, seed=seed)
    weights["pooler.hops.weight"] = SPREAD * weights["pooler.hops.weight"]
    weights["head.map.weight"] = np.tile(np.eye(WIDTH, dtype=np.float32) / N_HOPS, (1, N_HOPS))
    return EncoderStart(UNLABELLED, Path(UNLABELLED), config, featuriser, weights, can_be_tuned=False)
