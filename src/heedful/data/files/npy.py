"""NumPy files, read without pickle and without trusting the sizes they claim."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import NDArray

from heedful.data.files.lines import open_bytes
from heedful.errors import DataError

MOST_BYTES = 4 * 2**30  # of one array
MOST_TIMES = 2_000  # highest compression ratio, against zip bombs
FREE_BYTES = 64 * 2**20  # up to this size, any compression ratio is accepted


def read_npy(path: str | Path) -> NDArray[Any]:
    """Return the array of a .npy file, memory-mapped."""
    with open_bytes(path) as file:
        _, shape, dtype = _header(path, file, Path(path).name)
        needed = _size(path, Path(path).name, shape, dtype) + file.tell()
    if (n_bytes := Path(path).stat().st_size) < needed:
        raise DataError(path, f"the file ends early: it has {n_bytes:,} bytes, expected {needed:,}")
    return np.asarray(np.load(path, mmap_mode="r" if dtype.itemsize and 0 not in shape else None, allow_pickle=False))


def read_npz(path: str | Path, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return the named arrays that are present in a .npz file."""
    with open_bytes(path) as raw:
        try:
            with zipfile.ZipFile(raw) as file:
                known = {info.filename: info for info in file.infolist()}
                return {name: _member(path, file, known[f"{name}.npy"]) for name in names if f"{name}.npy" in known}
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
            raise DataError(path, f"not a .npz file, or damaged: {error}") from None


def _member(path: str | Path, file: zipfile.ZipFile, info: zipfile.ZipInfo) -> NDArray[Any]:
    if info.file_size > FREE_BYTES and info.file_size > MOST_TIMES * max(1, info.compress_size):
        raise DataError(
            path,
            f"{info.filename} is {info.file_size:,} bytes and {info.compress_size:,} compressed: "
            f"compression ratio above {MOST_TIMES:,}, refused as a possible zip bomb",
        )
    with file.open(info) as member:
        is_fortran, shape, dtype = _header(path, member, info.filename)
        size = _size(path, info.filename, shape, dtype)
        raw = member.read(size + 1)
    if len(raw) != size:
        raise DataError(path, f"{info.filename} has {len(raw):,} bytes of numbers, expected {size:,}")
    flat = np.frombuffer(raw, dtype=dtype)
    return flat.reshape(shape[::-1]).T if is_fortran else flat.reshape(shape)


def _header(path: str | Path, file: IO[bytes], name: str) -> tuple[bool, tuple[int, ...], np.dtype[Any]]:
    try:
        version = npy_format.read_magic(file)
        read = npy_format.read_array_header_1_0 if version == (1, 0) else npy_format.read_array_header_2_0
        shape, is_fortran, dtype = read(file)
    except (ValueError, EOFError, zlib.error, OSError) as error:
        raise DataError(path, f"{name} is not a NumPy array: {error}") from None
    if dtype.hasobject:
        raise DataError(path, f"{name} holds Python objects, which could run code: expected plain numbers or texts")
    return is_fortran, shape, dtype


def _size(path: str | Path, name: str, shape: Sequence[int], dtype: np.dtype[Any]) -> int:
    size = dtype.itemsize
    for n in shape:
        if type(n) is not int or n < 0:
            raise DataError(path, f"{name} has the shape {shape!r:.60}, expected non-negative integers")
        size *= n
    if size > MOST_BYTES:
        raise DataError(path, f"{name} is {size / 2**30:.1f} GiB, expected at most {MOST_BYTES / 2**30:.0f} GiB")
    return size
