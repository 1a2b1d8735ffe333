"""Choosing the encoder that a training starts from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from heedful.config import Config
from heedful.errors import ConfigError, ModelFolderError
from heedful.inputs import INPUTS
from heedful.inputs.text.featuriser import TextFeaturiser
from heedful.lazy import imported
from heedful.store.folder import WEIGHTS, has_weights, read_folder, read_weights_of
from heedful.store.shipped import model_path, shipped_models
from heedful.tasks import answer_kind, task_of
from heedful.tasks.tag.start import TagStart, tag_start
from heedful.text.language import looks_english
from heedful.training.setup import Start
from heedful.training.start.from_encoder import EncoderStart

ENGLISH = "en-base"


def find_start(config: Config, texts: Sequence[Any]) -> Start | None:
    """Return the encoder to start from: the setting `start`, or the bundled one for English text by default."""
    return choose_start(config, texts)[0]


def choose_start(config: Config, texts: Sequence[Any]) -> tuple[Start | None, str]:
    """Return the encoder to start from, or None and why there is none.

    If tokens, word vectors or a network were chosen, `auto` trains from scratch.
    """
    name = config.train.start
    task = task_of(config)
    if task.start is None or not INPUTS[config.input].is_text:
        if name not in ("none", "auto"):
            raise ConfigError([f"train.start is {name!r}: {_what(config)} cannot start from a sentence encoder."])
        return None, f"no encoder comes with heedful for {_what(config)}"
    if name == "auto" and not task.starts_by_itself:
        return None, f"no encoder comes with heedful for {_what(config)}"
    if name == "none":
        return None, "start is none"
    if name == "auto":
        if why := _why_not_english(config, texts):
            return None, why
        name = ENGLISH
    start: Start = imported(task.start)(name)
    return start, ""


def _why_not_english(config: Config, texts: Sequence[Any]) -> str:
    """Return why training does not start from the English encoder by default, or "" if it does."""
    usual = Config()
    own = [
        name
        for asked, other in ((config.text, usual.text), (config.model, usual.model))
        for name, value in vars(asked).items()
        if value != getattr(other, name)
    ]
    if own:
        verb = "was" if len(own) == 1 else "were"
        return f"{', '.join(own)} {verb} chosen, and {ENGLISH} brings its own network and tokens"
    if ENGLISH not in shipped_models():
        return f"{ENGLISH} is not installed"
    if not looks_english(texts):
        return (
            f"the texts do not look like English prose, and {ENGLISH} is for English. "
            f"If they are English (titles, queries), set train.start to {ENGLISH}"
        )
    return ""


def _what(config: Config) -> str:
    return f"task {config.task}" if INPUTS[config.input].is_text else f"input {config.input}"


def read_start(name: str) -> EncoderStart:
    """Read an encoder with its weights, by its folder or the name of a bundled one."""
    path, name = _path_and_name(name)
    stored = read_folder(path)
    if answer_kind(stored.config) != "vector":
        raise ModelFolderError(f"{name} is a classifier; train.start must be an encoder, such as {ENGLISH}")
    if not has_weights(path, stored.facts, stored.config.model):
        raise ModelFolderError(f"{name} has no {WEIGHTS}: it can be run, not trained further. Start from {ENGLISH}")
    weights = read_weights_of(path, stored.facts, stored.config.model)
    return EncoderStart(name, path, stored.config, cast("TextFeaturiser", stored.featuriser), weights)


def read_tag_start(name: str) -> TagStart:
    """Read a tagger or a sentence encoder with its weights, by its folder or the name of a bundled one."""
    path, name = _path_and_name(name)
    stored = read_folder(path)
    if not has_weights(path, stored.facts, stored.config.model):
        raise ModelFolderError(f"{name} has no {WEIGHTS}: it can be run, not trained further")
    weights = read_weights_of(path, stored.facts, stored.config.model)
    return tag_start(name, stored.config, stored.featuriser, weights, tuple(stored.facts.labels))


def _path_and_name(name: str) -> tuple[Path, str]:
    """Return the folder of a model, and its name for config.toml: the absolute path unless it is a bundled model."""
    path = model_path(name)
    return (path.absolute(), str(path.absolute())) if path == Path(name) else (path, name)
