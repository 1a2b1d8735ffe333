"""The folder of the output: the plan, the parts, what is done and what was set aside.

    part-000000.parquet      rows with their answers
    _plan.json               which rows go into which part
    _done/part-000000.json   how many; written last: without it, the part is done again
    _bad/part-000000.jsonl   rows that were set aside, each with its file, its number and the reason
    _tried/part-000000       how often a worker has begun it; there only as long as one is at it

Readers of such folders (Arrow, Spark, DuckDB, Ray) pass over names that begin with `_` or `.`.
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
class Counted:
    """What came of a part."""

    name: str
    rows: int = 0
    bad: int = 0
    seconds: float = 0.0
    fault: str | None = None  # damage in the file: what came before it is done, what comes after is left out
    failed: str | None = None  # why the part could not be done now

    def to_json(self) -> str:
        """Return it as one line."""
        return json_text(asdict(self))


class Output:
    """A folder on this machine or any other place."""

    def __init__(self, place: str) -> None:
        self.place = place if "://" in place else str(Path(place).absolute())
        self._system, self._root = file_system(self.place)
        self._is_local = is_local(self._system)

    def check_folder(self) -> None:
        """Raise where a file is in the way."""
        if self.has(""):
            raise HeedfulError(f"{self.place} is a file; the output is a folder of parts. Choose another -o")

    def holds(self, place: str) -> bool:
        """Return whether a file lies in here."""
        return place.startswith(f"{self.place.rstrip('/')}/")

    def prepare(self) -> None:
        """Make the folders that files go into."""
        try:
            for inner in ("", *FOLDERS):
                self._system.create_dir(self._at(inner), recursive=True)
        except OSError as error:
            raise HeedfulError(f"{self.place} cannot be written: {first_line(error)}") from None

    @contextmanager
    def writing(self, name: str) -> Iterator[Path]:
        """Give a file on this machine to write to; it comes into its place whole, when all of it is written."""
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
        """Return a small file, None where there is none."""
        if not self.has(name):
            return None
        with self._system.open_input_stream(self._at(name)) as file:
            return str(file.read().decode("utf-8"))

    def remove(self, name: str) -> None:
        """Remove a file if it is there."""
        if self.has(name):
            self._system.delete_file(self._at(name))

    def has(self, name: str) -> bool:
        """Return whether there is such a file."""
        return bool(self._system.get_file_info(self._at(name)).type == fs.FileType.File)

    def counted(self, part: str, form: str) -> Counted | None:
        """Return what came of a part, None where it is not done, or its file was taken away since."""
        text = self.read_text(f"{DONE}/{part}.json")
        return _counted(text) if text and self.has(f"{part}.{form}") else None

    def done(self, form: str) -> dict[str, Counted]:
        """Return the parts that are done."""
        names = [name.removesuffix(".json") for name in self.names(DONE) if name.endswith(".json")]
        with ThreadPoolExecutor(16) as pool:  # a far file system answers slowly, but to many at once
            found = pool.map(lambda name: self.counted(name, form), names)
            return {one.name: one for one in found if one is not None}

    def names(self, inner: str = "") -> list[str]:
        """Return what lies in the folder, or in one of its own."""
        selector = fs.FileSelector(self._at(inner), allow_not_found=True)
        return sorted(info.base_name for info in self._system.get_file_info(selector))

    def clear(self) -> None:
        """Remove what an earlier run wrote, and nothing else."""
        for inner in FOLDERS:
            if inner in self.names():
                self._system.delete_dir(self._at(inner))
        for name in self.names():
            if name.startswith(("part-", ".part-")):
                self.remove(name)
        self.remove(PLAN)  # last: without it, what is left would be a stranger's

    def forget_tries(self) -> None:
        """Let every part be tried anew."""
        for name in self.names(TRIED):
            self.remove(f"{TRIED}/{name}")

    def sweep(self) -> None:
        """Remove what workers that were killed left half-written."""
        for name in self.names() if self._is_local else []:
            if name.startswith(".") and name.endswith(PARTIAL):
                self.remove(name)

    def _at(self, inner: str) -> str:
        return f"{self._root.rstrip('/')}/{inner}".rstrip("/")


def _counted(text: str) -> Counted | None:
    try:
        value: dict[str, Any] = json.loads(text)
        return Counted(**value)
    except (ValueError, TypeError):  # cut short by a full disk: the part is done again
        return None
