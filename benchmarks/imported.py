"""Imported transformers beside the originals: largest difference, STS-B dev, and speed in one run.

    python -m benchmarks.imported --folders /tmp/folders     # results/imported.json
    python -m benchmarks.imported --folders /tmp/folders --quick   # 60 pairs; writes no file

The originals run in sentence-transformers, on torch, with batches of 32 sorted by length; ours in ONNX Runtime, float32
and int8. All have the same number of threads. Speed is the median of rounds by turns.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.embedding import say
from benchmarks.encoders import set_up
from benchmarks.result import DATA, write_result
from benchmarks.transformer_folders import FOLDERS
from heedful.jobs.encoders.transformers.import_encoder import ImportOptions, import_encoder
from heedful.metrics.correlation import spearman
from heedful.runtime.model import load

NAMES = {"minilm": "all-MiniLM-L6-v2", "e5-small": "e5-small", "mpnet": "all-mpnet-base-v2"}
PROMPTS = {"e5-small": "query: "}
ROUNDS, TIMED = 3, 256  # rounds by turns, sentences in each
HOSTILE = [
    "",
    " ",
    "a",
    "naïve CAFÉ\tüber…",
    "東京タワー 안녕하세요 مرحبا",
    "🙂👩‍🚀",
    "word " * 700,
    "x\x00y\x0bz\x85w",
]
Vectors = NDArray[np.float32]
Encode = Callable[[list[str]], Vectors]


def pairs(n: int | None) -> tuple[NDArray[np.float64], list[str], list[str]]:
    """Return scores and sentences of STS-B dev."""
    rows = [line.split("\t") for line in (DATA / "stsb/dev.tsv").read_text(encoding="utf-8").splitlines()[1:]][:n]
    return np.array([float(row[0]) for row in rows]), [row[1] for row in rows], [row[2] for row in rows]


def original(folder: Path, prompt: str) -> Encode:
    """Return the model by its own library."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device="cpu")
    return lambda texts: np.asarray(
        model.encode([prompt + text for text in texts], batch_size=32, show_progress_bar=False)
    )


def ours(folder: Path, home: Path, name: str, *, int8: bool, threads: int) -> Encode:
    """Import the model and return ours."""
    out = home / f"heedful-{name}{'-int8' if int8 else ''}"
    import_encoder(folder, out, ImportOptions(int8=int8, prompt=PROMPTS.get(name)), overwrite=True)
    model = load(out, threads=threads)
    return lambda texts: np.asarray(model.encode(texts, batch_size=32))


def measure(name: str, home: Path, *, n_pairs: int | None, threads: int) -> dict[str, Any]:
    """Return the figures of one transformer."""
    folder = FOLDERS[name](home)
    gold, first, second = pairs(n_pairs)
    encoders = {
        "original": original(folder, PROMPTS.get(name, "")),
        "float32": ours(folder, home, name, int8=False, threads=threads),
        "int8": ours(folder, home, name, int8=True, threads=threads),
    }
    figures: dict[str, Any] = {"name": NAMES[name]}
    texts = [*first, *second]
    vectors = {key: encode([*texts, *HOSTILE]) for key, encode in encoders.items()}
    for key, found in vectors.items():
        a, b = found[: len(first)], found[len(first) : 2 * len(first)]
        figures[key] = {"stsb": 100 * spearman((a * b).sum(axis=1), gold)}
    exact = vectors["original"]
    figures["float32"]["difference"] = float(np.abs(vectors["float32"] - exact).max())
    figures["int8"]["cosine"] = float((vectors["int8"] * exact).sum(axis=1).min())
    speeds: dict[str, list[float]] = {key: [] for key in encoders}
    for _ in range(ROUNDS):
        for key, encode in encoders.items():
            started = time.perf_counter()
            encode(texts[:TIMED])
            speeds[key].append(min(TIMED, len(texts)) / (time.perf_counter() - started))
    for key, rates in speeds.items():
        figures[key]["sentences_per_second"] = median(rates)
        say(f"{name:10} {key:9} STS-B {figures[key]['stsb']:.2f}  {median(rates):.0f} sentences/s")
    return figures


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folders", type=Path, required=True, help="place for the folders that are put together")
    parser.add_argument("--only", default=",".join(FOLDERS), help="which transformers")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="60 pairs; writes no file")
    args = parser.parse_args()
    set_up(args.threads)
    args.folders.mkdir(parents=True, exist_ok=True)
    n_pairs = 60 if args.quick else None
    table = {name: measure(name, args.folders, n_pairs=n_pairs, threads=args.threads) for name in args.only.split(",")}
    if args.quick:
        print(json.dumps(table, indent=1))
    else:
        write_result("imported", {"table": table, "threads": args.threads, "rounds": ROUNDS})


if __name__ == "__main__":
    main()
