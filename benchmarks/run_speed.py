"""Running speed: ONNX Runtime against torch eager, attention included, and how long the command line takes to start.

python -m benchmarks.run_speed
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from benchmarks.result import write_result
from heedful.config import Config
from heedful.data.batch import Batch, pad
from heedful.network.build import build_network
from heedful.network.masks import mask_of
from heedful.network.write import onnx_graph
from heedful.runtime.session import Session

OUTPUTS = ("scores", "rows", "weights")


def seconds(run: Callable[[], object], *, repeat: int) -> float:
    """Return the best mean of five rounds."""
    run()
    rounds = []
    for _ in range(5):
        started = time.perf_counter()
        for _ in range(repeat):
            run()
        rounds.append((time.perf_counter() - started) / repeat)
    return min(rounds)


def compare(batch_size: int) -> dict[str, float]:
    """Return texts a second of both, 20 tokens a text, u=300, r=30."""
    config = Config().changed(units=300, attention_width=350, n_hops=30, embed_width=100, head="pruned")
    config = config.changed(row_units=25, column_units=20)
    network = build_network(config.model, n_ids=20_000, n_classes=5).eval()
    graph = onnx_graph(config.model, {k: v.numpy() for k, v in network.state_dict().items()})
    session = Session(graph, outputs=OUTPUTS)
    rng = np.random.default_rng(0)
    batch: Batch = pad(
        [rng.integers(2, 20_000, size=20).astype(np.int32) for _ in range(batch_size)], range(batch_size)
    )
    ids, lengths = torch.from_numpy(batch.ids), torch.from_numpy(batch.lengths)

    def run_torch() -> object:
        with torch.inference_mode():
            return network(ids, mask_of(lengths, ids.shape[1]))

    repeat = max(3, 300 // batch_size)
    eager = seconds(run_torch, repeat=repeat)
    ours = seconds(lambda: session.run(batch, OUTPUTS), repeat=repeat)
    return {
        "torch_texts_per_second": batch_size / eager,
        "onnx_texts_per_second": batch_size / ours,
        "ratio": eager / ours,
    }


def help_time() -> dict[str, float]:
    """Return how long `heedful --help` takes, in units of `python -c pass`."""

    def once(*arguments: str) -> float:
        started = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        return time.perf_counter() - started

    pairs = [(once("-c", "pass"), once("-m", "heedful", "--help")) for _ in range(15)]
    bare, ours = (float(np.median([p[i] for p in pairs])) for i in (0, 1))
    return {"python_ms": bare * 1e3, "help_ms": ours * 1e3, "ratio": ours / bare}


def main() -> None:
    """Measure and write the result."""
    figures: dict[str, Any] = {f"batch_{n}": compare(n) for n in (1, 128)}
    figures["help"] = help_time()
    for name, row in figures.items():
        print(name, {k: round(v, 2) for k, v in row.items()}, flush=True)
    write_result("run_speed", figures)


if __name__ == "__main__":
    main()
