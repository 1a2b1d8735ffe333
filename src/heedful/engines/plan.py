"""The plan of a run: the range of the input in each part of the output. It is saved with the output."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow as pa

from heedful.engines.reading.paths import InputFile
from heedful.engines.reading.split_points import Cut
from heedful.errors import HeedfulError
from heedful.files.json_text import json_text

VERSION = 1


@dataclass(frozen=True)
class PlannedFile:
    """A file of the plan."""

    name: str
    place: str
    size: int
    changed: int | None
    sources: tuple[str, ...] = ()  # the input columns: one, or two for pairs
    columns: tuple[str, ...] = ()  # the header, if the file has one
    fault: str | None = None  # why the file, or the rest of it, is skipped


@dataclass(frozen=True)
class Part:
    """A unit of work for a worker."""

    name: str
    file: PlannedFile
    cut: Cut

    def to_json(self) -> str:
        """Return one line of JSON."""
        return json_text(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Part:
        """Read the output of `to_json`."""
        value = json.loads(text)
        return cls(value["name"], _file(value["file"]), Cut(**value["cut"]))


@dataclass(frozen=True)
class Plan:
    """All the work of a command."""

    settings: Mapping[str, Any]  # that the predictions depend on
    files: tuple[PlannedFile, ...]
    cuts: tuple[tuple[int, Cut], ...]  # with the index of the file
    schema: pa.Schema  # the output columns without those of the predictions

    @property
    def parts(self) -> list[Part]:
        """The parts by name."""
        return [Part(f"part-{i:06}", self.files[file], cut) for i, (file, cut) in enumerate(self.cuts)]

    def to_json(self) -> str:
        """Return the JSON that is saved with the output."""
        value = {
            "heedful_plan": VERSION,
            "settings": dict(self.settings),
            "files": [asdict(file) for file in self.files],
            "parts": [[file, cut.start, cut.stop, cut.row, cut.rows] for file, cut in self.cuts],
            "schema": base64.b64encode(self.schema.serialize().to_pybytes()).decode(),
        }
        return json_text(value)

    @classmethod
    def from_json(cls, text: str, place: str) -> Plan:
        """Read the output of `to_json`, or raise if it is something else."""
        try:
            value = json.loads(text)
            if value["heedful_plan"] != VERSION:
                raise HeedfulError(
                    f"{place} was written by another version of heedful. Choose another output folder, or set overwrite"
                )
            return cls(
                settings=value["settings"],
                files=tuple(_file(file) for file in value["files"]),
                cuts=tuple((file, Cut(*cut)) for file, *cut in value["parts"]),
                schema=pa.ipc.read_schema(pa.py_buffer(base64.b64decode(value["schema"]))),
            )
        except (KeyError, TypeError, ValueError, pa.ArrowException) as error:
            raise HeedfulError(f"{place} is not a readable plan ({error!r:.80}). Set overwrite to start over") from None

    def check_same(self, settings: Mapping[str, Any], files: Sequence[InputFile], out: str) -> None:
        """Raise if the settings or the input files differ from those of the plan."""
        changes = [*_other_settings(self.settings, settings), *_other_files(self.files, files)]
        if changes:
            more = f" (and {len(changes) - 3} more)" if len(changes) > 3 else ""
            raise HeedfulError(
                f"{out} was started with other settings or files: {'; '.join(changes[:3])}{more}. "
                "Choose another output folder, or set overwrite to start over"
            )


def _file(value: Mapping[str, Any]) -> PlannedFile:
    return PlannedFile(**{**value, "sources": tuple(value["sources"]), "columns": tuple(value["columns"])})


def _other_settings(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    return [f"{name} was {_displayed(old.get(name))}, is {_displayed(new.get(name))}" for name in names]


def _displayed(value: object) -> str:
    return "not given" if value is None else str(value)[:60]


def _other_files(old: Sequence[PlannedFile], new: Sequence[InputFile]) -> list[str]:
    before = {file.place: (file.size, file.changed) for file in old}
    now = {file.place: (file.size, file.changed) for file in new}
    names = {file.place: file.name for file in old} | {file.place: file.name for file in new}
    changes = [f"{names[place]} is gone" for place in before if place not in now]
    changes += [f"{names[place]} is new" for place in now if place not in before]
    return changes + [f"{names[place]} has changed" for place in now if place in before and before[place] != now[place]]
