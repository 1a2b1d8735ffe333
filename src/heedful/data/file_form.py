"""The form of a file (separator, encoding, header, sheet) as asked for, and as it was read."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import dataclass, field

from heedful.errors import ConfigError, listed
from heedful.settings import DataSettings

SEPARATORS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}
NAMES = {"\t": "tab", " ": "space"}
MOST_SHOWN = 6  # columns in a summary


@dataclass(frozen=True)
class FileForm:
    """The form of a file as far as it is known. What is None is detected."""

    sep: str | None = None
    encoding: str | None = None
    header: bool | None = None  # whether the first row has the column names
    sheet: str | None = None
    columns: tuple[str, ...] = ()  # names that were asked for: a first row with one of them is a header


@dataclass
class FileFacts:
    """The form in which a file was read."""

    encoding: str | None = None
    samples: tuple[str, ...] = ()  # words with special characters, if the encoding was guessed
    sep: str | None = None
    has_header: bool = True
    sheet: str | None = None
    columns: Sequence[str] = ()
    rows: int = 0
    files: int = 1
    notes: list[str] = field(default_factory=list)

    def add(self, other: FileFacts) -> None:
        """Add the facts of another file that is read with this one."""
        self.files, self.rows = self.files + other.files, self.rows + other.rows
        self.samples = self.samples or other.samples
        self.encoding = _both(self.encoding, other.encoding)
        self.sep = self.sep if self.sep == other.sep else None

    @property
    def sentence(self) -> str:
        """The facts in one line."""
        parts = [
            f"{self.files:,} files" if self.files > 1 else "",
            f"{self.rows:,} {'row' if self.rows == 1 else 'rows'}",
        ]
        parts.append(f"sheet {self.sheet!r}" if self.sheet else "")
        parts.append(
            f"columns {listed(self.columns, most=MOST_SHOWN)}"
            if len(self.columns) > 1
            else f"column {self.columns[0]}"
            if self.columns
            else ""
        )
        parts.append("" if self.has_header else "no header")
        parts.append(f"separator {name_of_separator(self.sep)}" if self.sep else "")
        parts.append(self._encoding())
        return ", ".join([part for part in parts if part] + self.notes)

    def _encoding(self) -> str:
        if not self.samples:
            return f"encoding {self.encoding}" if self.encoding else ""
        return f"encoding {self.encoding} (guessed; reads {', '.join(self.samples)}; if that is wrong, set encoding)"


def form_of(settings: DataSettings, *, columns: Sequence[str | None] = ()) -> FileForm:
    """Return the form that settings ask for; `columns` are names of columns that a header has."""
    names = [settings.text, settings.label, *columns]
    parts = [part.strip() for name in names if name for part in (name, *name.split(","))]
    return FileForm(
        checked_separator(settings.sep),
        checked_encoding(settings.encoding),
        settings.header,
        settings.sheet,
        tuple(parts),
    )


def checked_separator(sep: str | None) -> str | None:
    """Return the separator as one character; it may be given by its name."""
    if sep is None:
        return None
    char = SEPARATORS.get(sep, sep)
    if len(char) != 1 or char in '"\r\n\0':
        raise ConfigError([f"data.sep is {sep!r:.20}, expected one character, or tab, comma, semicolon, pipe, space."])
    return char


def checked_encoding(encoding: str | None) -> str | None:
    """Return the encoding by its usual name; it must be one of text."""
    if encoding is None:
        return None
    try:
        info = codecs.lookup(encoding)
        if not info._is_text_encoding:
            raise LookupError
    except (LookupError, ValueError):
        raise ConfigError(
            [f"data.encoding is {encoding!r:.40}, expected an encoding such as utf-8, utf-16, cp1252 or latin-1."]
        ) from None
    return encoding.lower()


def name_of_separator(sep: str) -> str:
    """Return a separator for a message."""
    return NAMES.get(sep, repr(sep))


def _both(first: str | None, second: str | None) -> str | None:
    return first if first == second or second is None else f"{first} and {second}" if first else second
