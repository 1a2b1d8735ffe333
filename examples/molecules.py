"""Is a molecule an acid? Self-made molecules, and a picture of the atoms that the answer depends on.

    python examples/molecules.py [picture.png]       (some 20 seconds)

The answer is known beforehand: the group C(=O)O with nothing more on its last oxygen. Alcohols and esters have almost
the same atoms, so no atom by itself gives it away, only its bonds do. Needs heedful[train,molecules,picture].
"""

from __future__ import annotations

import csv
import random
import sys
import tempfile
from pathlib import Path

import heedful

ACID = "C(=O)O"
OTHERS = ("CO", "C(=O)OC", "C(=O)C", "OC", "C(=O)N", "CN", "C#N", "Cl", "OC(=O)C")
BODIES = ("c1ccc({})cc1", "C1CCC({})CC1", "CC({})C", "CCC({})CC", "c1cc({})ccn1", "CC(C)C({})", "c1ccc2cc({})ccc2c1")
STARTS = ("CO", "COC(=O)", "CC(=O)", "OC", "NC(=O)", "N", "N#C", "Cl", "CC(=O)O")
LINKS = ("", "C", "CC", "CCC", "N", "OC")


def molecules(n: int, seed: int = 0) -> list[tuple[str, str]]:
    """Return SMILES, each with `acid` or `other`."""
    draw = random.Random(seed)
    found = {}
    while len(found) < n:
        is_acid = draw.random() < 0.5
        first = ACID if is_acid else draw.choice(OTHERS)
        body = draw.choice(BODIES).format(draw.choice(LINKS) + first)
        start = draw.choice(STARTS) + draw.choice(LINKS) if draw.random() < 0.5 else ""
        found[start + body] = "acid" if is_acid else "other"
    return list(found.items())


def main() -> None:
    """Train, print what a model says, and draw why."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "molecules.csv"
        with data.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("smiles", "kind"), *molecules(1_000)])
        model = heedful.train(
            data, Path(folder) / "model", input="molecule", units=32, inner_units=64, n_hops=2, dropout=0.1, epochs=8
        )
        ibuprofen = "CC(C)Cc1ccc(cc1)C(C)C(=O)O"  # a molecule that it has never seen
        explanation = model.explain(ibuprofen)
        print(explanation)
        explanation.to_png(sys.argv[1] if len(sys.argv) > 1 else "molecule.png")


if __name__ == "__main__":
    main()
