"""The server of this checkout against that of another: sentences a second over HTTP, by turns.

    python -m benchmarks.serve_before CHECKOUT     # results/serve_before.json

The cells are those of `benchmarks.serve`. A ratio above 1 says that this checkout is faster. It is the median of the
ratios of all rounds, in each of which both are measured one right after the other.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.embedding import say
from benchmarks.encoders import corpus_sentences
from benchmarks.result import write_result
from benchmarks.serve import CELLS, N_TEXTS, measure
from benchmarks.serve_started import Contestant, end_servers_when_stopped, heedful


def of_checkout(checkout: Path) -> Contestant:
    """Return the server of another checkout, run by this Python."""
    here = heedful()
    source = f"PYTHONPATH={checkout.resolve() / 'src'}"
    return replace(here, name="before", command=lambda port: ["env", source, *here.command(port)])


def main() -> None:
    """Measure both and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, help="another checkout")
    parser.add_argument("--seconds", type=float, default=4.0, help="of each cell")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    end_servers_when_stopped()
    contestants = {"before": of_checkout(args.before), "now": heedful()}
    with tempfile.TemporaryDirectory() as folder:
        texts = corpus_sentences(N_TEXTS)
        rows, _ = measure(contestants, texts, Path(folder), rounds=args.rounds, seconds=args.seconds)
    cells: dict[str, dict[str, Any]] = {}
    for cell in CELLS:
        rates = {key: [each[cell.key]["sentences_per_second"] for each in rounds] for key, rounds in rows.items()}
        ratios = [now / before for now, before in zip(rates["now"], rates["before"], strict=True)]
        cells[cell.key] = {"ratio": median(ratios), "ratios": ratios, **rates}
        say(f"{cell.texts} × {cell.clients} clients: {median(ratios):.3f}")
    figures = {"cells": cells, "median_ratio": median(each["ratio"] for each in cells.values())}
    say(f"all: {figures['median_ratio']:.3f}")
    write_result("serve_before", figures, notes="sentences a second, this checkout divided by the other")


if __name__ == "__main__":
    main()
