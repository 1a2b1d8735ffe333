"""One million sentences with planted near duplicates: recall, precision, time and memory of the duplicate finder."""

from __future__ import annotations

import csv
import gzip
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from benchmarks.result import DATA

SHARE, SEED = 0.01, 20170309
FILES = ("wikipedia", "imdb_unsup", "tatoeba_en", "wikinews", "blogs", "dialogues", "flickr_captions", "chitchat")
ALIKE = 0.75  # of difflib, on words or on characters: a pair that is found is right if it is so similar, or was planted
CHECKED = 3_000  # pairs that were found and not planted, which are compared with difflib


def sentences() -> Iterator[tuple[str, str]]:
    """Yield the sentences of the corpus, each with its source, which serves as a label."""
    for name in FILES:
        with gzip.open(DATA / f"corpus/{name}.txt.gz", "rt", encoding="utf-8") as lines:
            yield from ((line.rstrip("\n"), name) for line in lines)


def edited(text: str, rng: random.Random) -> str:
    """Return a text with one small change of a kind that copies have; never an exact duplicate."""
    words = text.split()
    kind = rng.choice(("typo", "drop", "swap", "add", "replace", "case and typo"))
    i = rng.randrange(len(words))
    if kind == "drop" and len(words) > 4:
        del words[i]
    elif kind == "swap" and len(words) > 4:
        j = (i + 1) % len(words)
        words[i], words[j] = words[j], words[i]
    elif kind == "add":
        words.insert(i, rng.choice(("really", "please", "very", "today", "again")))
    elif kind == "replace" and len(words) > 6:
        words[i] = rng.choice(("thing", "people", "other", "good", "new"))
    else:
        word = words[i]
        at = rng.randrange(len(word))
        words[i] = word[:at] + rng.choice("abcdefghijklmnopqrstuvwxyz") + word[at + 1 :]
    made = " ".join(words)
    return made.upper() if kind == "case and typo" else made


def duplicates(n_rows: int) -> dict[str, Any]:
    """Write a file of rows, run the check on it in a process of its own, and compare with what was planted."""
    rng = random.Random(SEED)
    n_planted = round(SHARE * n_rows)
    rows = [row for row, _ in zip(sentences(), range(n_rows - n_planted), strict=False)]
    texts, labels = [text for text, _ in rows], [label for _, label in rows]
    planted = []
    for source in rng.sample([i for i, text in enumerate(texts) if len(text) >= 40], n_planted):
        planted.append((source, len(texts)))
        texts.append(edited(texts[source], rng))
        labels.append(labels[source])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.csv"
        with file.open("w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows([("text", "label"), *zip(texts, labels, strict=True)])
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.check_duplicates", str(file)], capture_output=True, text=True, check=True
        )
        seconds = time.perf_counter() - start
    found = json.loads(done.stdout)
    group_of = {row: i for i, group in enumerate(found["groups"]) for row in group}
    recall = sum(a in group_of and group_of.get(b) == group_of[a] for a, b in planted) / len(planted)
    own = {row for _, row in planted}
    pairs = list({(min(pair), max(pair)) for pair in found["pairs"]})
    others = [pair for pair in pairs if not own & set(pair)]
    checked = rng.sample(others, min(CHECKED, len(others)))
    right = sum(alike(texts[a], texts[b]) for a, b in checked)
    n_right = len(pairs) - len(others) + len(others) * right / max(1, len(checked))
    return {
        "rows": n_rows, "planted": len(planted), "recall": recall, "found_pairs": len(pairs),
        "found_not_planted": len(others), "right_of_these": right / max(1, len(checked)),
        "precision": n_right / max(1, len(pairs)), "minutes": seconds / 60, "check_minutes": found["seconds"] / 60,
        "peak_mb": found["peak_mb"],
    }  # fmt: skip


def alike(first: str, second: str) -> bool:
    """Return whether texts are similar by another measure than the finder's: matching blocks of characters or words."""
    a, b = first.lower(), second.lower()
    by_words = SequenceMatcher(None, a.split(), b.split(), autojunk=False).ratio()
    return by_words >= ALIKE or SequenceMatcher(None, a, b, autojunk=False).ratio() >= ALIKE


def main() -> None:
    """Check a file, and print the groups, the time and the peak memory."""
    import resource

    from heedful.data.columns import Columns
    from heedful.jobs.check.assemble import merged
    from heedful.jobs.check.run import CheckRun
    from heedful.jobs.check.source import open_data

    start = time.perf_counter()
    run = CheckRun(open_data(sys.argv[1], Columns()), None, None, rows=20_000, seed=0, on_stage=lambda *_: None)
    run.go(labels=True, curve=True)
    run.result()
    assert run.duplicate_rows is not None
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    pairs = [(row, other) for row, (other, _) in run.duplicate_rows.nearest.items()]
    print(json.dumps({"groups": merged(run.duplicate_rows), "pairs": pairs, "seconds": seconds, "peak_mb": peak}))


if __name__ == "__main__":
    main()
