"""Folders of `datasets.save_to_disk` (Hugging Face): Arrow files beside state.json and dataset_info.json."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.columns import unique_names
from heedful.data.example import Row
from heedful.data.file_form import FileFacts
from heedful.data.files.parquet import SLICE
from heedful.errors import DataError, listed, need

STATE, INFO, SPLITS = "state.json", "dataset_info.json", "dataset_dict.json"
MAX_BYTES = 16 * 2**20  # of one of the JSON files


def is_arrow_folder(path: Path) -> bool:
    """Return whether a folder was written by `save_to_disk`."""
    return (path / STATE).is_file() or (path / SPLITS).is_file()


def read_arrow_folder(path: str | Path, _: BadRows = STRICT, facts: FileFacts | None = None) -> Iterator[Row]:
    """Yield the rows of a dataset, numbered from 1. Numbers of a ClassLabel become their names."""
    folder = Path(path)
    if not (folder / STATE).is_file():
        splits = _json(folder / SPLITS).get("splits")
        names = [str(name) for name in splits] if isinstance(splits, list) and splits else ["train"]
        raise DataError(
            path, f"a dataset with the splits {listed(names)}: name one of them, such as {folder / names[0]}"
        )
    state = _json(folder / STATE)
    if state.get("_indices_data_files") or state.get("_indices_files"):
        raise DataError(path, "the dataset has an index of its rows. Call flatten_indices() before save_to_disk")
    labels = _label_names(_json(folder / INFO) if (folder / INFO).is_file() else {})
    number = 0
    for name in _file_names(folder, state):
        for values in _values(folder / name):
            number += 1
            yield Row({key: _named(labels.get(key), value) for key, value in values.items()}, number)
    if facts is not None and labels:
        facts.notes.append(f"names for the numbers in {listed(labels)}")


def _json(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise DataError(path, f"larger than {MAX_BYTES // 2**20} MiB")
        value = json.loads(raw)
    except OSError as error:
        raise DataError(path, f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise DataError(path, f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise DataError(path, f"found {type(value).__name__}, expected an object")
    return value


def _file_names(folder: Path, state: Mapping[str, Any]) -> list[str]:
    """Return the names of the Arrow files; each must be in the folder itself."""
    files = state.get("_data_files")
    names = (
        [file.get("filename") if isinstance(file, dict) else None for file in files] if isinstance(files, list) else []
    )
    for name in names:
        if not isinstance(name, str) or Path(name).name != name or name in ("", ".", ".."):
            raise DataError(folder / STATE, f"_data_files has {name!r:.60}, expected the name of a file in this folder")
        if (folder / name).is_symlink() and (folder / name).resolve().parent != folder.resolve():
            raise DataError(folder / name, "a link that leads out of the folder")
    return [str(name) for name in names]


def _label_names(info: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the names of the labels of each column that is a ClassLabel."""
    features = info.get("features")
    names: dict[str, list[str]] = {}
    for column, feature in features.items() if isinstance(features, dict) else ():
        if (
            isinstance(feature, dict)
            and feature.get("_type") == "ClassLabel"
            and isinstance(feature.get("names"), list)
        ):
            names[column] = [str(name) for name in feature["names"]]
    return names


def _named(names: list[str] | None, value: Any) -> Any:
    if names is None or type(value) is not int:
        return value
    return names[value] if 0 <= value < len(names) else None  # -1 is a label that is not known


def _values(path: Path) -> Iterator[dict[str, Any]]:
    pyarrow = need("pyarrow", feature="Reading a dataset folder", extra="parquet")
    ipc = need("pyarrow.ipc", feature="Reading a dataset folder", extra="parquet")
    if not path.is_file():
        raise DataError(path, "no such file, though state.json names it")
    try:
        with pyarrow.memory_map(str(path)) as source, ipc.open_stream(source) as reader:
            names = unique_names(reader.schema.names)
            for batch in reader:
                batch.validate(full=True)  # the offsets of an untrusted file may point anywhere
                for start in range(0, batch.num_rows, SLICE):
                    yield from batch.slice(start, SLICE).rename_columns(names).to_pylist()
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise DataError(path, f"not an Arrow file, or damaged: {str(error).splitlines()[0][:200]}") from None
