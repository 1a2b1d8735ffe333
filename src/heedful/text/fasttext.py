"""Word vectors from fastText binary models (`.bin`).

The vector of a word is the mean of its own row and the rows of its character n-grams, which are hashed into buckets.
The table is memory-mapped, so only the rows of the requested words are read from models of several gigabytes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from heedful.errors import DataError

MAGIC = (793712314).to_bytes(4, "little")
NEWEST = 12  # the version of all models since 2017
MAX_WORD = 4096  # bytes


@dataclass(frozen=True)
class FastTextModel:
    """The words of a model, in order, and its table of rows."""

    words: list[str]
    rows: NDArray[np.float32]  # (word or bucket, width), on disk
    n_buckets: int
    shortest: int  # n-gram length in characters
    longest: int

    def vector(self, i: int) -> NDArray[np.float32]:
        """Return the vector of word `i`."""
        ids = [i, *self._ngram_rows(self.words[i])]
        return np.asarray(self.rows[ids].mean(axis=0), dtype=np.float32)

    def _ngram_rows(self, word: str) -> Iterator[int]:
        if self.longest == 0 or word == "</s>":
            return
        framed = f"<{word}>"
        for start in range(len(framed)):
            for n in range(self.shortest, min(self.longest, len(framed) - start) + 1):
                if not (n == 1 and start in (0, len(framed) - 1)):  # fastText has no n-grams "<" and ">"
                    yield len(self.words) + _hash(framed[start : start + n]) % self.n_buckets


def open_fasttext(path: str | Path) -> FastTextModel:
    """Read the words of a model and map its table."""
    if str(path).endswith(".gz"):
        raise DataError(path, "a fastText model must not be compressed, because it is memory-mapped. Run: gunzip FILE")
    with Path(path).open("rb") as file:
        try:
            return _parse(path, file)
        except struct.error:
            raise DataError(path, "truncated fastText model") from None


def _parse(path: str | Path, file: IO[bytes]) -> FastTextModel:
    magic, version = file.read(4), *_unpack(file, "<i")
    if magic != MAGIC or version > NEWEST:
        raise DataError(path, f"not a supported fastText model (version {version}). Use its .vec file")
    settings = _unpack(file, "<12id")
    n_buckets, shortest, longest = settings[8], settings[9], settings[10]
    _, n_words, n_labels, _, n_pruned = _unpack(file, "<3i2q")
    if longest > 0 and n_buckets < 1:
        raise DataError(path, f"the model has character n-grams and {n_buckets} buckets, expected 1 or more")
    words = [_entry(path, file) for _ in range(n_words + n_labels)][:n_words]
    (is_quantised,) = _unpack(file, "<?")
    if is_quantised or n_pruned > 0:
        raise DataError(path, "this fastText model is quantised. Use its .vec file")
    n_rows, width = _unpack(file, "<2q")
    if n_rows < n_words + (n_buckets if longest > 0 else 0) or not 0 < width <= 4096:
        raise DataError(path, f"the table is {n_rows} × {width}, which does not match {n_words} words")
    if Path(path).stat().st_size < file.tell() + 4 * n_rows * width:
        raise DataError(path, "truncated fastText model")
    rows = np.memmap(path, dtype="<f4", mode="r", offset=file.tell(), shape=(n_rows, width))
    return FastTextModel(words, rows, n_buckets, shortest, longest)


def _unpack(file: IO[bytes], form: str) -> tuple[int, ...]:
    return struct.unpack(form, file.read(struct.calcsize(form)))


def _entry(path: str | Path, file: IO[bytes]) -> str:
    """Read a word and skip its count and type."""
    word = bytearray()
    while (byte := file.read(1)) != b"\0":
        if not byte or len(word) > MAX_WORD:
            raise DataError(path, "a word is not terminated: is this a fastText model?")
        word += byte
    file.read(9)
    return word.decode("utf-8", "replace")


def _hash(ngram: str) -> int:
    """32-bit FNV-1a over signed bytes, as in fastText."""
    value = 2166136261
    for byte in ngram.encode():
        value = ((value ^ (byte if byte < 128 else byte | 0xFFFFFF00)) * 16777619) & 0xFFFFFFFF
    return value
