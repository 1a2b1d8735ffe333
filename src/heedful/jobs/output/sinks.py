"""Output files for a stream of results: written next to the target, and moved into place at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from heedful.errors import DataError, HeedfulError, reason
from heedful.files.atomic import Partial
from heedful.files.json_text import json_text
from heedful.jobs.output.csv_tsv import DelimitedSink
from heedful.jobs.output.parquet import ParquetSink
from heedful.jobs.output.stdout import StdoutSink

Rows = Sequence[Mapping[str, Any]]


class Sink(Protocol):
    """Takes rows, chunk by chunk, and their vectors if there are any."""

    def write(self, rows: Rows, vectors: NDArray[np.float32] | None = None) -> None:
        """Write a chunk."""


class FileSink(Sink, Protocol):
    """A sink whose file is finished or discarded."""

    def close(self) -> None:
        """Finish the file."""

    def abandon(self) -> None:
        """Close the file, which will be discarded."""


class JsonlSink:
    """JSON lines. A number that is not finite becomes null."""

    def __init__(self, partial: Partial) -> None:
        self._file = partial.path.open("w", encoding="utf-8", errors="replace")

    def write(self, rows: Rows, vectors: NDArray[np.float32] | None = None) -> None:
        """Write a chunk."""
        for i, row in enumerate(rows):
            value = dict(row) if vectors is None else {**row, "vector": [float(f"{x:.7g}") for x in vectors[i]]}
            self._file.write(json_text(value, default=str) + "\n")

    def close(self) -> None:
        """Finish the file."""
        self._file.close()

    abandon = close


class NpySink:
    """One NumPy array of all vectors; the header is rewritten at the end, when their number is known."""

    def __init__(self, partial: Partial) -> None:
        self._file = partial.path.open("wb")
        self._n, self._width = 0, 0

    def write(self, rows: Rows, vectors: NDArray[np.float32] | None = None) -> None:
        """Write a chunk."""
        if vectors is None:
            raise HeedfulError(".npy is for vectors only. Write to .csv, .tsv, .jsonl or .parquet instead")
        if self._n == 0:
            self._width = vectors.shape[1]
            self._header()
        self._n += len(rows)
        self._file.write(np.ascontiguousarray(vectors, dtype="<f4").tobytes())

    def _header(self) -> None:
        shape = {"descr": "<f4", "fortran_order": False, "shape": (self._n, self._width)}
        np.lib.format.write_array_header_1_0(self._file, shape)  # NumPy leaves room for a growing first axis

    def close(self) -> None:
        """Finish the file."""
        self._file.seek(0)
        self._header()
        self._file.close()

    def abandon(self) -> None:
        """Close the file, which will be discarded."""
        self._file.close()


# Called with the partial file, the final path, and whether to escape formulas.
SINKS: dict[str, Callable[[Partial, Path, bool], FileSink]] = {
    ".jsonl": lambda partial, *_: JsonlSink(partial),
    ".csv": lambda partial, _, safe: DelimitedSink(partial, tab=False, safe=safe),
    ".tsv": lambda partial, _, safe: DelimitedSink(partial, tab=True, safe=safe),
    ".parquet": lambda partial, path, _: ParquetSink(partial, path),
    ".npy": lambda partial, *_: NpySink(partial),
}


def opened(path: str, *, safe_csv: bool = False) -> AbstractContextManager[Sink]:
    """Open an output file, or standard output (`-`)."""
    return StdoutSink(safe_csv=safe_csv) if path == "-" else open_sink(Path(path), safe_csv=safe_csv)


class open_sink(AbstractContextManager[Sink]):  # noqa: N801  a context manager, read as a verb
    """Open an output file; its extension decides the format. It appears under its name only when it is complete.

    With `safe_csv`, csv and tsv cells that a spreadsheet would run as a formula get a leading apostrophe.
    """

    def __init__(self, path: Path, *, safe_csv: bool = False) -> None:
        if path.suffix not in SINKS:
            raise DataError(path, f"cannot tell the format by the ending. Known endings: {', '.join(SINKS)}")
        if path.is_dir():
            raise DataError(path, "this is a folder, expected a file")
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._partial = Partial(path)
            try:
                self._sink = SINKS[path.suffix](self._partial, path, safe_csv)
            except BaseException:
                self._partial.discard()
                raise
        except OSError as error:
            raise self._cannot(error) from None

    def _cannot(self, error: OSError) -> DataError:
        return DataError(self._path, f"cannot be written: {reason(error)}")

    def __enter__(self) -> Sink:
        return self

    def write(self, rows: Rows, vectors: NDArray[np.float32] | None = None) -> None:
        """Write a chunk; name the file if it cannot be written."""
        try:
            self._sink.write(rows, vectors)
        except OSError as error:
            raise self._cannot(error) from None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._sink.close()
                self._partial.publish()
        except OSError as fault:
            raise self._cannot(fault) from None
        finally:
            with suppress(Exception):  # such as flushing a buffer to a full disk
                self._sink.abandon()
            self._partial.discard()
