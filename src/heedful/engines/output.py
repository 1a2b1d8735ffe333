"""The output folder: the plan, the parts, their status and the rejected rows.

    part-000000.parquet      rows with their predictions
    _plan.json               the rows of each part
    _done/part-000000.json   row counts; written last: without it, the part is redone
    _bad/part-000000.jsonl   rejected rows with file, row number and reason
    _tried/part-000000       number of attempts; removed when the part is done

Readers of such folders (Arrow, Spark, DuckDB, Ray) ignore names that start with `_` or `.`.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pyarrow import fs

from heedful.engines.reading.paths import file_system, first_line, is_local
from heedful.errors import HeedfulError
from heedful.files.json_text import json_text

PLAN, DONE, BAD, TRIED = "_plan.json", "_done", "_bad", "_tried"
FOLDERS = (DONE, BAD, TRIED)
PARTIAL = ".partial"


@dataclass(frozen=True)
class PartResult:
    """The result of a part."""

    name: str
    rows: int = 0
    bad: int = 0
    seconds: float = 0.0
    fault: str | None = None  # damage in the file: rows before it are done, rows after it are skipped
    failed: str | None = None  # why the part failed in this run

    def to_json(self) -> str:
        """Return one line of JSON."""
        return json_text(asdict(self))


class Output:
    """A folder on a local or remote file system."""

    def __init__(self, place: str) -> None:
        self.place = place if "://" in place else str(Path(place).absolute())
        self._system, self._root = file_system(self.place)
        self._is_local = is_local(self._system)

    def check_folder(self) -> None:
        """Raise if the path is a file."""
        if self.has(""):
            raise HeedfulError(f"{self.place} is a file, expected a folder. Choose another output folder")

    def holds(self, place: str) -> bool:
        """Return whether a path is inside the folder."""
        return place.startswith(f"{self.place.rstrip('/')}/")

    def prepare(self) -> None:
        """Create the folders."""
        try:
            for inner in ("", *FOLDERS):
                self._system.create_dir(self._at(inner), recursive=True)
        except OSError as error:
            raise HeedfulError(f"{self.place} cannot be written: {first_line(error)}") from None

    @contextmanager
    def writing(self, name: str) -> Iterator[Path]:
        """Yield a local file to write to; it is published atomically at the end."""
        host = f"{socket.gethostname()}-{os.getpid()}"
        folder = Path(self._root) if self._is_local else Path(tempfile.mkdtemp(prefix="heedful-"))
        fresh = folder / f".{name.replace('/', '-')}.{host}{PARTIAL}"
        try:
            yield fresh
            self._publish(fresh, self._at(name))
        finally:
            fresh.unlink(missing_ok=True)
            if not self._is_local:
                shutil.rmtree(folder, ignore_errors=True)

    def _publish(self, fresh: Path, target: str) -> None:
        if self._is_local:
            with fresh.open("rb") as file:
                os.fsync(file.fileno())
            fresh.replace(target)
        else:
            with fresh.open("rb") as source, self._system.open_output_stream(target, compression=None) as file:
                shutil.copyfileobj(source, file, 8 * 2**20)

    def write_text(self, name: str, text: str) -> None:
        """Write a small file."""
        with self.writing(name) as fresh:
            fresh.write_text(text, encoding="utf-8")

    def read_text(self, name: str) -> str | None:
        """Return the text of a small file, or None if it does not exist."""
        if not self.has(name):
            return None
        with self._system.open_input_stream(self._at(name)) as file:
            return str(file.read().decode("utf-8"))

    def remove(self, name: str) -> None:
        """Remove a file if it exists."""
        if self.has(name):
            self._system.delete_file(self._at(name))

    def has(self, name: str) -> bool:
        """Return whether a file exists."""
        return bool(self._system.get_file_info(self._at(name)).type == fs.FileType.File)

    def result_of(self, part: str, form: str) -> PartResult | None:
        """Return the result of a part, or None if it is not done or its file has been removed."""
        text = self.read_text(f"{DONE}/{part}.json")
        return _parsed_result(text) if text and self.has(f"{part}.{form}") else None

    def done(self, form: str) -> dict[str, PartResult]:
        """Return the results of all finished parts."""
        names = [name.removesuffix(".json") for name in self.names(DONE) if name.endswith(".json")]
        with ThreadPoolExecutor(16) as pool:  # remote file systems have high latency
            results = pool.map(lambda name: self.result_of(name, form), names)
            return {result.name: result for result in results if result is not None}

    def names(self, inner: str = "") -> list[str]:
        """Return the names in the folder or in a subfolder."""
        selector = fs.FileSelector(self._at(inner), allow_not_found=True)
        return sorted(info.base_name for info in self._system.get_file_info(selector))

    def clear(self) -> None:
        """Remove the files of an earlier run, and no others."""
        for inner in FOLDERS:
            if inner in self.names():
                self._system.delete_dir(self._at(inner))
        for name in self.names():
            if name.startswith(("part-", ".part-")):
                self.remove(name)
        self.remove(PLAN)  # last: it marks the folder as ours

    def reset_attempts(self) -> None:
        """Reset the attempt counters."""
        for name in self.names(TRIED):
            self.remove(f"{TRIED}/{name}")

    def sweep(self) -> None:
        """Remove partial files of killed workers."""
        for name in self.names() if self._is_local else []:
            if name.startswith(".") and name.endswith(PARTIAL):
                self.remove(name)

    def _at(self, inner: str) -> str:
        return f"{self._root.rstrip('/')}/{inner}".rstrip("/")


def _parsed_result(text: str) -> PartResult | None:
    try:
        value: dict[str, Any] = json.loads(text)
        return PartResult(**value)
    except (ValueError, TypeError):  # truncated by a full disk: the part is redone
        return None
