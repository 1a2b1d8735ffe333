"""Unreadable rows: raise at the first one, or skip and count them and report at the end."""

from __future__ import annotations

from heedful.errors import DataError

MAX_REPORTED = 5


class BadRows:
    """Collects errors in rows: raises them, or counts them when bad rows are skipped."""

    def __init__(self, *, skip: bool = False) -> None:
        self.skip, self.n = skip, 0
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
