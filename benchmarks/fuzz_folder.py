"""Change the files of model folders until something breaks: coverage-guided, with atheris (pip install atheris).

    python -m benchmarks.fuzz_folder --minutes 60     # results/fuzz_folder.json

Small models of every kind are trained first. Each input of the fuzzer is a list of choices: which folder, which file,
which changes (`mutations.py`). The changed folder is sealed again, loaded, and asked for one answer, or for the file it
was made from where it cannot be loaded. Only a `HeedfulError` in one line may come of it, within 10 seconds and 2 GB.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.crafted import reseal
from benchmarks.mutations import mutated
from benchmarks.result import write_result
from heedful.config import Config
from heedful.data.example import Example, TwoTexts
from heedful.errors import HeedfulError
from heedful.jobs.train.train import train_model

TINY: dict[str, Any] = {
    "units": 6, "n_hops": 2, "epochs": 1, "embed_width": 6, "attention_width": 4, "batch_size": 8, "start": "none",
    "row_units": 3, "column_units": 2,
}  # fmt: skip
WORDS = ("great", "quick", "lovely", "nice", "slow", "broken", "awful", "late")
TEXTS = [Example(f"a {word} parcel", "good" if i < 4 else "bad") for i, word in enumerate(WORDS)]
TAGGED = [Example(("Mr", name, "ran"), ("O", "B-per", "O")) for name in ("Kim", "Lee", "Bo", "Al")] * 2
PAIRS = [Example(TwoTexts(a, b), "same" if a == b else "other") for a in ("dog", "cat") for b in ("dog", "cat")] * 2
LINES = [Example(f"a {word} dog", f"ein {word} Hund") for word in ("red", "big", "old", "new")] * 2
SMILES = [Example("C" * i + end, kind) for i in range(1, 5) for end, kind in (("O", "alcohol"), ("N", "amine"))]
NUMBERS = [Example(f"{word} {i}", str(i)) for i, word in enumerate(WORDS)]
KINDS: dict[str, tuple[list[Example], Any, dict[str, Any]]] = {
    "words": (TEXTS, "a great parcel", {}),
    "subwords": (TEXTS, "a great parcel", {"tokens": "subwords", "vocab_size": 60}),
    "transformer": (TEXTS, "a great parcel", {"encoder": "transformer", "n_heads": 2, "inner_units": 6}),
    "number": (NUMBERS, "a great parcel", {"task": "regress"}),
    "tagger": (TAGGED, "Mr Kim ran", {"task": "tag", "pooler": "each", "head": "tag", "letters": 4, "crf": True}),
    "pair": (PAIRS, ("dog", "cat"), {"task": "pair", "head": "gated", "encoder": "static"}),
    "translator": (LINES, "a red dog", {"task": "translate", "tokens": "subwords", "vocab_size": 60, "n_hops": 1,
                                         "decoder_units": 6}),
    "molecule": (SMILES, "CCO", {"input": "molecule", "encoder": "neighbours", "n_heads": 2}),
}  # fmt: skip
FILES = ("config.toml", "facts.json", "vocab.json", "tokenizer.json", "input.json", "model.onnx", "decoder.onnx",
         "audit.json", "hops.json", "weights.safetensors")  # fmt: skip


class FromBytes:
    """Choices that the bytes of a fuzzer make."""

    def __init__(self, content: bytes) -> None:
        self._content, self._at = content, 0

    def below(self, n: int) -> int:
        """Return a whole number from 0 to n - 1."""
        return int.from_bytes(self.content(1 if n <= 256 else 3), "little") % n

    def content(self, most: int) -> bytes:
        """Return the next bytes; fewer at the end."""
        self._at += most
        return self._content[self._at - most : self._at]


def train_all(home: Path) -> dict[str, Path]:
    """Train one small model of every kind."""
    for kind, (examples, _, settings) in KINDS.items():
        if not (home / kind).exists():
            train_model(Config().changed(**{**TINY, **settings}), home / kind, examples=(examples * 2, examples))
    return {kind: home / kind for kind in KINDS}


class Target:
    """One folder after the other, changed and loaded."""

    def __init__(self, folders: dict[str, Path], place: Path) -> None:
        self._kinds = list(folders)
        self._files = {
            kind: {file.name: file.read_bytes() for file in folder.iterdir() if file.name in FILES}
            for kind, folder in folders.items()
        }
        self._place, self.tried, self.loaded = place, 0, 0

    def __call__(self, content: bytes) -> None:
        """Change a folder as the bytes say, and load it."""
        from heedful.runtime.model import load

        choices = FromBytes(content)
        kind = self._kinds[choices.below(len(self._kinds))]
        files = self._files[kind]
        name = list(files)[choices.below(len(files))]
        shutil.rmtree(self._place, ignore_errors=True)
        self._place.mkdir()
        for other, whole in files.items():
            (self._place / other).write_bytes(mutated(name, whole, choices) if other == name else whole)
        if choices.below(8):  # else the digests do not fit
            reseal(self._place)
        self.tried += 1
        try:
            model = load(self._place, threads=1)
            self.loaded += 1
            model.predict([KINDS[kind][1]])
        except HeedfulError as error:
            if type(error) is HeedfulError or "\n" not in str(error):
                return
            if "config.toml" not in str(error):  # which lists every fault
                raise AssertionError(f"more than one line: {error}") from error


def target_in(home: Path) -> Callable[[bytes], None]:
    """Return what a fuzzer calls with its bytes; every now and then the counts are written."""
    place = Path(tempfile.mkdtemp(dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
    target = Target({kind: home / "models" / kind for kind in KINDS}, place / "model")

    def once(content: bytes) -> None:
        target(content)
        if target.tried % 200 == 0:
            counts = {"tried": target.tried, "loaded": target.loaded}
            (home / "counts.json").write_text(json.dumps(counts), encoding="utf-8")

    return once


def coverage_in(log: str) -> dict[str, int]:
    """Return the last counts that libFuzzer printed: edges that were reached, and features."""
    found = re.findall(r"cov: (\d+) ft: (\d+)", log)
    return {"edges": int(found[-1][0]), "features": int(found[-1][1])} if found else {}


def main() -> None:
    """Fuzz for some minutes; after a crash go on with another seed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--home", type=Path, default=None, help="where models, corpus and findings are kept")
    args = parser.parse_args()
    home = args.home or Path(tempfile.mkdtemp(prefix="heedful-fuzz-"))
    for name in ("models", "corpus", "found"):
        (home / name).mkdir(parents=True, exist_ok=True)
    os.environ["OMP_NUM_THREADS"] = "1"
    train_all(home / "models")
    end, total = time.monotonic() + 60 * args.minutes, {"tried": 0, "loaded": 0}
    runs: list[dict[str, Any]] = []
    while (left := end - time.monotonic()) > 5:
        (home / "counts.json").unlink(missing_ok=True)
        command = [sys.executable, "-m", "benchmarks.fuzz_process", str(home), str(int(left)), str(len(runs) + 1)]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
        (home / f"run-{len(runs) + 1}.log").write_text(done.stderr, encoding="utf-8")
        counts = json.loads((home / "counts.json").read_text()) if (home / "counts.json").exists() else {}
        runs.append({**counts, **coverage_in(done.stderr), "exit": done.returncode})
        total = {name: total[name] + counts.get(name, 0) for name in total}
    found = sorted(file.name for file in (home / "found").iterdir())
    corpus = len(list((home / "corpus").iterdir()))
    figures = {"minutes": args.minutes, **total, "inputs_with_new_coverage": corpus, "findings": found, "runs": runs}
    print(json.dumps(figures, indent=1))
    print(write_result("fuzz_folder", figures), home)


if __name__ == "__main__":
    main()
