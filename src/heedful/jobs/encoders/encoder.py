"""Parts that `distill` and `pretrain` share: default settings, corpus, facts, identity."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from heedful.config import Config
from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.features import Features
from heedful.data.read import read_texts
from heedful.errors import ConfigError, DataError
from heedful.inputs.text.featuriser import TextFeaturiser
from heedful.network.build import build_network
from heedful.network.network import Network
from heedful.training.history import NoteEvent, Watcher

DEFAULTS: dict[str, Any] = {
    "tokens": "subwords", "vocab_size": 28_000, "min_count": 2, "max_tokens": 512, "embed_width": 256, "n_hops": 8,
    "attention_width": 128, "penalty": 0.0, "head": "vector", "dropout": 0.0, "word_dropout": 0.0, "encoder": "static",
    "batch_size": 512, "epochs": 6,
}  # fmt: skip
BY_ENCODER: dict[str, dict[str, Any]] = {
    "static": {"keep_words": False},
    "bilstm": {"keep_words": True, "units": 192},
    "cnn": {"keep_words": True, "units": 128},
    "transformer": {"keep_words": True, "units": 256, "n_layers": 2, "inner_units": 512, "lr": 1e-3},
}
MOST_KEPT = 10  # the validation set is at most a tenth of the texts


def encoder_config(config: Config | None = None, **settings: Any) -> Config:
    """Return the settings of an encoder: those given, over a config or over the defaults of its kind."""
    if config is not None:
        config = config.changed(**settings)
    else:
        kind = settings.get("encoder", DEFAULTS["encoder"])
        config = Config().changed(**{**DEFAULTS, **BY_ENCODER.get(kind, {}), **settings})
    if config.model.head != "vector":
        raise ConfigError([f"model.head is {config.model.head!r}; a sentence encoder has 'vector'."])
    if config.model.pooler not in ("structured", "mean"):
        raise ConfigError([f"model.pooler is {config.model.pooler!r}; for an encoder, structured or mean."])
    return replace(config, task="embed")


def read_corpus(path: str, *, text: str | None = None, each_once: bool = True, faults: BadRows = STRICT) -> list[str]:
    """Return the texts of a file in order; with `each_once`, without repeated and empty ones."""
    texts = [t for _, t in read_texts(path, text=text, faults=faults)]
    if each_once:
        texts = list(dict.fromkeys(t for t in texts if t.strip()))
    if len(texts) < 20:
        raise DataError(path, f"{len(texts)} different texts, expected at least 20")
    return texts


def n_kept(config: Config, n: int) -> int:
    """Return how many of `n` texts or pairs go into the validation set."""
    return max(1, min(config.encode.kept_texts, n // MOST_KEPT))


def fresh_network(config: Config, featuriser: TextFeaturiser) -> Network:
    """Return an untrained network."""
    return build_network(config.model, n_ids=len(featuriser), tune=True, seed=config.train.seed)


def encoder_facts(
    features: Sequence[Features], featuriser: TextFeaturiser, *, kept: int, **more: Any
) -> dict[str, Any]:
    """Return the facts about the data for facts.json."""
    lengths = [len(ids) for ids in features]
    return {
        "train_texts": len(features),
        "valid_texts": kept,
        "known_tokens": len(featuriser),
        "mean_tokens": sum(lengths) / max(1, len(lengths)),
        "cut_texts": sum(n == featuriser.max_tokens for n in lengths),
        **more,
    }


def fingerprint(texts: Sequence[str]) -> str:
    """Return a hash that changes with the texts."""
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\x00")
    return digest.hexdigest()[:16]


def encode_identity(config: Config) -> dict[str, Any]:
    """Return the settings of the section `encode` that affect the weights."""
    return {f"encode.{k}": v for k, v in config.to_dict()["encode"].items() if k not in ("teacher", "small")}


def with_whole_paths(config: Config) -> Config:
    """Make the paths of folders absolute, so that a folder `tiny` is not taken for a package or a bundled model."""
    given = {"teacher": config.encode.teacher, "start": config.train.start}
    return config.changed(**{k: str(Path(v).absolute()) for k, v in given.items() if v and Path(v).exists()})


def tell(watcher: Watcher, *messages: str) -> None:
    """Send notes to the watcher."""
    for message in messages:
        watcher(NoteEvent(message))


def default_cache(out: Path) -> Path:
    """Return the default cache of a teacher's vectors: next to the model, so that other runs find it."""
    return out.with_name("teacher-vectors")


Stop = Callable[[], bool]
