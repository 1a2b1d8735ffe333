"""What an audit has measured so far, on disk: a run that was stopped goes on where it was."""

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
    """One line for what the run is, then one for each text, by its place; null for a text that cannot be measured."""

    def __init__(self, folder: Path, identity: Mapping[str, Any]) -> None:
        self._file = folder / NAME
        self._identity = json.dumps(identity, sort_keys=True)
        self.known = self._read()
        lines = [self._identity, *(_line(place, figures) for place, figures in self.known.items())]
        self._write("".join(line + "\n" for line in lines), mode="w")  # again, without a line that was cut

    def add(self, place: int, figures: TextFigures | None) -> None:
        """Keep what was measured on a text."""
        self._write(_line(place, figures) + "\n", mode="a")

    def forget(self) -> None:
        """Keep nothing: the audit is done."""
        self._file.unlink(missing_ok=True)

    def _write(self, content: str, *, mode: str) -> None:
        try:
            with self._file.open(mode, encoding="utf-8") as file:
                file.write(content)
        except OSError as error:
            raise ModelFolderError(
                f"{self._file.parent} cannot be written to: {error.strerror}. An audit is kept in the model's folder; "
                "--no-keep only shows it"
            ) from None

    def _read(self) -> dict[int, TextFigures | None]:
        """Return what an earlier run of the same kind measured; a last line that was cut does not count."""
        found: dict[int, TextFigures | None] = {}
        with suppress(OSError, ValueError, TypeError):
            first, *rest = self._file.read_text(encoding="utf-8").splitlines()
            if first != self._identity:
                return {}
            for line in rest:
                place, tree = json.loads(line)
                found[int(place)] = TextFigures(**tree) if tree is not None else None
        return found


def _line(place: int, figures: TextFigures | None) -> str:
    return json.dumps([place, figures.to_dict() if figures else None])
