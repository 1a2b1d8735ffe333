"""The bundled messages, as files to try the commands on."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from heedful.data.read import read_rows
from heedful.data.samples.customer_messages import messages_path
from heedful.errors import DataError
from heedful.files.atomic import naming, write_text


def write_messages(folder: Path) -> list[Path]:
    """Write messages.csv (for training) and test.csv, and return both paths; existing files are not replaced."""
    with naming(folder):
        folder.mkdir(parents=True, exist_ok=True)
    splits = {folder / "messages.csv": "train", folder / "test.csv": "test"}
    for path in splits:
        if path.exists():
            raise DataError(path, "already exists. Choose another folder, or remove it")
    for path, split in splits.items():
        rows = [dict(row.values) for row in read_rows(messages_path(split))]
        content = io.StringIO(newline="")
        writer = csv.DictWriter(content, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
        write_text(path, content.getvalue())
    return list(splits)
