"""Parquet, read in slices so that files may be larger than memory."""

from __future__ import annotations

import shutil
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from heedful.data.columns import unique_names
from heedful.data.example import Row
from heedful.data.files.lines import open_bytes
from heedful.errors import DataError, need

SLICE = 4096  # rows


def read_parquet(path: str | Path) -> Iterator[Row]:
    """Yield the rows of a parquet file, numbered from 1."""
    pyarrow = need("pyarrow", feature="Reading parquet", extra="parquet")
    parquet = need("pyarrow.parquet", feature="Reading parquet", extra="parquet")
    with tempfile.TemporaryFile() as spool, open_bytes(path) as raw:
        source = raw
        try:
            if str(path).endswith(".gz"):  # parquet is read from its end: unzip to disk, not to memory
                shutil.copyfileobj(raw, spool)
                source = spool
            file = parquet.ParquetFile(source)
            names = unique_names(file.schema_arrow.names)
            number = 0
            for batch in file.iter_batches(batch_size=SLICE):
                for values in batch.rename_columns(names).to_pylist():
                    number += 1
                    yield Row(values, number)
        except (pyarrow.ArrowException, OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
            raise DataError(path, f"not a parquet file, or damaged: {error}") from None
