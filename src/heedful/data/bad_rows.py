"""Unreadable rows: raise at the first one, or skip and count them and report at the end."""

from __future__ import annotations

from heedful.data.file_form import FileFacts, FileForm
from heedful.errors import DataError

MAX_REPORTED = 5


class BadRows:
    """How a file is read: its form, if it is known, and whether bad rows raise or are counted and skipped.

    It collects the errors, remarks, and the form in which each file was read.
    """

    def __init__(self, *, skip: bool = False, form: FileForm | None = None) -> None:
        self.skip, self.n = skip, 0
        self.form = form or FileForm()
        self.summaries: dict[str, str] = {}  # by the path of a file that was read to its end
        self.first: list[str] = []
        self.notes: list[str] = []

    def take(self, error: DataError) -> None:
        """Raise the error, or count it and keep the first few for the report."""
        if not self.skip:
            raise error
        self.n += 1
        if len(self.first) < MAX_REPORTED:
            self.first.append(str(error))

    def note(self, remark: str) -> None:
        """Add a remark that is not an error to the report."""
        if self is not STRICT:  # shared by all callers
            self.notes.append(remark)

    def summarise(self, path: str, facts: FileFacts) -> None:
        """Keep the form in which a file was read."""
        if self is not STRICT:
            self.summaries[path] = f"{path}: {facts.sentence}"

    def add_columns(self, path: str, text: str, label: str) -> None:
        """Add the columns that were used to the summary of a file."""
        key = "standard input" if path == "-" else path
        if key in self.summaries:
            self.summaries[key] += f"; text {text:.60}, label {label:.60}"

    @property
    def report(self) -> list[str]:
        """The remarks, the number of rows left out and the first few errors, one line each."""
        if not self.n:
            return list(self.notes)
        more = [f"… and {self.n - len(self.first):,} more"] if self.n > len(self.first) else []
        rows = "row" if self.n == 1 else "rows"
        heading = f"{self.n:,} {rows} could not be read and left out:"
        return [*self.notes, heading, *(f"  {line}" for line in [*self.first, *more])]


STRICT = BadRows()
