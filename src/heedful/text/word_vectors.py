"""Word vectors from files: GloVe, word2vec (text and binary), fastText (.vec and .bin).

The format is detected: a text file whose first line is two numbers is word2vec or fastText text; a `.bin` file with
such a first line is word2vec binary; fastText models start with a magic number; any other text file is GloVe.
"""

from __future__ import annotations

import codecs
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from heedful.data.files.lines import open_bytes
from heedful.errors import DataError
from heedful.text.fasttext import MAGIC, open_fasttext

MAX_WIDTH = 4096
MAX_WORD = 4096  # bytes

Vector = NDArray[np.float32]


@dataclass(frozen=True)
class WordVectors:
    """Words and their vectors, in the order of the file (usually most frequent first)."""

    words: list[str]
    values: NDArray[np.float32]  # (word, width)

    @property
    def width(self) -> int:
        """The width of a vector."""
        return int(self.values.shape[1])


def read_word_vectors(path: str | Path, *, keep: Callable[[str, int], bool] | None = None) -> WordVectors:
    """Read the vectors for which `keep(word, number kept so far)` is true, or all vectors."""
    words: list[str] = []
    rows: list[Vector] = []
    seen: set[str] = set()
    for word, load in _words_and_loaders(path):
        if word not in seen and (keep is None or keep(word, len(words))):
            seen.add(word)
            words.append(word)
            rows.append(load())
    if not rows:
        raise DataError(path, "no word vectors in this file" if keep is None else "no vector for any word of the texts")
    return WordVectors(words, np.stack(rows))


def _words_and_loaders(path: str | Path) -> Iterator[tuple[str, Callable[[], Vector]]]:
    """Yield each word with a function that returns its vector, which is costly in a fastText model."""
    try:
        with open_bytes(path) as file:
            is_model = file.read(len(MAGIC)) == MAGIC
        if is_model:
            model = open_fasttext(path)
            yield from ((word, partial(model.vector, i)) for i, word in enumerate(model.words))
        else:
            yield from ((word, partial(np.asarray, row)) for word, row in _in_detected_format(path))
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(path, f"the file is damaged: {error}") from None


def _in_detected_format(path: str | Path) -> Iterator[tuple[str, Vector]]:
    with open_bytes(path) as file:
        first = file.readline(MAX_WIDTH * 32).removeprefix(codecs.BOM_UTF8)
        header = first.split()
        is_counted = len(header) == 2 and header[0].isdigit() and header[1].isdigit()
        if is_counted and Path(path).name.removesuffix(".gz").endswith(".bin"):
            yield from _binary(path, file, n=int(header[0]), width=int(header[1]))
        else:
            width = int(header[1]) if is_counted else None
            yield from _text(path, file, first=b"" if is_counted else first, width=width)


def _text(path: str | Path, file: IO[bytes], *, first: bytes, width: int | None) -> Iterator[tuple[str, Vector]]:
    number = 1 if first else 2
    line = first or file.readline(MAX_WIDTH * 32)
    while line:
        if line.strip():
            word, cells = _word_and_cells(line, width)
            row = _numbers(path, cells, width=width, line=number)
            width = len(row)
            yield word.decode("utf-8", "replace"), row
        number += 1
        line = file.readline(MAX_WIDTH * 32)


def _word_and_cells(line: bytes, width: int | None) -> tuple[bytes, list[bytes]]:
    """Split at the first space, or before the last `width` numbers: a few GloVe words contain spaces."""
    word, _, rest = line.rstrip().partition(b" ")
    cells = rest.split()
    extra = 0 if width is None else len(cells) - width
    if extra > 0 and not _is_number(cells[extra - 1]):
        return b" ".join([word, *cells[:extra]]), cells[extra:]
    return word, cells


def _is_number(cell: bytes) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _numbers(path: str | Path, cells: list[bytes], *, width: int | None, line: int) -> Vector:
    try:
        with np.errstate(over="ignore"):  # 1e50 becomes infinite and is rejected below
            row = np.array(cells, dtype=np.float32)
    except ValueError:
        raise DataError(path, "found a cell that is not a number, expected: word number number …", line=line) from None
    if len(row) == 0 or len(row) != (width or len(row)):
        raise DataError(path, f"found {len(row)} numbers, expected {width or 'some'}", line=line)
    if not np.isfinite(row).all():
        raise DataError(path, "found a number that is not finite", line=line)
    return row


def _binary(path: str | Path, file: IO[bytes], *, n: int, width: int) -> Iterator[tuple[str, Vector]]:
    if not 0 < width <= MAX_WIDTH:
        raise DataError(path, f"the width is {width}, expected 1 to {MAX_WIDTH}")
    for i in range(n):
        word = _binary_word(path, file, i)
        raw = file.read(4 * width)
        if len(raw) < 4 * width:
            raise DataError(path, f"the file ends in word {i + 1} of {n}")
        row = np.frombuffer(raw, dtype="<f4").astype(np.float32)
        if not np.isfinite(row).all():
            raise DataError(path, f"word {i + 1} of {n} has a number that is not finite")
        yield word, row


def _binary_word(path: str | Path, file: IO[bytes], i: int) -> str:
    word = bytearray()
    while (byte := file.read(1)) != b" ":
        if not byte or len(word) > MAX_WORD:
            raise DataError(path, f"word {i + 1} is not terminated: is this word2vec binary?")
        if byte != b"\n":  # some writers end a row with a line break
            word += byte
    return word.decode("utf-8", "replace")
