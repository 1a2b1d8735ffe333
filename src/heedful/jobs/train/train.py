"""From a file of labelled texts to a model folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heedful.config import Config, load_config
from heedful.data.example import Example
from heedful.errors import ModelFolderError, TrainingError
from heedful.files.atomic import write_bytes
from heedful.jobs.train.choose_start import choose_start
from heedful.jobs.train.notes import data_notes
from heedful.jobs.train.save import save_model
from heedful.jobs.train.unused_settings import no_effect_notes
from heedful.jobs.train.write_hops import keep_trained_hops
from heedful.runtime.model import Model, load
from heedful.store.folder import WEIGHTS, check_target, clean_up, held
from heedful.store.metadata import Facts
from heedful.store.training_rows import TrainedOn
from heedful.store.weights import weights_file
from heedful.training.dataset import Material, Pair, read_material
from heedful.training.history import EpochRecord, FitEvent, NoteEvent, Watcher, nobody
from heedful.training.loop.checkpoint import FILE as CHECKPOINT
from heedful.training.loop.process_group import ALONE, Group
from heedful.training.loop.stream import read_streamed
from heedful.training.loop.torchrun import joined
from heedful.training.loop.trainer import Trainer
from heedful.training.setup import Prepared, answer_from_all, prepare_data, start_head, texts_of, threads_for
from heedful.training.start.fits import OnFit

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class TrainResult:
    """A training that ended, or was stopped."""

    path: Path | None  # None where it was stopped before there was anything worth keeping
    records: Sequence[EpochRecord]
    best: EpochRecord | None
    is_interrupted: bool
    facts: Facts | None


def train(
    data: str | Path | None = None,
    out: str | Path = "model",
    *,
    config: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    watcher: Watcher = nobody,
    **settings: Any,
) -> Model:
    """Train on a file of labelled texts and return the model, which is also in the folder `out`.

    `settings` are those of config.py, `config` a TOML file of them. Interrupted, it goes on from its last checkpoint
    with `resume=True`. `watcher` is told of progress.
    """
    base = load_config(config) if config is not None else Config()
    if data is not None:
        settings["train"] = str(data)
    options = {"resume": resume, "overwrite": overwrite, "watcher": watcher}
    return load(train_model(base.with_given(**settings), Path(out), **options).path or out)  # type: ignore[arg-type]


def train_model(
    config: Config,
    out: Path,
    *,
    examples: Pair | None = None,
    material: Material | None = None,
    watcher: Watcher = nobody,
    resume: bool = False,
    overwrite: bool = False,
    checkpoints: bool = True,
    should_stop: Callable[[], bool] = lambda: False,
    group: Group | None = None,
) -> TrainResult:
    """Read, learn, check, write. Stopped after an epoch or more, it writes the best model so far; it can be resumed.

    `examples` are texts with their labels, to learn from and to check; `material` is what was read already. Started by
    torchrun, this is one of a group of processes, of which the first writes.
    """
    if group is None:
        with joined(config.train.device) as found:
            return train_model(
                config,
                out,
                examples=examples,
                material=material,
                watcher=watcher if found.is_first else nobody,
                resume=resume,
                overwrite=overwrite,
                checkpoints=checkpoints,
                should_stop=should_stop,
                group=found,
            )
    with held(out) if group.is_first else nullcontext():
        return _train(
            config,
            out.absolute(),
            examples=examples,
            material=material,
            watcher=watcher,
            resume=resume,
            overwrite=overwrite,
            checkpoints=checkpoints,
            should_stop=should_stop,
            group=group,
        )


def _train(
    config: Config,
    out: Path,
    *,
    examples: Pair | None,
    material: Material | None,
    watcher: Watcher,
    resume: bool,
    overwrite: bool,
    checkpoints: bool,
    should_stop: Callable[[], bool],
    group: Group,
) -> TrainResult:
    work = working_folder(out)
    goes_on = resume and (work / CHECKPOINT).is_file()
    if group.is_first:
        check_before(out, work, resume=resume, overwrite=overwrite, goes_on=goes_on)
    if material is None:
        is_streamed = config.data.stream and examples is None
        material = read_streamed(config) if is_streamed else read_material(config, given=examples)
    start, why = choose_start(config, list(texts_of([example.text for example in material.train])))
    prepared = prepare_data(config, material, start)
    if material.is_whole:
        prepared = replace(prepared, trained_on=_hashes(material.train))
    for line in [*data_notes(prepared.facts, material.labels, prepared.config.input), *material.faults.report]:
        watcher(NoteEvent(line))
    if start is None:
        watcher(NoteEvent(f"training from scratch: {why}"))
    for line in no_effect_notes(config, prepared.config, start=prepared.start):
        watcher(NoteEvent(line))
    if resume and not goes_on:
        watcher(NoteEvent(f"nothing to resume at {work}: starting from the beginning"))
    if not resume and group.is_first:
        forget(work)
    start_head(prepared, _watched_fits(watcher))
    result = fit_and_save(
        prepared,
        out,
        identity=_identity(prepared, material),
        watcher=watcher,
        resume=resume,
        overwrite=overwrite or goes_on,
        checkpoints=checkpoints,
        should_stop=should_stop,
        at_last=_last_word(prepared, material, _watched_fits(watcher, should_stop)),
        group=group,
    )
    if group.is_first and result.path is not None and not result.is_interrupted:
        keep_trained_hops(result.path, prepared.config, material.valid, watcher)
    return result


def _hashes(examples: Sequence[Example]) -> dict[str, Any]:
    return TrainedOn.of(example.text for example in examples).to_dict()


class Stopped(Exception):  # noqa: N818
    """Raised between two fits of a head where the user asked to stop."""


def _watched_fits(watcher: Watcher, should_stop: Callable[[], bool] = lambda: False) -> OnFit:
    """Return what tells the watcher of each fit, and ends the row of fits where the user asked to stop."""

    def on_fit(done: int, total: int) -> None:
        watcher(FitEvent(done, total))
        if done < total and should_stop():
            raise Stopped

    return on_fit


def _last_word(prepared: Prepared, material: Material, on_fit: OnFit) -> Callable[[], Mapping[str, Tensor]] | None:
    """Return what makes the weights to keep, where these are not simply the best that were seen."""
    is_fitted = prepared.start is not None and prepared.config.train.tune == "answer"
    if is_fitted and material.is_held_out and material.is_whole:
        return lambda: answer_from_all(prepared, on_fit)
    return None


def fit_and_save(
    prepared: Prepared,
    out: Path,
    *,
    identity: Mapping[str, Any],
    watcher: Watcher = nobody,
    resume: bool = False,
    overwrite: bool = False,
    checkpoints: bool = True,
    small: bool = False,
    should_stop: Callable[[], bool] = lambda: False,
    at_last: Callable[[], Mapping[str, Tensor]] | None = None,
    group: Group = ALONE,
) -> TrainResult:
    """Train, and write the best model seen, or what `at_last` makes of it; a small one has its numbers rounded."""
    work = working_folder(out)
    begun, settings = prepared.start is not None, prepared.config.train
    epochs = 0 if begun and settings.tune == "answer" else settings.epochs
    fit = Trainer(
        prepared.network,
        prepared.goal,
        settings=replace(settings, threads=threads_for(prepared.config), epochs=epochs),
        watcher=watcher,
        folder=work if checkpoints else None,
        identity=identity,
        should_stop=should_stop,
        group=group,
    ).run(resume=resume, judge_first=begun)
    if fit.kept_record is None and not fit.is_interrupted and group.is_first:
        raise TrainingError(
            "no epoch ended with figures that are numbers, so there is no model to keep. Is --epochs 0? Else look at "
            "the labels, or try a smaller --lr"
        )
    if fit.kept_record is None or not group.is_first:
        return TrainResult(None, fit.records, fit.kept_record, fit.is_interrupted, None)
    measured = None
    if at_last is not None:
        measured = fit.weights
        try:
            fit = replace(fit, weights=at_last())
            prepared = replace(
                prepared,
                facts={**prepared.facts, "valid_texts_learned": True},
                trained_on=_hashes([example for side in prepared.examples or () for example in side]),
            )
        except Stopped:  # the head that was measured is kept
            measured, fit = None, replace(fit, is_interrupted=True)
    try:
        facts = save_model(out, prepared, fit, overwrite=overwrite, small=small, measured=measured)
    except RuntimeError as error:  # a fault of ours; what was learned is not lost
        raise RuntimeError(f"{error}. The trained weights are kept in {keep_weights(work, fit.weights)}") from error
    if not fit.is_interrupted:
        forget(work)
    return TrainResult(out, fit.records, fit.kept_record, fit.is_interrupted, facts)


def keep_weights(work: Path, weights: Mapping[str, Tensor]) -> Path:
    """Write the weights of a training whose model could not be written, and return the file."""
    work.mkdir(parents=True, exist_ok=True)
    content = weights_file({name: tensor.cpu().numpy() for name, tensor in weights.items()}, small=False)
    return write_bytes(work / WEIGHTS, content)


def check_before(out: Path, work: Path, *, resume: bool, overwrite: bool, goes_on: bool) -> None:
    """Raise, before any work is done, where the result could not be written or another one would be lost."""
    clean_up(out)
    check_target(out, overwrite=overwrite or goes_on)
    if (work / CHECKPOINT).is_file() and not (resume or overwrite):
        raise ModelFolderError(
            f"{work} holds a training that was not finished. Go on with --resume, or start anew with --overwrite"
        )


def working_folder(out: Path) -> Path:
    """Return where checkpoints are kept until the model is finished."""
    return out.with_name(out.name + ".training")


def forget(work: Path) -> None:
    """Remove checkpoints, and their folder where nothing else is in it."""
    for file in work.glob(f"*{CHECKPOINT}*"):
        file.unlink()
    with suppress(OSError):
        work.rmdir()


def _identity(prepared: Prepared, material: Material) -> dict[str, Any]:
    """Return what must be the same for a training to be taken up again."""
    return (
        settings_identity(prepared.config) | material.fingerprints() | {"word vectors": prepared.facts.get("vectors")}
    )


def settings_identity(config: Config) -> dict[str, Any]:
    """Return the settings that decide what the weights become."""
    tree = config.to_dict()
    flat = {f"{s}.{k}": v for s in ("text", "model", "train") for k, v in tree[s].items()}
    for free in ("train.checkpoint_minutes", "train.device", "train.threads", "text.vectors"):
        flat.pop(free, None)
    return flat
