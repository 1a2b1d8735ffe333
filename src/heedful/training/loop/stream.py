"""Training data larger than memory: read again in every epoch, shuffled within a bounded number of rows.

An epoch takes the blocks of the file in an order made from (seed, epoch), some at a time; texts of these are mixed,
put together by length and cut into batches as always. What a row is for, learning or checking, is decided by its line
alone. So the same seed gives the same steps, and a resumed training begins at its step without reading what was done.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import torch

from heedful.config import Config
from heedful.data.bad_rows import BadRows
from heedful.data.batch import Batch, training_batches
from heedful.data.columns import Columns, both_columns, names_in
from heedful.data.example import Example
from heedful.data.featuriser import Featuriser
from heedful.data.files.blocks import Block, blocks_of, rows_in
from heedful.data.read import label_cell, number_cell, text_cell
from heedful.errors import ConfigError, DataError, listed
from heedful.inputs import INPUTS
from heedful.network.network import Output
from heedful.settings import TrainSettings
from heedful.tasks import answer_kind, task_of
from heedful.tasks.task import STREAM
from heedful.training.dataset import TrainingData, features_at, labels_of, read_valid
from heedful.training.goal import InMemoryGoal, Judged, Positions, StepGoal

MOST_CHECKED = 5_000  # rows in the validation set
SAMPLE = 20_000  # rows that stay in memory, to choose a start and to describe the texts
Pool = list[int]  # blocks that are mixed together


@dataclass(frozen=True)
class StreamedData(TrainingData):
    """TrainingData of which only a sample (`train`) and the validation set are in memory."""

    config: Config = field(default_factory=Config)
    blocks: Sequence[Block] = ()
    sizes: Sequence[int] = ()  # rows of each block to learn from
    digest: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether all training examples are in memory: only a sample is."""
        return False

    @property
    def n_train(self) -> int:
        """The number of training rows."""
        return sum(self.sizes)

    def sources(self) -> Iterator[str]:
        """Yield all training texts, by reading the file again."""
        return (example.text for example in self.examples(self.blocks))

    def examples(self, blocks: Sequence[Block]) -> Iterator[Example]:
        """Yield the training examples of blocks. Bad rows have been reported before."""
        faults = BadRows(skip=self.config.data.skip_bad)
        return (e for e in _examples(self.config, blocks, self.columns, faults) if not self.is_checked(e))

    def is_checked(self, example: Example) -> bool:
        """Return whether an example is in the validation set."""
        return self.is_held_out and _chance(self.config, "valid", example) < _checked_share(self.config, self.blocks)

    def prepared(self, prepared: Any) -> Any:
        """Return the same with a goal that reads the file in each epoch, and facts of all rows."""
        goal = StreamGoal(self, prepared.featuriser, prepared.goal)
        return replace(prepared, goal=goal, facts=streamed_facts(self, prepared.facts))

    def fingerprints(self) -> dict[str, str]:
        """Return hashes that detect changed data."""
        own = super().fingerprints()
        return {**own, "texts": self.digest, "shuffle_rows": str(self.config.data.shuffle_rows)}


def read_streamed(config: Config) -> StreamedData:
    """Read the file once for its labels, number of rows, validation set and a sample."""
    kind = answer_kind(config)
    if not INPUTS[config.input].is_text or STREAM not in task_of(config).can:
        raise ConfigError([f"data.stream is for texts with a label or a number, not for {config.input} {config.task}."])
    assert config.data.train is not None
    faults, blocks = BadRows(skip=config.data.skip_bad), blocks_of(config.data.train, most=config.data.shuffle_rows)
    columns = _columns(config, blocks, faults)
    checked_share = 0.0 if config.data.valid else _checked_share(config, blocks)
    sample_share = SAMPLE / max(1, sum(block.rows for block in blocks))
    labels: set[str] = set()
    sizes, sample, checked, digest, at = [0] * len(blocks), [], [], hashlib.sha256(), 0
    for example in _examples(config, blocks, columns, faults):
        digest.update(f"{example.text}\x00{example.label}\x01".encode("utf-8", "surrogatepass"))
        if _chance(config, "valid", example) < checked_share:
            checked.append(example)
            continue
        while (example.line or 0) >= blocks[at].first + blocks[at].rows:
            at += 1
        sizes[at] += 1
        if kind == "label":
            labels.add(example.label)
        if _chance(config, "sample", example) < sample_share:
            sample.append(example)
    known = labels_of(config, [Example("", label) for label in sorted(labels)] or sample, columns)
    valid = read_valid(config, columns, faults) if config.data.valid else checked
    if not valid or not sample:
        raise DataError(
            config.data.train, "too few rows for a validation set. Set data.valid to a file, or data.stream to false"
        )
    if kind == "label":
        _check_known(config, valid, known)
    held_out, seen = not config.data.valid, digest.hexdigest()[:16]
    return StreamedData(sample, valid, known, columns, held_out, False, faults, config, blocks, sizes, seen)


