"""The dataset that comes with the package: customer messages, by topic and feeling."""

from __future__ import annotations

import csv
from importlib.resources import files
from pathlib import Path

from heedful.data.read import read_rows
from heedful.errors import DataError

SPLITS = ("train", "dev", "test")


def messages_path(split: str) -> Path:
    """Return the file of a split: `train`, `dev` or `test`."""
    if split not in SPLITS:
        raise ValueError(f"split is {split!r}, expected one of {', '.join(SPLITS)}")
    return Path(str(files("heedful.data") / "messages" / f"{split}.tsv"))


def write_messages(folder: Path) -> list[Path]:
    """Write messages.csv, to learn from, and test.csv, to test on, and return both; files that are there stay."""
    folder.mkdir(parents=True, exist_ok=True)
    found = {folder / "messages.csv": "train", folder / "test.csv": "test"}
    for path in found:
        if path.exists():
            raise DataError(path, "is there already. Choose another folder, or remove it")
    for path, split in found.items():
        rows = [dict(row.values) for row in read_rows(messages_path(split))]
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    return list(found)
