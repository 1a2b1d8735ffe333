"""From a file of labelled texts to a model folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from heedful.config import Config
from heedful.data.example import Example
from heedful.errors import ModelFolderError, TrainingError
from heedful.files.atomic import write_bytes
from heedful.jobs.train.choose_start import decide_start
from heedful.jobs.train.imbalance import imbalance_of, with_fair_figure
from heedful.jobs.train.notes import data_notes, size_note
from heedful.jobs.train.run_options import RunKeywords, RunOptions, never
from heedful.jobs.train.save import save_model
from heedful.jobs.train.unlabelled import start_of_unlabelled
from heedful.jobs.train.unused_settings import no_effect_notes
from heedful.jobs.train.write_hops import keep_trained_hops
from heedful.jobs.train.write_words import keep_trained_words
from heedful.store.folder import WEIGHTS, check_target, clean_up, held
from heedful.store.metadata import Facts
from heedful.store.training_rows import TrainedOn
from heedful.store.weights import weights_file
from heedful.training.dataset import Pair, TrainingData, read_data
from heedful.training.history import EpochRecord, FitEvent, NoteEvent, Watcher, nobody
from heedful.training.loop.checkpoint import FILE as CHECKPOINT
from heedful.training.loop.process_group import Group
from heedful.training.loop.stream import read_streamed
from heedful.training.loop.torchrun import joined
from heedful.training.loop.trainer import FitResult, Trainer
from heedful.training.setup import Prepared, answer_from_all, prepare_data, start_head, threads_for
from heedful.training.start.choose_tuning import ANSWER, CONTRAST, CONTRAST_HOPS, HOPS
from heedful.training.start.fits import OnFit

if TYPE_CHECKING:
    from torch import Tensor

FITTED = (ANSWER, HOPS, CONTRAST, CONTRAST_HOPS)  # values of train.tune without epochs


@dataclass(frozen=True)
class TrainResult:
    """Result of a training that finished or was interrupted."""

    path: Path | None  # None if it was interrupted before there was a model to keep
    records: Sequence[EpochRecord]
    best: EpochRecord | None
    is_interrupted: bool
    facts: Facts | None


def train_model(
    config: Config,
    out: Path,
    *,
    examples: Pair | None = None,
    material: TrainingData | None = None,
    group: Group | None = None,
    **options: Unpack[RunKeywords],
) -> TrainResult:
    """Read the data, train, check and write the model. If interrupted after an epoch, write the best model so far.

    `examples` are training and validation examples; `material` is data that was read already. Under torchrun this is
    one process of a group, and only the first process writes. `options` are those of RunOptions.
    """
    if group is None:
        with joined(config.train.device) as own_group:
            if not own_group.is_first:
                options["watcher"] = nobody
            return train_model(config, out, examples=examples, material=material, group=own_group, **options)
    with held(out) if group.is_first else nullcontext():
        return _train(config, out.absolute(), RunOptions(**options, group=group), examples=examples, material=material)


def _train(
    config: Config, out: Path, options: RunOptions, *, examples: Pair | None, material: TrainingData | None
) -> TrainResult:
    work, watcher = working_folder(out), options.watcher
    goes_on = can_resume(out, options)
    if options.group.is_first:
        check_before(out, options)
    if material is None:
        is_streamed = config.data.stream and examples is None
        material = read_streamed(config) if is_streamed else read_data(config, given=examples)
    for line in [
        *material.faults.summaries.values(),
        size_note(material.n_train, len(material.valid), material.labels, config.input),
    ]:
        watcher(NoteEvent(line))
    if imbalance := imbalance_of(config, material):
        config = with_fair_figure(config)
        for line in imbalance.notes(by_macro_f1=config.train.figure == "macro_f1"):
            watcher(NoteEvent(line))
    own = start_of_unlabelled(config, material, watcher)
    chosen = decide_start(config, material, own=own, on_fit=_watched_fits(watcher))
    start, config = chosen.start, chosen.config
    prepared = prepare_data(config, material, start)
    if material.is_whole:
        prepared = replace(prepared, trained_on=_hashes(material.train))
    for line in [
        *data_notes(prepared.facts, prepared.config.input),
        *material.faults.report,
        *chosen.notes,
        *no_effect_notes(config, prepared.config, start=prepared.start),
    ]:
        watcher(NoteEvent(line))
    if options.resume and not goes_on:
        watcher(NoteEvent(f"nothing to resume at {work}: starting from the beginning"))
    if not options.resume and options.group.is_first:
        forget(work)
    try:
        prepared = start_head(prepared, _watched_fits(watcher, options.should_stop if prepared.folds else never))
    except Stopped:  # there is nothing to keep yet
        return TrainResult(None, [], None, True, None)
    for line in prepared.notes:
        watcher(NoteEvent(line))
    result = fit_and_save(
        prepared,
        out,
        replace(options, overwrite=options.overwrite or goes_on),
        identity=_identity(prepared, material),
        at_last=_last_word(prepared, material, _watched_fits(watcher, options.should_stop)),
    )
    if options.group.is_first and result.path is not None and not result.is_interrupted:
        keep_trained_hops(result.path, prepared.config, material.valid, watcher)
        keep_trained_words(result.path, prepared.config, material.valid, watcher)
    return result


def _hashes(examples: Sequence[Example]) -> dict[str, Any]:
    return TrainedOn.of(example.text for example in examples).to_dict()


class Stopped(Exception):  # noqa: N818
    """Raised between two fits of a head if the user asked to stop."""


def _watched_fits(watcher: Watcher, should_stop: Callable[[], bool] = never) -> OnFit:
    """Return a callback that reports each fit to the watcher, and raises Stopped if the user asked to stop."""

    def on_fit(done: int, total: int) -> None:
        watcher(FitEvent(done, total))
        if done < total and should_stop():
            raise Stopped

    return on_fit


def _last_word(prepared: Prepared, material: TrainingData, on_fit: OnFit) -> Callable[[], Mapping[str, Tensor]] | None:
    """Return a function that makes the final weights, or None if the best weights seen are final."""
    is_wide_alone = prepared.start is None and prepared.network.wide is not None
    is_fitted = is_wide_alone or (prepared.start is not None and prepared.config.train.tune in FITTED)
    if is_fitted and material.is_held_out and material.is_whole:
        return lambda: answer_from_all(prepared, on_fit)
    return None


def fit_and_save(
    prepared: Prepared,
    out: Path,
    options: RunOptions,
    *,
    identity: Mapping[str, Any],
    small: bool = False,
    at_last: Callable[[], Mapping[str, Tensor]] | None = None,
) -> TrainResult:
    """Train, and write the best model seen, or one with the weights that `at_last` returns; `small` rounds them."""
    fit = _fit(prepared, out, options, identity)
    if fit.kept_record is None and not fit.is_interrupted and options.group.is_first:
        raise TrainingError(
            "no epoch ended with finite metrics, so there is no model to keep. If train.epochs is not 0, check the "
            "labels or try a smaller train.lr"
        )
    if fit.kept_record is None or not options.group.is_first:
        return TrainResult(None, fit.records, fit.kept_record, fit.is_interrupted, None)
    measured = None
    if at_last is not None:
        measured = fit.weights
        prepared.network.load_state_dict(dict(fit.weights))
        try:
            fit = replace(fit, weights=at_last())
            prepared = replace(
                prepared,
                facts={**prepared.facts, "valid_texts_learned": True},
                trained_on=_hashes([example for side in prepared.examples or () for example in side]),
            )
        except Stopped:  # keep the head that was measured
            measured, fit = None, replace(fit, is_interrupted=True)
    work = working_folder(out)
    try:
        facts = save_model(out, prepared, fit, overwrite=options.overwrite, small=small, measured=measured)
    except RuntimeError as error:  # our bug: do not lose the trained weights
        raise RuntimeError(f"{error}. The trained weights are kept in {keep_weights(work, fit.weights)}") from error
    if not fit.is_interrupted:
        forget(work)
    return TrainResult(out, fit.records, fit.kept_record, fit.is_interrupted, facts)


def _fit(prepared: Prepared, out: Path, options: RunOptions, identity: Mapping[str, Any]) -> FitResult:
    """Run the training loop; a frozen encoder needs no epochs, since its head is fitted already."""
    has_start, settings = prepared.start is not None, prepared.config.train
    epochs = 0 if has_start and settings.tune in FITTED else settings.epochs
    return Trainer(
        prepared.network,
        prepared.goal,
        settings=replace(settings, threads=threads_for(prepared.config), epochs=epochs),
        watcher=options.watcher,
        folder=working_folder(out) if options.checkpoints else None,
        identity=identity,
        should_stop=options.should_stop,
        group=options.group,
    ).run(resume=options.resume, judge_first=has_start or prepared.network.wide is not None)


def keep_weights(work: Path, weights: Mapping[str, Tensor]) -> Path:
    """Write the weights of a training whose model could not be saved, and return the file."""
    work.mkdir(parents=True, exist_ok=True)
    content = weights_file({name: tensor.cpu().numpy() for name, tensor in weights.items()}, small=False)
    return write_bytes(work / WEIGHTS, content)


def check_before(out: Path, options: RunOptions) -> None:
    """Raise, before any work is done, if the result could not be written or would replace another one."""
    clean_up(out)
    check_target(out, overwrite=options.overwrite or can_resume(out, options))
    work = working_folder(out)
    if is_unfinished(out) and not (options.resume or options.overwrite):
        raise ModelFolderError(
            f"{work} holds a training that was not finished. Set resume to continue it, or overwrite to restart"
        )


def can_resume(out: Path, options: RunOptions) -> bool:
    """Return whether there is a checkpoint to resume from, as the options ask."""
    return options.resume and is_unfinished(out)


def is_unfinished(out: Path) -> bool:
    """Return whether there is a checkpoint of a training that was stopped."""
    return (working_folder(out) / CHECKPOINT).is_file()


def working_folder(out: Path) -> Path:
    """Return the folder of the checkpoints while the model is not finished."""
    return out.with_name(out.name + ".training")


def forget(work: Path) -> None:
    """Remove checkpoints, and their folder if it is empty then."""
    for file in work.glob(f"*{CHECKPOINT}*"):
        file.unlink()
    with suppress(OSError):
        work.rmdir()


def _identity(prepared: Prepared, material: TrainingData) -> dict[str, Any]:
    """Return the values that must match for a training to be resumed."""
    return (
        settings_identity(prepared.config) | material.fingerprints() | {"word vectors": prepared.facts.get("vectors")}
    )


def settings_identity(config: Config) -> dict[str, Any]:
    """Return the settings that affect the weights."""
    tree = config.to_dict()
    flat = {f"{s}.{k}": v for s in ("text", "model", "train") for k, v in tree[s].items()}
    for free in ("train.checkpoint_minutes", "train.device", "train.threads", "text.vectors"):
        flat.pop(free, None)
    return flat
