"""Does the second sentence follow from the first? A model for pairs of texts, on sentences made by this file.

    python examples/pairs.py [picture.png]       (some 10 seconds)

Needs heedful[train,picture].
"""

from __future__ import annotations

import csv
import random
import sys
import tempfile
from pathlib import Path

import heedful

KINDS = {"dog": "animal", "cat": "animal", "horse": "animal", "girl": "person", "boy": "person", "woman": "person"}
ACTS = ("sleeps", "eats", "runs", "waits")
PLACES = ("in the garden", "on the road", "by the river", "under a tree")


def made_pair(rng: random.Random) -> tuple[str, str, str]:
    """Return a premise, a hypothesis, and whether that follows, cannot be, or may be."""
    who, act, place = rng.choice(list(KINDS)), rng.choice(ACTS), rng.choice(PLACES)
    premise = f"A {who} {act} {place}."
    label = rng.choice(("entailment", "contradiction", "neutral"))
    if label == "entailment":
        return (
            premise,
            rng.choice((f"A {who} {act}.", f"There is a {KINDS[who]} {place}.", f"The {who} {act}.")),
            label,
        )
    if label == "contradiction":
        other = rng.choice([a for a in ACTS if a != act])
        return premise, rng.choice((f"The {who} {other}.", f"A {who} {other}.")), label
    return premise, rng.choice((f"The {who} {act} on a Monday.", f"A tall {who} {act}.")), label


def write_pairs(path: Path, n: int, seed: int) -> None:
    """Write a file with the columns premise, hypothesis and label."""
    rng = random.Random(seed)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("premise", "hypothesis", "label"))
        writer.writerows(made_pair(rng) for _ in range(n))


def main(folder: Path, picture: Path) -> None:
    """Train, ask, and look at what was read."""
    write_pairs(folder / "train.csv", 1_500, seed=0)
    settings = {"start": "none", "encoder": "static", "embed_width": 32, "n_hops": 4, "epochs": 10}
    more = {"head": "bilinear", "lr": 0.01, "dropout": 0.0, "word_dropout": 0.0}  # scores are sums over pairs of words
    model = heedful.train(folder / "train.csv", folder / "model", task="pair", **settings, **more)
    print(f"right for {model.facts.metrics['accuracy']:.0%} of the held-out pairs")
    pair = ("A dog sleeps under a tree.", "The dog runs.")
    print(model.predict(pair))
    explanation = model.explain(pair)
    print(explanation)
    first, second, part = explanation.top_pairs(1)[0]
    print(f"the strongest pair of words: {first} and {second} add {part:.2f}")
    explanation.to_png(picture, scale=1.5)
    print(f"picture: {picture}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        main(Path(made), Path(sys.argv[1] if len(sys.argv) > 1 else "pair.png"))
