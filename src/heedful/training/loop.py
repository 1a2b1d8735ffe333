"""The training loop: epochs, dev figures, the best weights, checkpoints.

Nothing depends on what ran before but the weights, the optimisers and the counters: batches come from (seed, epoch)
and random numbers from (seed, step). So a run that was killed goes on to the same result as one that was not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from heedful.config import TrainSettings
from heedful.data.batch import Batch, ordered_batches, pad, training_batches
from heedful.data.featurise import Ids
from heedful.data.vocab import UNKNOWN
from heedful.errors import TrainingError
from heedful.layers.masks import mask_of
from heedful.metrics.classify import ClassificationFigures, classification_figures
from heedful.training.checkpoint import (
    Checkpoint,
    load_checkpoint,
    optimiser_tensors,
    restore_optimisers,
    save_checkpoint,
    weights_of,
)
from heedful.training.history import EpochEvent, EpochRecord, StepEvent, Watcher, nobody
from heedful.training.loss import ClassifyLoss
from heedful.training.network import Network
from heedful.training.optim import clip_gradients, learning_rate, make_optimisers, set_learning_rate

EVAL_TEXTS, EVAL_CELLS = 256, 16_384


@dataclass(frozen=True)
class LabelledSet:
    """Featurised texts and their label numbers."""

    features: Sequence[Ids]
    truth: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.features)


@dataclass
class Counters:
    """Where training stands."""

    epoch: int = 0
    step: int = 0  # within the epoch
    best_epoch: int = -1
    best: tuple[float, float] = (-1.0, 0.0)  # (figure, minus valid loss)
    loss_sum: float = 0.0
    penalty_sum: float = 0.0
    cells: int = 0
    texts: int = 0
    seconds: float = 0.0  # of this epoch
    records: list[EpochRecord] = field(default_factory=list)


@dataclass(frozen=True)
class FitResult:
    """The best weights seen, and the way there."""

    weights: Mapping[str, Tensor]
    records: Sequence[EpochRecord]
    best_epoch: int
    is_interrupted: bool

    @property
    def best_record(self) -> EpochRecord | None:
        """The epoch of the weights; None where training was stopped in the first."""
        return next((record for record in self.records if record.epoch == self.best_epoch), None)


class Trainer:
    """Trains one network. `run` may be stopped and, from its checkpoint, taken up again."""

    def __init__(
        self,
        network: Network,
        train: LabelledSet,
        valid: LabelledSet,
        *,
        settings: TrainSettings,
        loss: ClassifyLoss,
        labels: Sequence[str],
        watcher: Watcher = nobody,
        folder: Path | None = None,
        identity: Mapping[str, Any] | None = None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self.settings, self.train, self.valid, self.labels = settings, train, valid, labels
        self.watcher, self.folder, self.should_stop = watcher, folder, should_stop
        self.identity = dict(identity or {})
        self.device = pick_device(settings.device)
        self.network = network.to(self.device)
        self.loss = loss.to(self.device)
        self.parameters = [p for p in network.parameters() if p.requires_grad]
        self.optimisers = make_optimisers(network, [network.embed.weight], settings)
        self.counters = Counters()
        self.best_weights: Mapping[str, Tensor] = {}
        self.steps_in_epoch = -(-len(train) // settings.batch_size)
        self._saved_at = time.monotonic()

    def run(self, *, resume: bool = False) -> FitResult:
        """Train to the end, to the patience's end, or until told to stop."""
        interrupted = False
        with torch.random.fork_rng(devices=[]), threads(self.settings.threads):
            if resume:
                self._restore()
            while not self._is_done() and not interrupted:
                interrupted = self._epoch()
        return FitResult(
            weights=self.best_weights or weights_of(self.network),
            records=tuple(self.counters.records),
            best_epoch=self.counters.best_epoch,
            is_interrupted=interrupted,
        )

    def evaluate(self, labelled: LabelledSet) -> tuple[ClassificationFigures, float]:
        """Return figures and mean cross-entropy, with dropout off."""
        self.network.eval()
        answers = np.zeros(len(labelled), dtype=np.int64)
        loss = 0.0
        with torch.inference_mode():
            for batch in ordered_batches(labelled.features, max_texts=EVAL_TEXTS, max_cells=EVAL_CELLS):
                scores = self.network(*self._tensors(batch)).scores
                truth = torch.from_numpy(labelled.truth[batch.positions]).to(self.device)
                loss += float(torch.nn.functional.cross_entropy(scores, truth, reduction="sum"))
                answers[batch.positions] = scores.argmax(1).cpu().numpy()
        return classification_figures(labelled.truth, answers, self.labels), loss / max(1, len(labelled))

    def _epoch(self) -> bool:
        """Go through the rest of the current epoch; return whether it was cut short."""
        c, settings = self.counters, self.settings
        order = training_batches(self.train.features, batch_size=settings.batch_size, seed=settings.seed, epoch=c.epoch)
        self.network.train()
        for positions in order[c.step :]:
            started = time.perf_counter()
            self._step(positions)
            c.seconds += time.perf_counter() - started
            self._tell()
            if self.should_stop():
                self._save()
                return True
            self._save_if_due()
        self._finish_epoch()
        return False

    def _step(self, positions: NDArray[np.int64]) -> None:
        c, settings = self.counters, self.settings
        n_steps = self.steps_in_epoch * settings.epochs
        step = c.epoch * self.steps_in_epoch + c.step
        torch.manual_seed(settings.seed * 1_000_003 + step)
        batch = pad(self.train.features, positions)
        ids, mask = self._tensors(batch)
        if settings.word_dropout > 0:
            ids = ids.masked_fill((torch.rand(ids.shape, device=ids.device) < settings.word_dropout) & mask, UNKNOWN)
        set_learning_rate(self.optimisers, learning_rate(settings, step, n_steps))
        truth = torch.from_numpy(self.train.truth[positions]).to(self.device)
        loss = self.loss(self.network(ids, mask), truth)
        for optimiser in self.optimisers:
            optimiser.zero_grad(set_to_none=True)
        loss.total.backward()  # type: ignore[no-untyped-call]
        if settings.clip > 0:
            clip_gradients(self.parameters, settings.clip)
        for optimiser in self.optimisers:
            optimiser.step()
        self._count(batch, float(loss.answer), float(loss.penalty))

    def _count(self, batch: Batch, answer: float, penalty: float) -> None:
        if not np.isfinite(answer + penalty):
            raise TrainingError(
                f"the loss became {answer} in epoch {self.counters.epoch + 1}. Try a smaller lr (now "
                f"{self.settings.lr:g}) or a smaller clip (now {self.settings.clip:g})"
            )
        c, n = self.counters, len(batch.lengths)
        c.step += 1
        c.loss_sum += answer * n
        c.penalty_sum += penalty * n
        c.texts += n
        c.cells += batch.ids.size

    def _finish_epoch(self) -> None:
        c = self.counters
        figures, valid_loss = self.evaluate(self.valid)
        rank = (float(getattr(figures, self.settings.figure)), -valid_loss)
        is_best = rank > tuple(c.best)
        if is_best:
            c.best, c.best_epoch, self.best_weights = rank, c.epoch + 1, weights_of(self.network)
        record = EpochRecord(
            epoch=c.epoch + 1,
            loss=c.loss_sum / c.texts,
            penalty=c.penalty_sum / c.texts,
            valid_loss=valid_loss,
            accuracy=figures.accuracy,
            macro_f1=figures.macro_f1,
            lr=self.optimisers[0].param_groups[0]["lr"],
            seconds=c.seconds,
            texts_per_second=c.texts / max(c.seconds, 1e-9),
            padding=1.0 - sum(map(len, self.train.features)) / max(1, c.cells),
            is_best=is_best,
        )
        c.records.append(record)
        c.epoch, c.step = c.epoch + 1, 0
        c.loss_sum = c.penalty_sum = c.seconds = 0.0
        c.texts = c.cells = 0
        self._save()
        self.watcher(EpochEvent(record))

    def _is_done(self) -> bool:
        c = self.counters
        waited = c.epoch - c.best_epoch if c.best_epoch >= 0 else 0
        return c.epoch >= self.settings.epochs or waited >= self.settings.patience

    def _tell(self) -> None:
        c = self.counters
        rate = c.texts / max(c.seconds, 1e-9)
        left = (self.settings.epochs - c.epoch) * len(self.train) - c.texts
        self.watcher(
            StepEvent(
                c.epoch + 1, self.settings.epochs, c.texts, len(self.train), c.loss_sum / c.texts, rate, left / rate
            )
        )

    def _tensors(self, batch: Batch) -> tuple[Tensor, Tensor]:
        ids = torch.from_numpy(batch.ids).to(self.device)
        return ids, mask_of(torch.from_numpy(batch.lengths).to(self.device), ids.shape[1])

    def _save_if_due(self) -> None:
        if time.monotonic() - self._saved_at > self.settings.checkpoint_minutes * 60:
            self._save()

    def _save(self) -> None:
        if self.folder is None:
            return
        tensors, numbers = optimiser_tensors(self.optimisers)
        all_tensors = {f"now/{k}": v for k, v in weights_of(self.network).items()}
        all_tensors |= {f"best/{k}": v for k, v in self.best_weights.items()}
        all_tensors |= {f"optimiser/{k}": v for k, v in tensors.items()}
        facts = {"identity": self.identity, "numbers": numbers, "counters": asdict(self.counters)}
        save_checkpoint(self.folder, Checkpoint(all_tensors, facts))
        self._saved_at = time.monotonic()

    def _restore(self) -> None:
        checkpoint = load_checkpoint(self.folder) if self.folder else None
        if checkpoint is None:
            return
        _check_identity(checkpoint.facts["identity"], self.identity)
        counters = dict(checkpoint.facts["counters"])
        counters["records"] = [EpochRecord(**record) for record in counters["records"]]
        counters["best"] = tuple(counters["best"])
        self.counters = Counters(**counters)
        self.network.load_state_dict(checkpoint.group("now"))
        self.best_weights = checkpoint.group("best")
        restore_optimisers(self.optimisers, checkpoint.group("optimiser"), checkpoint.facts["numbers"])


def _check_identity(then: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    keys = sorted(then.keys() | now.keys())
    changed = [f"{key} was {then.get(key)!r}, now {now.get(key)!r}" for key in keys if then.get(key) != now.get(key)]
    if changed:
        raise TrainingError(
            f"cannot resume with other settings or data: {'; '.join(changed)}. Give the same again, or start anew with "
            "--overwrite"
        )


@contextmanager
def threads(n: int) -> Iterator[None]:
    """Let torch use `n` threads, as many as it likes for 0, and put things back."""
    before = torch.get_num_threads()
    torch.set_num_threads(n or before)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def pick_device(asked: str) -> torch.device:
    """Return the device to train on."""
    if asked == "cuda" and not torch.cuda.is_available():
        raise TrainingError("device is cuda, but torch finds no GPU. Use device auto or cpu")
    return torch.device("cuda" if asked != "cpu" and torch.cuda.is_available() else "cpu")
