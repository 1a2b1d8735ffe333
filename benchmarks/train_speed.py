"""Training speed against the style of the public ports, in one run, with the same model and the same data.

    python -m benchmarks.train_speed                 # SST-2, IMDB and the vocabulary test, about 25 minutes
    python -m benchmarks.train_speed --sets sst2

Both sides train u=300, d_a=350, r=30 at batch 32 for the same number of epochs, epoch by epoch in turn, so that a busy
machine slows both alike. The rival learns at Adam's usual 0.001 and was not tuned; its accuracy is
there to show that ours is not bought with a worse model.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from benchmarks.datasets import SETS
from benchmarks.port_style import PortStyle, port_penalty
from benchmarks.result import write_result
from heedful.config import Config
from heedful.data.batch import pad
from heedful.network.build import build_network
from heedful.tasks.classify.goal import ClassifyGoal, LabelledSet
from heedful.training.history import EpochEvent, EpochRecord
from heedful.training.loop.loss import ClassifyLoss
from heedful.training.loop.trainer import Trainer
from heedful.training.start.vocab import make_featuriser

SETTINGS: dict[str, Any] = {
    "units": 300,
    "attention_width": 350,
    "n_hops": 30,
    "batch_size": 32,
    "head": "pruned",
    "row_units": 25,
    "column_units": 4,
}
HIDDEN, WIDTH = 2000, 100
EPOCHS = {"sst2": 4, "imdb": 3}
MOST_TEXTS = {"imdb": 2500}  # the rival needs five minutes for an epoch of them


class PortTrainer:
    """The rival's loop."""

    def __init__(self, n_ids: int, n_classes: int, train: LabelledSet, dev: LabelledSet, *, penalty: float) -> None:
        torch.manual_seed(0)
        self.network = PortStyle(n_ids, WIDTH, units=300, inner=350, hops=30, hidden=HIDDEN, n_classes=n_classes)
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=1e-3)
        self.train, self.dev, self.penalty = train, dev, penalty
        self.rng = np.random.default_rng(0)

    def epoch(self) -> float:
        """Train one epoch and return texts a second."""
        order = self.rng.permutation(len(self.train))
        self.network.train()
        started = time.perf_counter()
        n = 0
        for start in range(0, len(order), 32):
            positions = order[start : start + 32]
            batch = pad(self.train.features, positions)
            scores, weights = self.network(torch.from_numpy(batch.ids), torch.from_numpy(batch.lengths).clamp(min=1))
            loss = torch.nn.functional.cross_entropy(scores, torch.from_numpy(self.train.truth[positions]))
            self.optimiser.zero_grad()
            (loss + self.penalty * port_penalty(weights)).backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            self.optimiser.step()
            n += len(positions)
        return n / (time.perf_counter() - started)

    def accuracy(self) -> float:
        """Return dev accuracy."""
        self.network.eval()
        right = 0
        with torch.inference_mode():
            for start in range(0, len(self.dev), 64):
                positions = range(start, min(start + 64, len(self.dev)))
                batch = pad(self.dev.features, positions)
                scores, _ = self.network(torch.from_numpy(batch.ids), torch.from_numpy(batch.lengths).clamp(min=1))
                right += int((scores.argmax(1).numpy() == self.dev.truth[list(positions)]).sum())
        return right / len(self.dev)


def compare(name: str) -> dict[str, Any]:
    """Train both and return texts a second and dev accuracies."""
    texts, epochs = SETS[name](), EPOCHS[name]
    texts = replace(texts, train=texts.train[: MOST_TEXTS.get(name)])
    config = Config().changed(**SETTINGS, embed_width=WIDTH, epochs=epochs, patience=epochs)
    featuriser, _ = make_featuriser([e.text for e in texts.train], config.text)
    labels = sorted({e.label for e in texts.train})
    train, dev = (
        LabelledSet.of([featuriser.features(e.text) for e in texts.train], texts.train, labels),
        LabelledSet.of([featuriser.features(e.text) for e in texts.dev], texts.dev, labels),
    )
    port = PortTrainer(len(featuriser), len(labels), train, dev, penalty=config.model.penalty)
    port_speeds: list[float] = []
    ours: list[EpochRecord] = []

    def after_epoch(event: object) -> None:
        if isinstance(event, EpochEvent):
            ours.append(event.record)
            port_speeds.append(port.epoch())
            print(
                f"{texts.name}: ours {event.record.texts_per_second:.0f}/s, port style {port_speeds[-1]:.0f}/s",
                flush=True,
            )

    network = build_network(config.model, n_ids=len(featuriser), n_classes=len(labels))
    goal = ClassifyGoal(train, dev, labels=labels, error=ClassifyLoss(coefficient=config.model.penalty))
    Trainer(network, goal, settings=config.train, watcher=after_epoch).run()
    speed = float(np.median([r.texts_per_second for r in ours]))
    rival = float(np.median(port_speeds))
    return {
        "ours_texts_per_second": speed,
        "port_texts_per_second": rival,
        "ratio": speed / rival,
        "ours_dev_accuracy": 100 * ours[-1].metrics["accuracy"],
        "port_dev_accuracy": 100 * port.accuracy(),
        "epochs": epochs,
        "train_texts": len(train),
        "padding": ours[-1].padding,
    }


def step_seconds(n_ids: int, steps: int = 40) -> float:
    """Return the median time of a step with a vocabulary of this size."""
    rng = np.random.default_rng(0)
    features = [rng.integers(2, n_ids, size=20).astype(np.int32) for _ in range(32 * steps)]
    labelled = LabelledSet(features, rng.integers(0, 2, size=len(features)))
    config = Config().changed(**SETTINGS, embed_width=WIDTH, epochs=1)
    network = build_network(config.model, n_ids=n_ids, n_classes=2)
    goal = ClassifyGoal(labelled, labelled, labels=["0", "1"], error=ClassifyLoss(coefficient=0.01))
    trainer = Trainer(network, goal, settings=config.train)
    network.train()
    times = []
    for start in range(0, len(features), 32):
        started = time.perf_counter()
        trainer._step(np.arange(start, start + 32))
        times.append(time.perf_counter() - started)
    return float(np.median(times[5:]))


def vocabulary() -> dict[str, float]:
    """Return step times with 20,000 and 400,000 words, measured in turn."""
    pairs = [(step_seconds(20_000), step_seconds(400_000)) for _ in range(3)]
    small, large = (float(np.median([p[i] for p in pairs])) for i in (0, 1))
    print(f"a step with 20k words {small * 1e3:.1f} ms, with 400k {large * 1e3:.1f} ms", flush=True)
    return {"ms_20k": small * 1e3, "ms_400k": large * 1e3, "ratio": large / small}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default="sst2,imdb")
    args = parser.parse_args(arguments)
    figures: dict[str, Any] = {name: compare(name) for name in args.sets.split(",")}
    figures["vocabulary"] = vocabulary()
    write_result("train_speed", figures, seeds=[0])


if __name__ == "__main__":
    main()
