"""Who belongs to which circle of friends? Told of a few people, the model finds out about all others.

The network is made here, so nothing is needed but heedful[train,picture]. Takes about 20 seconds on a laptop:

    python examples/graph.py [picture.png]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

import heedful
from heedful.inputs.graph.tables import read_tables

CIRCLES = ("chess", "choir", "climbing")
PEOPLE, TOLD = 100, 12  # in each circle; of how many it is said
NAMES = ("Ada", "Bo", "Cleo", "Dan", "Eva", "Finn", "Gwen", "Hal", "Ida", "Jon", "Kim", "Leo", "Mia", "Ned", "Ola")


def write_network(folder: Path, *, seed: int) -> list[int]:
    """Write nodes.tsv and edges.tsv, and return the circle of each person, by number.

    People have three interests, of which each circle favours some; friends are mostly of the same circle.
    """
    rng = np.random.default_rng(seed)
    circles = rng.permutation(np.repeat(np.arange(3), PEOPLE))
    rows = ["person\tinterests\tcircle"]
    seen = [0, 0, 0]
    for i, circle in enumerate(circles):
        likely = np.where(np.arange(30) // 10 == circle, 3.0, 1.0)
        interests = rng.choice(30, size=3, replace=False, p=likely / likely.sum())
        seen[circle] += 1
        told = CIRCLES[circle] if seen[circle] <= TOLD else ""
        rows.append(f"{NAMES[i % 15]} {i // 15 + 1}\t{' '.join(map(str, sorted(interests)))}\t{told}")
    (folder / "nodes.tsv").write_text("\n".join(rows))
    names = [row.split("\t")[0] for row in rows[1:]]
    pairs = [(i, j) for i in range(len(circles)) for j in range(i)]
    friends = [(i, j) for i, j in pairs if rng.random() < (0.05 if circles[i] == circles[j] else 0.004)]
    edges = ["source\ttarget", *(f"{names[i]}\t{names[j]}" for i, j in friends)]
    (folder / "edges.tsv").write_text("\n".join(edges))
    return [int(circle) for circle in circles]


def main(folder: Path, picture: Path) -> None:
    """Make a network, learn from the few who are known, answer for all, and explain one answer."""
    circles = write_network(folder, seed=0)
    columns = {"text": "person", "label": "circle", "edges": str(folder / "edges.tsv")}
    network = {"units": 32, "n_heads": 4, "n_layers": 1, "inner_units": 32, "dropout": 0.3}
    learning = {"lr": 0.02, "epochs": 60, "patience": 25, "valid_share": 0.3}
    model = heedful.train(
        folder / "nodes.tsv", folder / "model", input="graph", task="tag", **columns, **network, **learning
    )
    graph = read_tables(folder / "nodes.tsv", folder / "edges.tsv").graph
    found = [CIRCLES.index(label) for label in model.predict(graph)]
    print(f"right for {np.mean(np.array(found) == circles):.0%} of {len(found)} people, told of {3 * TOLD}")

    least_sure = graph.names[int(model.predict_proba(graph).max(axis=1).argmin())]
    explanation = model.explain(graph, word=least_sure)
    explanation.to_png(picture, scale=1.5)
    print(f"{least_sure}: {explanation.label} ({explanation.probabilities[explanation.label]:.2f})")
    for name, effect in explanation.top(3, method="leave-one-out"):
        print(f"  without {name}: {-effect:+.2f}")
    print(f"picture: {picture}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        main(Path(made), Path(sys.argv[1] if len(sys.argv) > 1 else "graph.png"))
