"""Choosing the encoder that a training starts from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from heedful.config import Config
from heedful.data.example import texts_in
from heedful.errors import ConfigError, ModelFolderError
from heedful.inputs import INPUTS
from heedful.inputs.text.featuriser import TextFeaturiser
from heedful.jobs.encoders.transformers.import_encoder import ImportOptions, read_imported
from heedful.jobs.train.compare_starts import FEWEST, compare_starts, try_ngrams
from heedful.jobs.train.unlabelled import UNLABELLED
from heedful.lazy import imported
from heedful.store.folder import WEIGHTS, has_weights, is_transformer_folder, read_folder, read_weights_of
from heedful.store.shipped import model_path, shipped_models
from heedful.tasks import answer_kind, task_of
from heedful.tasks.tag.start import TagStart, tag_start
from heedful.text.language import looks_english
from heedful.training.dataset import TrainingData
from heedful.training.setup import Start
from heedful.training.start.fits import OnFit, ignore_fit
from heedful.training.start.from_encoder import FEW_TO_TUNE, EncoderStart
from heedful.training.start.ngrams.wide import AUTO, USUAL, can_be_wide
from heedful.training.start.with_hops import with_hops

ENGLISH = "en-base"
AUTO_START, NO_START = "auto", "none"
LIGHT, MANY_TEXTS = "static", 20_000
ENOUGH_EACH = 500  # texts for each label: with more, n-grams beside a tuned encoder did not help (SST-2: 84.6 : 85.7)
BESIDE = ("max_tokens", "ngrams", "min_texts")  # settings of texts that go with any network
_HINT = f"and {ENGLISH} is for English. If they are English (titles, queries), set train.start to {ENGLISH}"


@dataclass(frozen=True)
class Chosen:
    """Where a training starts, whether it has n-grams (in the config), and what to say about it."""

    start: Start | None
    config: Config
    notes: tuple[str, ...] = ()


def decide_start(
    config: Config, material: TrainingData, *, own: EncoderStart | None = None, on_fit: OnFit = ignore_fit
) -> Chosen:
    """Choose the encoder to start from, and whether the scores have n-grams.

    With `start` auto, cross-validation on a sample decides between the bundled encoder and n-grams, or both. Without
    `compare` the language of the texts decides. A network of the user's own has n-grams only if they are asked for.
    `own` is an encoder of the user's unlabelled texts.
    """
    texts = [text for example in material.train for text in texts_in(example.text)]
    start, why = choose_start(config, texts, own=own)
    asks_for_ngrams = config.text.ngrams == AUTO and can_be_wide(config, many=material.many)
    if not asks_for_ngrams or (own_settings(config) and config.train.start in (AUTO_START, NO_START)):
        return Chosen(start, config, () if start else (f"training from scratch: {why}",))
    if not config.train.compare or len(material.train) < FEWEST:
        if start is not None:
            return Chosen(start, config)
        return Chosen(None, _wide(config, material), (f"training from scratch, with n-grams: {why}",))
    is_open, expected = config.train.start == AUTO_START, start
    if is_open and (start is None or start is own) and ENGLISH in shipped_models():
        start = read_start(ENGLISH)
    candidates = [cast("EncoderStart", each) for each in (own, None if start is own else start) if each is not None]
    if not candidates:
        trial, lines = try_ngrams(config, material, on_fit=on_fit)
        wide = _wide(config, material, min_texts=trial.strengths.fewest)
        return Chosen(None, wide, (*lines, f"training from scratch, with n-grams: {why}"))
    return _compared(config, material, candidates, is_open=is_open, expected=expected, on_fit=on_fit)


def _compared(
    config: Config,
    material: TrainingData,
    candidates: Sequence[EncoderStart],
    *,
    is_open: bool,
    expected: Start | None,
    on_fit: OnFit,
) -> Chosen:
    """Choose between encoders, n-grams and both by cross-validation; if the start `is_open`, n-grams may be alone."""
    comparisons = [(each, compare_starts(config, material, each, on_fit=on_fit)) for each in candidates]
    encoder, comparison = min(comparisons, key=lambda each: each[1].loss)
    notes = tuple(dict.fromkeys(note for _, each in comparisons for note in each.notes))
    is_proven = encoder is expected and encoder.name != UNLABELLED
    if is_open and not comparison.encoder_is_better(is_its_language=is_proven):
        wide = _wide(config, material, min_texts=comparison.min_texts(with_encoder=False))
        why = f"{encoder.name} does not improve on them"
        return Chosen(None, wide, (*notes, f"training from scratch, with n-grams: {why}"))
    if not comparison.ngrams_help or (encoder.can_be_tuned and _is_enough_to_tune(config, material)):
        return Chosen(encoder, config.changed(ngrams=0), notes)
    min_texts = config.text.min_texts or comparison.min_texts(with_encoder=True)
    wide = config.changed(ngrams=USUAL, min_texts=min_texts)
    return Chosen(encoder, wide, (*notes, "n-grams beside the encoder improve on it: they are added"))


def _is_enough_to_tune(config: Config, material: TrainingData) -> bool:
    """Return whether there are so many texts for each label that a network which is all trained needs no n-grams."""
    is_tuned = config.train.tune == "all" or (config.train.tune == "auto" and material.n_train >= FEW_TO_TUNE)
    return is_tuned and material.n_train >= ENOUGH_EACH * len(material.labels)


def _wide(config: Config, material: TrainingData, *, min_texts: int = 0) -> Config:
    """Return the config of a network from scratch with n-grams.

    With n-grams beside it, and up to some ten thousand texts, a BiLSTM is not better than words with attention alone.
    """
    encoder = LIGHT if material.n_train < MANY_TEXTS else config.model.encoder
    return config.changed(ngrams=USUAL, min_texts=config.text.min_texts or min_texts, encoder=encoder)


def find_start(config: Config, texts: Sequence[Any]) -> Start | None:
    """Return the encoder to start from: the setting `start`, or the bundled one for English text by default."""
    return choose_start(config, texts)[0]


def choose_start(config: Config, texts: Sequence[Any], *, own: EncoderStart | None = None) -> tuple[Start | None, str]:
    """Return the encoder to start from, or None and why there is none.

    If tokens, word vectors or a network were chosen, `auto` trains from scratch. `own` is an encoder of the user's
    unlabelled texts: `auto` takes it if the bundled one does not fit.
    """
    name = config.train.start
    if own is not None and (name == UNLABELLED or _why_not_english(config, texts)):
        return own, ""
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
    if own := own_settings(config):
        verb = "was" if len(own) == 1 else "were"
        return f"{', '.join(own)} {verb} chosen, and {ENGLISH} brings its own network and tokens"
    if ENGLISH not in shipped_models():
        return f"{ENGLISH} is not installed"
    if not looks_english(texts):
        return f"the texts do not look like English prose, {_HINT}"
    return ""


def own_settings(config: Config) -> list[str]:
    """Return the settings of tokens and network that differ from the defaults, and that an encoder would overrule."""
    usual = Config()
    return [
        name
        for asked, other in ((config.text, usual.text), (config.model, usual.model))
        for name, value in vars(asked).items()
        if value != getattr(other, name) and name not in BESIDE
    ]


def _what(config: Config) -> str:
    return f"task {config.task}" if INPUTS[config.input].is_text else f"input {config.input}"


def read_start(name: str) -> EncoderStart:
    """Read an encoder with its weights, by its folder or the name of a bundled one."""
    path, name = _path_and_name(name)
    if is_transformer_folder(path):
        return with_hops(_transformer_start(name, path))
    stored = read_folder(path)
    if answer_kind(stored.config) != "vector":
        raise ModelFolderError(f"{name} is a classifier; train.start must be an encoder, such as {ENGLISH}")
    if not has_weights(path, stored.facts, stored.config.model):
        raise ModelFolderError(f"{name} has no {WEIGHTS}: it can be run, not trained further. Start from {ENGLISH}")
    weights = read_weights_of(path, stored.facts, stored.config.model)
    return with_hops(EncoderStart(name, path, stored.config, cast("TextFeaturiser", stored.featuriser), weights))


def _transformer_start(name: str, path: Path) -> EncoderStart:
    """Read a transformer's folder of Hugging Face or sentence-transformers."""
    transformer = read_imported(path, ImportOptions())
    return EncoderStart(name, path, transformer.config, transformer.featuriser, dict(transformer.weights))


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
