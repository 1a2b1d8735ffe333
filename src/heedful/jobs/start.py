"""Which encoder a training begins from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from heedful.config import Config
from heedful.data.language import looks_english
from heedful.errors import ModelFolderError
from heedful.store.folder import WEIGHTS, read_folder
from heedful.store.shipped import model_path, shipped_models
from heedful.store.weights import read_weights
from heedful.training.start import Start

ENGLISH = "en-base"


def find_start(config: Config, texts: Sequence[str]) -> Start | None:
    """Return the encoder that the settings ask for; by themselves, the shipped one for English text.

    Someone who chose tokens, word vectors or a network wants these: then `auto` begins from nothing.
    """
    name = config.train.start
    if name == "none":
        return None
    if name == "auto":
        is_free = config.text == Config().text and config.model == Config().model
        if not (is_free and ENGLISH in shipped_models() and looks_english(texts)):
            return None
        name = ENGLISH
    return read_start(name)


def read_start(name: str) -> Start:
    """Read an encoder's folder, or a shipped one, with its weights."""
    path = model_path(name)
    if path == Path(name):  # a folder, not a shipped model: its whole path is what config.toml must say
        path, name = path.absolute(), str(path.absolute())
    stored = read_folder(path)
    if stored.config.task != "embed":
        raise ModelFolderError(f"{name} is a classifier; --start takes an encoder, such as {ENGLISH}")
    if not (path / WEIGHTS).is_file():
        raise ModelFolderError(f"{name} has no {WEIGHTS}: it can be run, not trained further. Start from {ENGLISH}")
    return Start(name, path, stored.config, stored.featuriser, read_weights(path / WEIGHTS))
