"""From a file of labelled texts to a model folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import safetensors.numpy
import tomli_w

from heedful.config import Config, load_config
from heedful.data.example import Example
from heedful.data.featurise import Featuriser
from heedful.data.read import read_examples
from heedful.data.split import stratified_split
from heedful.errors import ConfigError, DataError
from heedful.export.parity import check_parity
from heedful.export.write import onnx_graph
from heedful.runtime.model import Model, load
from heedful.store.card import model_card
from heedful.store.facts import Facts
from heedful.store.folder import (
    CARD,
    CONFIG,
    FACTS,
    GRAPH,
    HISTORY,
    WEIGHTS,
    check_target,
    featuriser_file,
    history_file,
    write_folder,
)
from heedful.training.build import build_network
from heedful.training.checkpoint import FILE as CHECKPOINT
from heedful.training.history import EpochRecord, NoteEvent, Watcher, nobody
from heedful.training.loop import FitResult, LabelledSet, Trainer
from heedful.training.loss import ClassifyLoss, balanced_weights
from heedful.training.network import Network
from heedful.training.prepare import fingerprint, labelled_set, make_featuriser, place_vectors


@dataclass(frozen=True)
class TrainResult:
    """A finished training."""

    path: Path
    records: Sequence[EpochRecord]
    best: EpochRecord | None
    is_interrupted: bool
    facts: Facts


@dataclass(frozen=True)
class Material:
    """What a training learns from."""

    train: Sequence[Example]
    valid: Sequence[Example]
    labels: tuple[str, ...]


def train(
    data: str | Path | None = None, out: str | Path = "model", *, config: str | Path | None = None, **settings: Any
) -> Model:
    """Train on a file of labelled texts and return the model, which is also in the folder `out`.

    `settings` are those of config.py, `resume=True`, `overwrite=True`, and a `watcher` that is told of progress.
    """
    base = load_config(config) if config is not None else Config()
    options = {key: settings.pop(key) for key in ("resume", "overwrite", "watcher") if key in settings}
    if data is not None:
        settings["train"] = str(data)
    return load(train_model(base.changed(**settings), Path(out), **options).path)


def train_model(
    config: Config,
    out: Path,
    *,
    examples: tuple[Sequence[Example], Sequence[Example]] | None = None,
    watcher: Watcher = nobody,
    resume: bool = False,
    overwrite: bool = False,
    should_stop: Callable[[], bool] = lambda: False,
) -> TrainResult:
    """Read, learn, check, write. Stopped early, it writes the best model so far and can be resumed."""
    work = working_folder(out)
    goes_on = resume and (work / CHECKPOINT).is_file()
    check_target(out, overwrite=overwrite or goes_on)
    if not resume:
        _forget(work)
    material = _material(config, examples)
    featuriser, start = make_featuriser([e.text for e in material.train], config.text)
    if start is not None:
        config = config.changed(embed_width=int(start.values.shape[1]))
    train_set = labelled_set(material.train, featuriser, material.labels)
    valid_set = labelled_set(material.valid, featuriser, material.labels)
    data_facts = _describe(material, featuriser, train_set)
    if start is not None:
        data_facts |= {"words_found": start.found_words, "tokens_found": start.found_tokens}
    _tell(watcher, data_facts, material.labels)

    network = build_network(
        config.model,
        n_ids=len(featuriser),
        n_classes=len(material.labels),
        tune=config.text.tune_vectors,
        seed=config.train.seed,
    )
    if start is not None:
        place_vectors(network, start)
    trainer = Trainer(
        network,
        train_set,
        valid_set,
        settings=config.train,
        loss=_loss(config, train_set, len(material.labels)),
        labels=material.labels,
        watcher=watcher,
        folder=work,
        identity=_identity(config, material),
        should_stop=should_stop,
    )
    fit = trainer.run(resume=resume)
    network.load_state_dict(dict(fit.weights))
    facts = _write(
        out, config, featuriser, network, fit, material, data_facts, valid_set, overwrite=overwrite or goes_on
    )
    if not fit.is_interrupted:
        _forget(work)
    best = next((r for r in fit.records if r.epoch == fit.best_epoch), None)
    return TrainResult(out, fit.records, best, fit.is_interrupted, facts)


def working_folder(out: Path) -> Path:
    """Return where checkpoints are kept until the model is finished."""
    return out.with_name(out.name + ".training")


def _forget(work: Path) -> None:
    """Remove checkpoints, and their folder where nothing else is in it."""
    for file in work.glob(f"{CHECKPOINT}*"):
        file.unlink()
    with suppress(OSError):
        work.rmdir()


def _material(config: Config, given: tuple[Sequence[Example], Sequence[Example]] | None) -> Material:
    settings = config.data
    if given is not None:
        train_examples, valid_examples = given
    elif settings.train is None:
        raise ConfigError(["data.train is not given: which file of labelled texts?"])
    else:
        train_examples = read_examples(settings.train, text=settings.text, label=settings.label)
        valid_examples = []
        if settings.valid is not None:
            valid_examples = read_examples(settings.valid, text=settings.text, label=settings.label)
    source = settings.train or "the training texts"
    labels = tuple(sorted({e.label for e in train_examples}))
    if len(labels) < 2:
        raise DataError(source, f"every text has the label {labels[0]!r}, expected two labels or more")
    if not valid_examples:
        kept, held = stratified_split([e.label for e in train_examples], settings.valid_share, seed=config.train.seed)
        valid_examples = [train_examples[i] for i in held]
        train_examples = [train_examples[i] for i in kept]
        if not valid_examples:
            raise DataError(source, "too few texts to keep some back: every label has only one. Give a --valid file")
    if strange := sorted({e.label for e in valid_examples} - set(labels)):
        raise DataError(
            settings.valid or source, f"label {strange[0]!r} is not among the training labels: {', '.join(labels)}"
        )
    return Material(train_examples, valid_examples, labels)


def _loss(config: Config, train_set: LabelledSet, n_classes: int) -> ClassifyLoss:
    balanced = config.train.class_weights == "balanced"
    return ClassifyLoss(
        coefficient=config.model.penalty,
        class_weights=balanced_weights(train_set.truth, n_classes) if balanced else None,
    )


def _identity(config: Config, material: Material) -> dict[str, Any]:
    """Return what must be the same for a training to be taken up again."""
    tree = config.to_dict()
    flat = {f"{s}.{k}": v for s in ("text", "model", "train") for k, v in tree[s].items()}
    for free in ("train.checkpoint_minutes", "train.device"):
        flat.pop(free)
    return flat | {"texts": fingerprint(material.train), "valid texts": fingerprint(material.valid)}


def _describe(material: Material, featuriser: Featuriser, train_set: LabelledSet) -> dict[str, Any]:
    lengths = [len(ids) for ids in train_set.features]
    return {
        "train_texts": len(material.train),
        "valid_texts": len(material.valid),
        "known_tokens": len(featuriser),
        "mean_tokens": sum(lengths) / len(lengths),
        "cut_texts": sum(n == featuriser.max_tokens for n in lengths),
        "empty_texts": sum(n == 0 for n in lengths),
    }


def _tell(watcher: Watcher, facts: dict[str, Any], labels: Sequence[str]) -> None:
    shown = ", ".join(labels[:8]) + (f" and {len(labels) - 8} more" if len(labels) > 8 else "")
    notes = [
        f"{facts['train_texts']:,} texts to learn from, {facts['valid_texts']:,} to check, labels: {shown}",
        f"{facts['known_tokens']:,} tokens known, {facts['mean_tokens']:.0f} in a text on average",
    ]
    if "words_found" in facts:
        words, tokens = facts["words_found"], facts["tokens_found"]
        notes.append(f"word vectors: found {words:.1%} of the different words, {tokens:.1%} of all words")
    if facts["cut_texts"]:
        notes.append(f"{facts['cut_texts']:,} texts reach --max-tokens: what follows in them is not read")
    if facts["empty_texts"]:
        notes.append(f"{facts['empty_texts']:,} texts have no words in them")
    for message in notes:
        watcher(NoteEvent(message))


def _write(
    out: Path,
    config: Config,
    featuriser: Featuriser,
    network: Network,
    fit: FitResult,
    material: Material,
    data_facts: dict[str, Any],
    valid_set: LabelledSet,
    *,
    overwrite: bool,
) -> Facts:
    network = network.cpu()
    weights = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    graph = onnx_graph(config.model, weights)
    best = next((r for r in fit.records if r.epoch == fit.best_epoch), None)
    facts = Facts(
        labels=material.labels,
        n_hops=int(network.pooler.n_hops),
        width=int(network.encoder.width),
        heedful=version("heedful"),
        figures={"accuracy": best.accuracy, "macro_f1": best.macro_f1, "loss": best.valid_loss} if best else {},
        data=data_facts,
        parity=check_parity(network, graph, valid_set.features),
    )
    vocab_name, vocab = featuriser_file(featuriser)
    records = [asdict(record) for record in fit.records]
    files = {
        CONFIG: tomli_w.dumps(config.to_dict()).encode(),
        FACTS: facts.to_json().encode(),
        vocab_name: vocab,
        WEIGHTS: safetensors.numpy.save(weights),
        GRAPH: graph,
        HISTORY: history_file(records),
        CARD: model_card(out.name, config, facts, records).encode(),
    }
    write_folder(out, files, overwrite=overwrite)
    return facts