def _check_known(config: Config, valid: Sequence[Example], known: Sequence[str]) -> None:
    strange = sorted({example.label for example in valid} - set(known))
    if strange and config.data.valid:
        raise DataError(config.data.valid, f"label {strange[0]!r} is not among the training labels: {listed(known)}")
    if strange:
        reason = f"label {strange[0]!r} is only in the validation set. Set data.valid to a file"
        raise DataError(config.data.train or "", reason)


def _columns(config: Config, blocks: Sequence[Block], faults: BadRows) -> Columns:
    first = next(rows_in(blocks, faults=BadRows(skip=faults.skip)), None)
    if first is None:
        raise DataError(config.data.train or "", "no examples: no line of the file can be read")
    asked = Columns(config.data.text, config.data.label)
    return Columns(*both_columns(config.data.train or "", list(first.values), asked, Columns()))


def _examples(config: Config, blocks: Sequence[Block], columns: Columns, faults: BadRows) -> Iterator[Example]:
    answer = number_cell if answer_kind(config) == "number" else label_cell
    text, label = columns.text or "", columns.label or ""
    path = config.data.train or ""
    for row in rows_in(blocks, names=[text, *names_in(text, ()), label], faults=faults):
        try:
            example = Example(text_cell(path, row, text), answer(path, row, label), row.line)
        except DataError as error:
            faults.take(error)
            continue
        yield example


def _checked_share(config: Config, blocks: Sequence[Block]) -> float:
    return min(config.data.valid_share, MOST_CHECKED / max(1, sum(block.rows for block in blocks)))


def _chance(config: Config, what: str, example: Example) -> float:
    """Return a number from 0 to 1 that depends on the line and the seed alone."""
    return zlib.crc32(f"{what}:{config.train.seed}:{example.line}".encode()) / 2**32


class StreamGoal:
    """The goal of streamed texts. `inside` has the loss, the scale and the validation set."""

    def __init__(self, material: StreamedData, featuriser: Featuriser, inside: InMemoryGoal) -> None:
        self.valid, self.n_examples = inside.valid, material.n_train
        self.inside, self._material, self._featuriser = inside, material, featuriser
        self._device = torch.device("cpu")

    def pools(self, settings: TrainSettings, epoch: int) -> list[Pool]:
        """Return the blocks in the order of an epoch, grouped by the number of rows that fit in memory."""
        most, sizes = self._material.config.data.shuffle_rows, self._material.sizes
        pools: list[Pool] = [[]]
        held = 0
        for i in np.random.default_rng([settings.seed, epoch, 0xB10C]).permutation(len(sizes)):
            if pools[-1] and held + sizes[i] > most:
                pools.append([])
                held = 0
            pools[-1].append(int(i))
            held += sizes[i]
        return pools

    def n_steps(self, settings: TrainSettings, epoch: int = 0) -> int:
        """Return the number of steps in an epoch. The last batch of a pool may be small."""
        return sum(self._steps_in(pool, settings) for pool in self.pools(settings, epoch))

    def _steps_in(self, pool: Pool, settings: TrainSettings) -> int:
        return -(-sum(self._material.sizes[i] for i in pool) // settings.batch_size)

    def steps(self, settings: TrainSettings, epoch: int, start: int = 0) -> Iterator[tuple[StepGoal, Positions]]:
        """Yield each step of an epoch from `start` on: a goal for some texts, and which of them."""
        for number, pool in enumerate(self.pools(settings, epoch)):
            n = self._steps_in(pool, settings)
            if start >= n:
                start -= n
                continue
            goal = self._goal(pool)
            order = training_batches(
                goal.train, batch_size=settings.batch_size, seed=settings.seed, epoch=epoch * 1_000_003 + number
            )
            yield from ((goal, positions) for positions in order[start:])
            start = 0

    def _goal(self, pool: Pool) -> InMemoryGoal:
        material = self._material
        examples = list(material.examples([material.blocks[i] for i in sorted(pool)]))
        features = [features_at(each, self._featuriser, material.config.data.train or "") for each in examples]
        return self.inside.part(features, examples).to(self._device)

    def to(self, device: torch.device) -> Self:
        """Keep the device for later batches."""
        self._device, self.inside = device, self.inside.to(device)
        return self

    def judge(self, outputs: Iterable[tuple[Batch, Output]]) -> Judged:
        """Return the metrics of `inside`."""
        return self.inside.judge(outputs)


def streamed_facts(material: StreamedData, facts: Mapping[str, object]) -> dict[str, object]:
    """Return the facts of a sample, extrapolated to all rows."""
    share = material.n_train / max(1, len(material.train))
    counts = {name: round(float(str(facts[name])) * share) for name in ("cut_texts", "empty_texts")}
    return {**facts, **counts, "train_texts": material.n_train, "sampled_texts": len(material.train)}
