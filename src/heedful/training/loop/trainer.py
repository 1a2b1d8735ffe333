"""The training loop: epochs, dev metrics, the weights to keep, checkpoints.

Nothing depends on what ran before but the weights, the optimisers and the counters: batches come from (seed, epoch)
and random numbers from (seed, step). So a run that was killed goes on to the same result as one that was not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from heedful.data.batch import Batch, ordered_batches, pad
from heedful.data.features import Features
from heedful.errors import TrainingError
from heedful.network.network import Inputs, Network, Output
from heedful.network.tensors import tensors_of, with_unknown_words
from heedful.settings import LAST, TrainSettings
from heedful.training.goal import Goal, Judged, StepGoal
from heedful.training.history import EpochEvent, EpochRecord, ResumeEvent, StepEvent, Watcher, nobody
from heedful.training.loop.checkpoint import (
    Checkpoint,
    check_identity,
    checkpoint_bytes,
    optimiser_tensors,
    read_checkpoint,
    restore_optimisers,
    save_checkpoint,
    weights_of,
)
from heedful.training.loop.device import pick_device, seed_random, threads
from heedful.training.loop.optim import clip_gradients, learning_rate, make_optimisers, set_learning_rate
from heedful.training.loop.process_group import ALONE, Group, LeftAloneError, Seen
from heedful.training.loop.weight_average import RunningMean

EVAL_TEXTS, EVAL_CELLS = 256, 16_384


@dataclass
class Counters:
    """The state of training."""

    epoch: int = 0
    step: int = 0  # within the epoch
    best_epoch: int = -1
    best: tuple[float, float] = (-1e300, 0.0)  # rank of the best epoch: any epoch is better than none
    kept_epoch: int = -1  # whose weights are kept: the best, or the last
    loss_sum: float = 0.0
    penalty_sum: float = 0.0
    cells: int = 0
    tokens: int = 0
    texts: int = 0
    seconds: float = 0.0  # of this epoch
    records: list[EpochRecord] = field(default_factory=list)


@dataclass(frozen=True)
class FitResult:
    """The weights of the best or the last epoch, and the history."""

    weights: Mapping[str, Tensor]
    records: Sequence[EpochRecord]
    kept_epoch: int
    is_interrupted: bool

    @property
    def kept_record(self) -> EpochRecord | None:
        """The epoch of the weights; None if training was stopped in the first."""
        return next((record for record in self.records if record.epoch == self.kept_epoch), None)


class Trainer:
    """Trains one network. `run` may be stopped, and resumed from its checkpoint."""

    def __init__(
        self,
        network: Network,
        goal: Goal,
        *,
        settings: TrainSettings,
        watcher: Watcher = nobody,
        folder: Path | None = None,
        identity: Mapping[str, Any] | None = None,
        should_stop: Callable[[], bool] = lambda: False,
        group: Group = ALONE,
    ) -> None:
        self.settings, self.group = settings, group
        self.watcher, self.should_stop = watcher if group.is_first else nobody, should_stop
        self.folder = folder if group.is_first else None
        self.identity = dict(identity or {})
        self.device = pick_device(settings.device)
        self.network = network.to(self.device)
        self.goal = goal.to(self.device)
        self.parameters = [p for p in network.parameters() if p.requires_grad]
        self.optimisers = make_optimisers(network, network.tables, settings)
        self.average = RunningMean(network, settings.average) if settings.average > 0 else None
        self.counters = Counters()
        self.kept_weights: Mapping[str, Tensor] = {}
        self.steps_in_epoch = goal.n_steps(settings)
        self._saved_at = time.monotonic()

    def run(self, *, resume: bool = False, judge_first: bool = False) -> FitResult:
        """Train until the last epoch, early stopping or a request to stop.

        A network that knows something already is judged first: epoch 0 may stay the best.
        """
        interrupted = False
        with torch.random.fork_rng(devices=[]), threads(self.settings.threads), self._kept_if_left():
            self.group.same_weights(self.network)
            if resume and self._restore():
                self.watcher(ResumeEvent(self.counters.epoch, self._best_record()))
            if judge_first and not self.counters.records:
                self.watcher(EpochEvent(self._record(epoch=0)))
            while not self._is_done() and not interrupted:
                interrupted = self._epoch()
        return FitResult(
            weights=self.kept_weights or weights_of(self.network),
            records=tuple(self.counters.records),
            kept_epoch=self.counters.kept_epoch,
            is_interrupted=interrupted,
        )

    @contextmanager
    def _kept_if_left(self) -> Iterator[None]:
        """Write a checkpoint when another process of the group is gone: no step is half done then."""
        try:
            yield
        except LeftAloneError:
            self._save()
            raise

    def judge(self) -> Judged:
        """Return the metrics of the network on the validation set, without dropout."""
        self.network.eval()
        with torch.inference_mode():
            return self.goal.judge(self._outputs(self.goal.valid))

    def _outputs(self, features: Sequence[Features]) -> Iterator[tuple[Batch, Output]]:
        for batch in ordered_batches(features, max_texts=EVAL_TEXTS, max_cells=EVAL_CELLS):
            yield batch, self.network(*self._tensors(batch))

    def _epoch(self) -> bool:
        """Run the rest of the current epoch; return whether it was interrupted."""
        c, settings = self.counters, self.settings
        self.network.train()
        started = time.perf_counter()
        for goal, positions in self.goal.steps(settings, c.epoch, c.step):
            self._step(positions, goal)
            c.seconds += time.perf_counter() - started
            self._tell()
            if self.group.any(self.should_stop()):
                self._save()
                return True
            self._save_if_due()
            started = time.perf_counter()
        self._finish_epoch()
        return False

    def _step(self, positions: NDArray[np.int64], goal: StepGoal | None = None) -> None:
        c, settings = self.counters, self.settings
        n_steps = self.steps_in_epoch * settings.epochs
        step = c.epoch * self.steps_in_epoch + c.step
        set_learning_rate(self.optimisers, learning_rate(settings, step, n_steps))
        for optimiser in self.optimisers:
            optimiser.zero_grad(set_to_none=True)
        seen = self.gradients(positions, step, goal)
        self._check_finite(seen.answer + seen.penalty)
        if settings.clip > 0:
            clip_gradients(self.parameters, settings.clip)
        for optimiser in self.optimisers:
            optimiser.step()
        if self.average is not None:
            self.average.update(step)
        self._count(seen)

    def gradients(self, positions: NDArray[np.int64], step: int = 0, goal: StepGoal | None = None) -> Seen:
        """Compute the gradients of a batch, which is divided among the processes of the group."""
        goal = goal or self.goal.inside
        mine = self.group.part(positions)
        seed_random(self.settings.seed * 1_000_003 + step + self.group.rank * 500_000_003, self.device)
        seen, loss = Seen(), None
        if len(mine):
            batch = pad(goal.train, mine)
            inputs, mask = self._tensors(batch)
            if self.settings.word_dropout > 0:
                inputs = with_unknown_words(inputs, mask, self.settings.word_dropout)
            loss = goal.loss(self.network(inputs, mask), mine)
            seen = Seen.of(loss, batch, len(mine) * goal.n_examples // len(goal.train))
        if self.group.size == 1:
            assert loss is not None
            loss.total.backward()  # type: ignore[no-untyped-call]
            return seen
        total = Seen(*self.group.summed(seen)).as_means()
        if loss is not None:
            loss.share(seen.mass / total.mass, seen.texts / total.texts).backward()  # type: ignore[no-untyped-call]
        self.group.sum_gradients(self.parameters, self.network.tables)
        return total

    def _check_finite(self, loss: float) -> None:
        if not np.isfinite(loss):
            raise TrainingError(
                f"the loss became {loss} in epoch {self.counters.epoch + 1}. Try a smaller lr (now "
                f"{self.settings.lr:g}) or a smaller clip (now {self.settings.clip:g})"
            )

    def _count(self, seen: Seen) -> None:
        c = self.counters
        c.step += 1
        c.loss_sum += seen.answer * seen.texts
        c.penalty_sum += seen.penalty * seen.texts
        c.texts += int(seen.texts)
        c.cells += int(seen.cells)
        c.tokens += int(seen.tokens)

    def _finish_epoch(self) -> None:
        c = self.counters
        record = self._record(epoch=c.epoch + 1)
        c.epoch, c.step = c.epoch + 1, 0
        c.loss_sum = c.penalty_sum = c.seconds = 0.0
        c.texts = c.cells = c.tokens = 0
        self._save()
        self.watcher(EpochEvent(record))

    def _record(self, *, epoch: int) -> EpochRecord:
        """Compute the metrics, and keep the weights if they are the best so far or the last are wanted."""
        c = self.counters
        with self.average.in_place() if self.average is not None else nullcontext():
            judged = self.group.judged(self.judge)
            is_best = judged.rank > tuple(c.best)
            if is_best:
                c.best, c.best_epoch = judged.rank, epoch
            if is_best or self.settings.keep == LAST:
                c.kept_epoch, self.kept_weights = epoch, weights_of(self.network)
        record = EpochRecord(
            epoch=epoch,
            loss=c.loss_sum / max(1, c.texts),
            penalty=c.penalty_sum / max(1, c.texts),
            valid_loss=judged.loss,
            metrics=dict(judged.metrics),
            lr=self.optimisers[0].param_groups[0]["lr"],
            seconds=c.seconds,
            texts_per_second=c.texts / max(c.seconds, 1e-9),
            padding=1.0 - c.tokens / max(1, c.cells),
            is_best=is_best,
            is_kept=c.kept_epoch == epoch,
        )
        c.records.append(record)
        return record

    def _is_done(self) -> bool:
        c = self.counters
        waited = c.epoch - c.best_epoch if c.best_epoch >= 0 and self.settings.keep != LAST else 0
        return c.epoch >= self.settings.epochs or waited >= self.settings.patience

    def _tell(self) -> None:
        c = self.counters
        rate = c.texts / max(c.seconds, 1e-9)
        left = (self.settings.epochs - c.epoch) * self.goal.n_examples - c.texts
        self.watcher(
            StepEvent(
                c.epoch + 1,
                self.settings.epochs,
                c.texts,
                self.goal.n_examples,
                c.loss_sum / c.texts,
                rate,
                left / rate,
            )
        )

    def _tensors(self, batch: Batch) -> tuple[Inputs, Tensor]:
        return tensors_of(batch, self.device)

    def _save_if_due(self) -> None:
        if time.monotonic() - self._saved_at > self.settings.checkpoint_minutes * 60:
            self._save()

    def _save(self) -> None:
        if self.folder is None:
            return
        tensors, numbers = optimiser_tensors(self.optimisers)
        all_tensors = {f"now/{k}": v for k, v in weights_of(self.network).items()}
        all_tensors |= {f"kept/{k}": v for k, v in self.kept_weights.items()}
        all_tensors |= {f"optimiser/{k}": v for k, v in tensors.items()}
        if self.average is not None:
            all_tensors |= {f"average/{k}": v for k, v in self.average.mean.items()}
        counters = asdict(self.counters) | {"records": [record.to_checkpoint() for record in self.counters.records]}
        facts = {"identity": self.identity, "numbers": numbers, "counters": counters}
        save_checkpoint(self.folder, Checkpoint(all_tensors, facts))
        self._saved_at = time.monotonic()

    def _best_record(self) -> EpochRecord | None:
        c = self.counters
        return next((record for record in c.records if record.epoch == c.best_epoch), None)

    def _restore(self) -> bool:
        """Resume from the checkpoint; return whether there was one."""
        content = checkpoint_bytes(self.folder) if self.folder else None
        checkpoint = read_checkpoint(self.group.bytes_of_first(content), self.folder)
        if checkpoint is None:
            return False
        check_identity(checkpoint.facts["identity"], self.identity)
        counters = dict(checkpoint.facts["counters"])
        counters["records"] = [EpochRecord.from_checkpoint(record) for record in counters["records"]]
        counters["best"] = tuple(counters["best"])
        self.counters = Counters(**counters)
        self.network.load_state_dict(checkpoint.group("now"))
        self.kept_weights = checkpoint.group("kept")
        if self.average is not None:
            self.average.mean = checkpoint.group("average")
        restore_optimisers(self.optimisers, checkpoint.group("optimiser"), checkpoint.facts["numbers"])
        return True
