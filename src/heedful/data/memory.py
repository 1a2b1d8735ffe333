"""Data in memory as a table: lists, DataFrames, Arrow tables and datasets of Hugging Face."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from heedful.data.columns import unique_names
from heedful.data.table import Table
from heedful.errors import InputError

TEXT, LABEL = "text", "label"  # columns of data without names
EXPECTED = (
    "expected the path of a file, (texts, labels), a list of dicts, a pandas or polars DataFrame, a pyarrow Table or a "
    "Hugging Face Dataset"
)


def as_source(data: Any) -> str | Path | Table:
    """Return a path as it is, and data in memory as a table. Raise if it is neither."""
    if isinstance(data, str | Path | Table):
        return data
    if (table := as_table(data)) is not None:
        return table
    raise InputError(f"data is a {type(data).__name__}; {EXPECTED}")


def as_table(data: Any) -> Table | None:
    """Return data in memory as a table; None if it is nothing with columns."""
    if isinstance(data, Table):
        return data
    if isinstance(data, Mapping) and library_of(data) == "datasets":
        raise InputError(
            f"data has several splits ({', '.join(map(str, data))}): pass one of them, such as data['train']"
        )
    if (kind := library_of(data)) in FRAMES:
        name, rows = FRAMES[kind]
        return Table(name, lambda: rows(data)) if _is_frame(data) else None
    if isinstance(data, tuple) and len(data) == 2 and not any(isinstance(side, str) for side in data):
        return _two_columns(*data)
    if isinstance(data, Sequence) and data and isinstance(data[0], Mapping):
        return Table("the list of dicts", lambda: data)
    if isinstance(data, Mapping) and data and all(_is_column(values) for values in data.values()):
        return Table("the dict of columns", lambda: _rows_of_columns(data))
    return None


def library_of(data: Any) -> str:
    """Return the top-level package of an object's class."""
    return type(data).__module__.partition(".")[0]


def _is_frame(data: Any) -> bool:
    """Return whether an object of such a library has columns, as a Series has not."""
    return hasattr(type(data), "column_names") or hasattr(type(data), "columns")


def _two_columns(texts: Any, labels: Any) -> Table:
    """Return texts and their labels as a table. A matrix of 0 and 1 has a column for each label."""
    texts, labels = as_list(texts), as_list(labels)
    if len(texts) != len(labels):
        raise InputError(f"data has {len(texts):,} texts and {len(labels):,} labels, expected one label for each text")
    if labels and isinstance(labels[0], list | tuple):
        names = [str(i + 1) for i in range(len(labels[0]))]
        rows = ({TEXT: text, **dict(zip(names, row, strict=True))} for text, row in zip(texts, labels, strict=True))
        columns = list(rows)
        return Table("the data", lambda: columns, text=TEXT, label=",".join(names))
    pairs = zip(texts, labels, strict=True)
    listed = [{TEXT: text, LABEL: label} for text, label in pairs]
    return Table("the data", lambda: listed, text=TEXT, label=LABEL)


def as_list(values: Any) -> list[Any]:
    """Return the values of a list, an array or a column of a DataFrame."""
    if isinstance(values, list):
        return values
    for method in ("tolist", "to_list", "to_pylist"):
        if hasattr(values, method):
            return list(getattr(values, method)())
    return list(values)


def _is_column(values: Any) -> bool:
    return not isinstance(values, str) and isinstance(values, Iterable)


def _rows_of_columns(columns: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    lists = {str(name): as_list(values) for name, values in columns.items()}
    sizes = {len(values) for values in lists.values()}
    if len(sizes) > 1:
        raise InputError(f"the columns have {min(sizes):,} to {max(sizes):,} values, expected the same number in each")
    for values in zip(*lists.values(), strict=True):
        yield dict(zip(lists, values, strict=True))


def _pandas_rows(frame: Any) -> Iterator[Mapping[str, Any]]:
    names = unique_names([str(name) for name in frame.columns])
    columns = [frame.iloc[:, i] for i in range(len(names))]
    for values in zip(*columns, strict=True):
        yield {name: None if _is_missing(value) else value for name, value in zip(names, values, strict=True)}


def _is_missing(value: Any) -> bool:
    """Return whether a cell is NaN, NaT or pandas' NA: none of them equals itself."""
    if isinstance(value, str):
        return False
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # NA has no truth value; an array has several
        return type(value).__name__ == "NAType"


def _polars_rows(frame: Any) -> Iterator[Mapping[str, Any]]:
    frame = frame.collect() if hasattr(frame, "collect") else frame
    yield from frame.iter_rows(named=True)


def _arrow_rows(table: Any) -> Iterator[Mapping[str, Any]]:
    for batch in table.to_batches():
        yield from batch.to_pylist()


def _dataset_rows(dataset: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of a Hugging Face dataset, with the names of its class labels in place of their numbers."""
    names = {
        name: feature.names
        for name, feature in (getattr(dataset, "features", None) or {}).items()
        if getattr(feature, "names", None)
    }
    for row in dataset:
        named = {
            name: known[row[name]] for name, known in names.items() if isinstance(row[name], int) and row[name] >= 0
        }
        yield {**row, **named}


FRAMES: dict[str, tuple[str, Callable[[Any], Iterator[Mapping[str, Any]]]]] = {
    "pandas": ("the DataFrame", _pandas_rows),
    "polars": ("the DataFrame", _polars_rows),
    "pyarrow": ("the Arrow table", _arrow_rows),
    "datasets": ("the dataset", _dataset_rows),
}
