"""Writing and reading a model folder."""

from __future__ import annotations

import glob
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from heedful.config import Config, config_from_toml
from heedful.data.featuriser import FILE as INPUT
from heedful.data.featuriser import Featuriser, Learned, featuriser_class
from heedful.errors import ConfigError, ModelFolderError, NoSuchModel, reason
from heedful.files.json_text import json_text
from heedful.files.lock import exclusive_lock
from heedful.inputs.text.featuriser import ImportedFeaturiser, SubwordFeaturiser, TextFeaturiser, WordFeaturiser
from heedful.inputs.text.known_ngrams import KnownNGrams
from heedful.inputs.text.wide import WideFeaturiser
from heedful.settings import ModelSettings, TextSettings
from heedful.store.contained_files import read_file
from heedful.store.digests import Seal
from heedful.store.graph_weights import weights_in_graph
from heedful.store.json_limits import check_written, limited_text
from heedful.store.metadata import Facts
from heedful.store.ngram_hashes import hashes_file, hashes_from
from heedful.store.results.audit_file import AUDIT, read_verdict
from heedful.store.verdict import NOT_AUDITED, Verdict
from heedful.store.weights import weights_from
from heedful.tasks import answer_kind, task_of
from heedful.text.imported.plan import TokeniserPlan
from heedful.text.imported.tokeniser import ImportedTokeniser
from heedful.text.vocab import Vocab
from heedful.text.word_tokeniser import WordTokeniser
from heedful.text.wordpiece import WordPieceTokeniser

CONFIG, FACTS, VOCAB, SUBWORDS = "config.toml", "facts.json", "vocab.json", "tokenizer.json"
NGRAMS = "ngrams.safetensors"  # hashes of the n-grams of a model with a wide part
WEIGHTS, GRAPH, HISTORY, CARD = "weights.safetensors", "model.onnx", "history.jsonl", "README.md"
DECODER = "decoder.onnx"  # of a translator: one step of the decoder
NEW, OLD = ".new", ".old"  # suffixes of temporary folders while a model is written
TRANSFORMER_FILES = ("config.json", "modules.json")  # of Hugging Face, and of sentence-transformers
MAX_LABELS = 1_000_000


@dataclass(frozen=True)
class Stored:
    """A model folder, as the runtime needs it."""

    path: Path
    config: Config
    facts: Facts
    featuriser: Featuriser
    graph: bytes
    verdict: Verdict
    seal: Seal  # of all files that predictions depend on

    @property
    def fingerprint(self) -> str:
        """The identity of the model: a hash of its files."""
        return self.seal.fingerprint


def write_folder(path: Path, files: Mapping[str, bytes], *, overwrite: bool = False) -> None:
    """Write all files next to the target, flush them to disk, then move the folder into place."""
    check_target(path, overwrite=overwrite)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_and_move(path, files)
    except OSError as error:
        raise ModelFolderError(f"{path} cannot be written: {reason(error)}") from None


