"""The measurements of an unfinished audit, on disk, so that an interrupted run can resume."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from heedful.errors import ModelFolderError
from heedful.explain.audit.measure import TextFigures

NAME = ".audit.part.jsonl"


class AuditNotes:
    """A line that identifies the run, then one for each text by its position; null if a text cannot be measured."""

    def __init__(self, folder: Path, identity: Mapping[str, Any]) -> None:
        self._file = folder / NAME
        self._identity = json.dumps(identity, sort_keys=True)
        self.known = self._read()
        lines = [self._identity, *(_line(place, figures) for place, figures in self.known.items())]
        self._write("".join(line + "\n" for line in lines), mode="w")  # without a truncated last line

    def add(self, place: int, figures: TextFigures | None) -> None:
        """Append the measurements of a text."""
        self._write(_line(place, figures) + "\n", mode="a")

    def forget(self) -> None:
        """Remove the file: the audit is done."""
        self._file.unlink(missing_ok=True)

    def _write(self, content: str, *, mode: str) -> None:
        try:
            with self._file.open(mode, encoding="utf-8") as file:
                file.write(content)
        except OSError as error:
            raise ModelFolderError(
                f"{self._file.parent} cannot be written to: {error.strerror}. An audit is saved in the model's folder "
                "unless keep is false"
            ) from None

    def _read(self) -> dict[int, TextFigures | None]:
        """Return the measurements of an earlier run with the same identity; a truncated last line is ignored."""
        measured: dict[int, TextFigures | None] = {}
        with suppress(OSError, ValueError, TypeError):
            first, *rest = self._file.read_text(encoding="utf-8").splitlines()
            if first != self._identity:
                return {}
            for line in rest:
                place, tree = json.loads(line)
                measured[int(place)] = TextFigures(**tree) if tree is not None else None
        return measured


def _line(place: int, figures: TextFigures | None) -> str:
    return json.dumps([place, figures.to_dict() if figures else None])
