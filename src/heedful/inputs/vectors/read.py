"""Examples given as vectors: .npz, .npy, and tables with a column of nested lists.

| file             | contents                                                                                         |
|------------------|--------------------------------------------------------------------------------------------------|
| `.npz`           | `x` (example, time, width), or with `lengths` (example,) `x` (all vectors, width); labels `y`    |
| `.npy`           | (example, time, width) or (example, width); labels in a `.csv` or `.tsv` of the same name        |
| parquet, jsonl   | a column `vectors` with (time, width) in each row, and a column with the label                   |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heedful.config import Config
from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.columns import Columns, input_column, label_column
from heedful.data.example import Example, Row
from heedful.data.files.npy import read_npy, read_npz
from heedful.data.read import read_rows
from heedful.errors import DataError, listed
from heedful.inputs.graph.columns import number

BESIDE = (".csv", ".tsv")
HOW_TO_LABEL = "Labels are read from y in an .npz file, a .csv beside an .npy file, or a column of a table"

Source = str | Path
Vectors = NDArray[np.float32]


class VectorExample(NamedTuple):
    """Vectors (time, width), their label if any, and their row in the file, from 1."""

    vectors: Vectors
    label: str | None
    row: int


def is_vector_file(path: Source) -> bool:
    """Return whether this is a NumPy file."""
    return str(path).endswith((".npz", ".npy"))


def read_task_file(
    path: Source, config: Config, *, asked: Columns, hints: Columns | None = None, faults: BadRows = STRICT
) -> tuple[list[Example], Columns]:
    """Read labelled vectors, and return the columns they were read from, if any."""
    hints = hints or Columns()
    column, label = (a or h for a, h in zip(asked, hints, strict=True))
    examples: list[Example] = []
    for example in read_vectors(path, column=column, label=label, faults=faults):
        try:
            _check_not_empty(path, example)
            examples.append(Example(example.vectors, _answer(path, example, config), example.row))
        except DataError as error:
            faults.take(error)
    return examples, Columns(column, label)


def read_sources(
    path: Source, config: Config, *, asked: Columns, faults: BadRows = STRICT
) -> Iterator[tuple[Row, Vectors]]:
    """Yield vectors without labels, each with the number of its example."""
    column = asked.text or (None if is_vector_file(path) else config.data.text)
    for example in read_vectors(path, column=column, faults=faults):
        try:
            _check_not_empty(path, example)
        except DataError as error:
            faults.take(error)
        else:
            yield Row({"example": example.row}, example.row), example.vectors


def _check_not_empty(path: Source, example: VectorExample) -> None:
    if not len(example.vectors):
        raise DataError(path, f"example {example.row} has no vectors, expected one or more")


def _answer(path: Source, example: VectorExample, config: Config) -> str:
    if not example.label:
        raise DataError(path, f"example {example.row} has no label. {HOW_TO_LABEL}")
    if config.task == "regress" and number(example.label) is None:
        raise DataError(path, f"the label of example {example.row} is {example.label!r:.40}, expected a number")
    return example.label


def read_vectors(
    path: Source, *, column: str | None = None, label: str | None = None, faults: BadRows = STRICT
) -> Iterator[VectorExample]:
    """Yield the examples of a file, checked to be finite and of the same width."""
    width: int | None = None
    for vectors, answer, row in _read(path, column, label, faults):
        width = width or int(vectors.shape[1])
        try:
            _check(path, vectors, width, row)
        except DataError as error:
            faults.take(error)
        else:
            yield VectorExample(vectors, answer, row)
    if width is None:
        raise DataError(path, "no examples in this file")


def _check(path: Source, vectors: Vectors, width: int, row: int) -> None:
    if vectors.shape[1] != width:
        raise DataError(
            path, f"example {row}: the vectors have width {vectors.shape[1]}, expected {width} as in the first"
        )
    if not (good := np.isfinite(vectors).all(axis=1)).all():
        raise DataError(path, f"example {row}: vector {int(good.argmin()) + 1} has a number that is not finite")


def _read(
    path: Source, column: str | None, label: str | None, faults: BadRows
) -> Iterator[tuple[Vectors, str | None, int]]:
    if str(path).endswith(".npz"):
        arrays = read_npz(path, ("x", "lengths", "y"))
        examples = _split_examples(path, arrays)
        return _labelled(path, examples, _labels(path, arrays.get("y"), len(examples)))
    if str(path).endswith(".npy"):
        examples = _slices(path, read_npy(path), "the array")
        return _labelled(path, examples, _labels_beside(path, len(examples), label))
    return _rows(path, column, label, faults)


def _labelled(
    path: Source, examples: Sequence[NDArray[Any]], labels: Sequence[str] | None
) -> Iterator[tuple[Vectors, str | None, int]]:
    for i, example in enumerate(examples):
        yield _floats(path, example, i + 1), labels[i] if labels is not None else None, i + 1


def _split_examples(path: Source, arrays: Mapping[str, NDArray[Any]]) -> list[NDArray[Any]]:
    if "x" not in arrays:
        raise DataError(path, "no array 'x'. Write it with: np.savez(FILE, x=vectors, y=labels)")
    x = arrays["x"]
    if "lengths" not in arrays:
        return _slices(path, x, "x")
    lengths = arrays["lengths"]
    if lengths.ndim != 1 or lengths.dtype.kind not in "iu" or (lengths < 0).any():
        raise DataError(path, "lengths must be non-negative integers (example,)")
    if x.ndim == 3:
        return _truncated(path, x, lengths)
    if x.ndim != 2:
        raise DataError(path, f"x has the shape {x.shape}, expected (all vectors, width) because lengths are given")
    ends = np.cumsum(lengths.astype(np.int64))
    total = int(ends[-1]) if len(ends) else 0
    if total != len(x):
        raise DataError(path, f"the lengths add up to {total:,}, but x has {len(x):,} vectors")
    return [x[end - n : end] for n, end in zip(lengths.astype(np.int64), ends, strict=True)]


def _truncated(path: Source, x: NDArray[Any], lengths: NDArray[Any]) -> list[NDArray[Any]]:
    if len(lengths) != len(x):
        raise DataError(path, f"there are {len(lengths)} lengths, but x has {len(x)} examples")
    if (lengths > x.shape[1]).any():
        first = int((lengths > x.shape[1]).argmax())
        raise DataError(path, f"lengths[{first}] is {lengths[first]}, but x has room for {x.shape[1]} vectors")
    return [vectors[:n] for vectors, n in zip(x, lengths, strict=True)]


def _slices(path: Source, x: NDArray[Any], name: str) -> list[NDArray[Any]]:
    if x.ndim == 2:
        return [row[None] for row in x]  # one vector per example
    if x.ndim != 3:
        raise DataError(path, f"{name} has the shape {x.shape}, expected (example, time, width) or (example, width)")
    return list(x)


def _labels(path: Source, y: NDArray[Any] | None, n: int) -> list[str] | None:
    if y is None:
        return None
    if y.shape != (n,):
        raise DataError(path, f"y has the shape {y.shape}, expected ({n},): one label per example")
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise DataError(path, f"y[{int((~np.isfinite(y)).argmax())}] is not finite")
    return [str(label) for label in y.tolist()]


def _labels_beside(path: Source, n: int, asked: str | None) -> list[str] | None:
    beside = next((file for end in BESIDE if (file := Path(path).with_suffix(end)).is_file()), None)
    if beside is None:
        return None
    rows = list(read_rows(beside))
    if len(rows) != n:
        raise DataError(beside, f"found {len(rows)} rows, expected {n}: one per example in {path}")
    name = label_column(beside, list(rows[0].values), asked) if len(rows[0].values) > 1 else next(iter(rows[0].values))
    return [str(row.values[name]).strip() for row in rows]


def _rows(
    path: Source, column: str | None, label: str | None, faults: BadRows
) -> Iterator[tuple[Vectors, str | None, int]]:
    names: tuple[str, str | None] | None = None
    for i, row in enumerate(read_rows(path, faults=faults)):
        if names is None:
            names = _columns(path, row.values, column, label)
        answer = row.values.get(names[1]) if names[1] else None
        try:
            vectors = _listed(path, row.values.get(names[0]), names[0], row.line)
        except DataError as error:
            faults.take(error)
        else:
            yield vectors, None if answer is None else str(answer).strip(), i + 1


def _columns(path: Source, values: Mapping[str, Any], asked: str | None, label: str | None) -> tuple[str, str | None]:
    lists = [name for name, value in values.items() if isinstance(value, list)]
    name = asked or input_column(lists, "vectors") or (lists[0] if len(lists) == 1 else None)
    if name is None or name not in values:
        raise DataError(
            path, f"no column of vectors. The columns are {listed(values)}. Name it vectors, or set data.text"
        )
    rest = [other for other in values if other not in lists and other != name]
    return name, label or (label_column(path, rest, None) if len(rest) > 1 else rest[0] if rest else None)


def _listed(path: Source, value: Any, name: str, line: int) -> Vectors:
    """Return a list of lists as an array; a list of numbers is one vector."""
    try:
        vectors = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(path, f"{name} is not a list of vectors of the same width", line=line) from None
    vectors = vectors[None] if vectors.ndim == 1 and len(vectors) else vectors
    if vectors.ndim != 2 or not vectors.shape[1]:
        raise DataError(path, f"{name} has the shape {vectors.shape}, expected (time, width)", line=line)
    return _narrowed(vectors)


def _floats(path: Source, vectors: NDArray[Any], row: int) -> Vectors:
    if vectors.dtype.kind not in "fiub":
        raise DataError(path, f"example {row} has the type {vectors.dtype}, expected numbers")
    return _narrowed(vectors)


def _narrowed(values: NDArray[Any]) -> Vectors:
    with np.errstate(over="ignore"):  # 1e50 becomes infinite and is rejected
        return np.asarray(values, dtype=np.float32)
