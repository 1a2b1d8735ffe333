"""Vectors of your own: hours of weather, and the hour that tells the front that passed.

The weather is made here, so nothing is needed but heedful[train,picture]. Takes about 20 seconds on a laptop:

    python examples/vectors.py [picture.png]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import heedful

MEASURES = ("temperature", "pressure", "humidity", "wind")
FRONTS = {"cold front": (-4, 3, -2, 3), "warm front": (4, -3, 3, 1), "sea breeze": (-2, 0, 3, 2)}  # in one hour


def make_day(label: str, hour: int, hours: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return how much each measure changed in each hour (hour, measure), with a front in one of them."""
    changes = rng.normal(scale=1.0, size=(hours, len(MEASURES)))
    changes[hour] += np.array(FRONTS[label])
    return np.asarray(changes, dtype=np.float32)


def write_days(path: Path, *, n: int, seed: int) -> None:
    """Write days of different lengths: `x` has all hours one after the other, `lengths` says how many each day has."""
    rng = np.random.default_rng(seed)
    labels = [sorted(FRONTS)[i % len(FRONTS)] for i in range(n)]
    lengths = rng.integers(8, 25, size=n)
    days = [make_day(label, int(rng.integers(k)), int(k), rng) for label, k in zip(labels, lengths, strict=True)]
    np.savez(path, x=np.concatenate(days), lengths=lengths, y=np.array(labels))


def main(folder: Path, picture: Path) -> None:
    """Make days, learn from them, and explain one that the model has never seen."""
    write_days(folder / "days.npz", n=900, seed=0)
    network = {"encoder": "static", "n_hops": 1, "attention_width": 32}  # an hour counts for itself
    model = heedful.train(folder / "days.npz", folder / "model", input="vectors", **network, epochs=25, dropout=0.1)
    print(f"right for {model.facts.metrics['accuracy']:.0%} of the held-out days")
    heedful.audit(model, folder / "days.npz", n_texts=40)  # so that the picture says whether it may be believed
    model = heedful.load(folder / "model")

    hour = 13
    explanation = model.explain(make_day("warm front", hour, 20, np.random.default_rng(7)))
    explanation.to_png(picture, scale=1.5)
    print(f"answer: {explanation.label} ({explanation.probabilities[explanation.label]:.2f})")
    print(f"weight on hour {hour + 1}, in which it passed: {explanation.overall[hour]:.2f} of 1")
    print(f"picture: {picture}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        main(Path(made), Path(sys.argv[1] if len(sys.argv) > 1 else "vectors.png"))