def check_target(path: Path, *, overwrite: bool = False) -> None:
    """Raise if a model may not be written to this path: before training, not after it."""
    if path.exists() and not overwrite:
        raise ModelFolderError(
            f"{path} already exists. Choose another folder, or set overwrite to replace the model in it"
        )
    if path.exists() and not (path.is_dir() and (is_model_folder(path) or not any(path.iterdir()))):
        raise ModelFolderError(f"{path} exists and is not a model: it will not be overwritten")
    _check_writable(path)


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Lock a model folder while a model for it is made; raise if another process has locked it."""
    _check_writable(path)
    with exclusive_lock(path, error=ModelFolderError):
        yield


def _check_writable(path: Path) -> None:
    above = next(folder for folder in path.absolute().parents if folder.exists())
    if not (above.is_dir() and os.access(above, os.W_OK)):
        raise ModelFolderError(f"{path} cannot be written: {above} is not a writable folder")


def clean_up(path: Path) -> None:
    """Clean up after a process that was killed while it wrote this folder. Call it with the lock on `path`."""
    siblings = path.parent.glob(f".{glob.escape(path.name)}.*")
    for folder in [sibling for sibling in siblings if sibling.suffix in (NEW, OLD) and sibling.is_dir()]:
        if folder.suffix == OLD and not path.exists() and (folder / path.name).is_dir():
            (folder / path.name).rename(path)  # it was killed between the two moves
        shutil.rmtree(folder, ignore_errors=True)


def _write_and_move(path: Path, files: Mapping[str, bytes]) -> None:
    fresh = Path(tempfile.mkdtemp(prefix=f".{path.name}.", suffix=NEW, dir=path.parent))
    try:
        for name, content in files.items():
            with (fresh / name).open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        fresh.chmod(0o755)
        move_into_place(fresh, path)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def move_into_place(fresh: Path, path: Path) -> None:
    """Replace a folder by another; `clean_up` recovers from a kill between the two moves."""
    if path.exists():
        old = Path(tempfile.mkdtemp(prefix=f".{path.name}.", suffix=OLD, dir=path.parent))
        path.rename(old / path.name)
        try:
            fresh.rename(path)
        except BaseException:  # Ctrl-C too: one of the two models must remain
            (old / path.name).rename(path)
            old.rmdir()
            raise
        shutil.rmtree(old, ignore_errors=True)
    else:
        fresh.rename(path)


def is_model_folder(path: Path) -> bool:
    """Return whether this looks like a model folder, without reading it."""
    return (path / CONFIG).is_file() and (path / GRAPH).is_file()


def is_transformer_folder(path: Path) -> bool:
    """Return whether this looks like a folder of Hugging Face or sentence-transformers."""
    return not (path / CONFIG).exists() and any((path / name).is_file() for name in TRANSFORMER_FILES)


def read_folder(path: str | Path) -> Stored:
    """Read a model folder, or raise with the reason why it cannot be read."""
    path = Path(path)
    if not path.is_dir():
        error = ModelFolderError if path.exists() else NoSuchModel
        raise error(f"{path} is not a folder: expected a model made by `heedful train`")
    missing = [name for name in (CONFIG, FACTS, GRAPH) if not (path / name).is_file()]
    if missing:
        raise ModelFolderError(f"{path} is not a model: it has no {' and no '.join(missing)}")
    files = {name: read_file(path, name) for name in (CONFIG, FACTS, GRAPH)}
    try:
        config = config_from_toml(files[CONFIG], path=path / CONFIG, complete=True)
    except ConfigError as error:
        raise ModelFolderError(str(error)) from None
    facts = Facts.from_json(limited_text(files[FACTS], path / FACTS))
    if len(facts.labels) not in _label_counts(config, facts):
        raise ModelFolderError(f"{path}: facts.json has {len(facts.labels)} labels, but the task is {config.task}")
    files |= {name: read_file(path, name) for name in _more_files(config)}
    seal = Seal(files)
    if facts.files:
        seal.start()
    featuriser = _featuriser(path, config, files)
    seal.check(path, facts.files)
    return Stored(path, config, facts, featuriser, files[GRAPH], _verdict(path, seal), seal)


def _more_files(config: Config) -> tuple[str, ...]:
    more = task_of(config).more_files
    if featuriser_class(config) is not None:
        return (INPUT, *more)
    ngrams = (NGRAMS,) if config.text.ngrams > 0 else ()
    return (VOCAB if config.text.tokens == "words" else SUBWORDS, *ngrams, *more)


def _label_counts(config: Config, facts: Facts) -> Sequence[int]:
    """Return the numbers of labels that a model may have."""
    least, most = {"vector": (0, 0), "text": (0, 0), "number": (1, 1), "labels": (1, MAX_LABELS)}.get(
        answer_kind(config, many=facts.is_multilabel), (2, MAX_LABELS)
    )
    return range(least, most + 1)


def featuriser_files(featuriser: Featuriser) -> dict[str, bytes]:
    """Return the content of each file of a featuriser, by name."""
    if (known := getattr(featuriser, "known", None)) is not None:
        inner = cast("WideFeaturiser", featuriser).inner
        return {**featuriser_files(inner), NGRAMS: hashes_file(known.hashes)}
    return {getattr(featuriser, "FILE", INPUT): cast("Learned", featuriser).to_json().encode()}


def history_file(records: Iterable[Mapping[str, Any]]) -> bytes:
    """Return the content of history.jsonl: one JSON object per epoch."""
    return "".join(json_text(record) + "\n" for record in records).encode()


def _featuriser(path: Path, config: Config, files: Mapping[str, bytes]) -> Featuriser:
    settings = config.text
    name = _more_files(config)[0]
    text = limited_text(files[name], path / name)
    if (kind := featuriser_class(config)) is not None:
        featuriser = kind.from_json(text)
        check_written(text, featuriser.to_json(), path / name)
        return featuriser
    texts = _text_featuriser(settings, text)
    if NGRAMS not in files:
        return texts
    return WideFeaturiser(texts, KnownNGrams(hashes_from(files[NGRAMS], path / NGRAMS)))


def _text_featuriser(settings: TextSettings, text: str) -> TextFeaturiser:
    if settings.tokens == "imported":
        plan = TokeniserPlan.from_json(text)
        return ImportedFeaturiser(ImportedTokeniser(plan), max_tokens=settings.max_tokens)
    if settings.tokens == "subwords":
        return SubwordFeaturiser(WordPieceTokeniser.from_json(text), max_tokens=settings.max_tokens)
    words = WordTokeniser(lowercase=settings.lowercase)
    return WordFeaturiser(words, Vocab.from_json(text), max_tokens=settings.max_tokens, one_hot=settings.one_hot)


def _verdict(path: Path, seal: Seal) -> Verdict:
    """Return the verdict of the audit of this very model."""
    if not (path / AUDIT).exists():
        return NOT_AUDITED
    return read_verdict(limited_text(read_file(path, AUDIT), path / AUDIT), seal.fingerprint)


def read_weights_of(path: Path, facts: Facts, settings: ModelSettings) -> dict[str, NDArray[np.float32]]:
    """Return the weights of a model folder: those of weights.safetensors, or else those in the graph."""
    if not (path / WEIGHTS).is_file():
        return _graph_weights(path, facts, settings)
    content = read_file(path, WEIGHTS)
    Seal({WEIGHTS: content}).check(path, facts.files)
    return weights_from(content, path / WEIGHTS)


def has_weights(path: Path, facts: Facts, settings: ModelSettings) -> bool:
    """Return whether a model folder has the weights that training and gradients need."""
    if (path / WEIGHTS).is_file():
        return True
    try:
        return bool(_graph_weights(path, facts, settings))
    except ModelFolderError:
        return False


def _graph_weights(path: Path, facts: Facts, settings: ModelSettings) -> dict[str, NDArray[np.float32]]:
    content = read_file(path, GRAPH)
    Seal({GRAPH: content}).check(path, facts.files)
    weights = None if WEIGHTS in facts.files else weights_in_graph(content, settings)  # a sealed folder is complete
    if weights is None:
        raise ModelFolderError(f"{path} has no {WEIGHTS}")
    return weights
