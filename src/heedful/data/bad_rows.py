"""Rows that cannot be read: the first ends the work, or all are left out, counted and told at the end."""

from __future__ import annotations

from heedful.errors import DataError

SHOWN = 5


class Faults:
    """Takes what is wrong with a row: raised, unless bad rows are to be left out."""

    def __init__(self, *, skip: bool = False) -> None:
        self.skip, self.n = skip, 0
        self.first: list[str] = []
        self.notes: list[str] = []

    def take(self, error: DataError) -> None:
        """Raise the fault, or count it and keep the first few for the report."""
        if not self.skip:
            raise error
        self.n += 1
        if len(self.first) < SHOWN:
            self.first.append(str(error))

    def note(self, remark: str) -> None:
        """Keep what is odd and yet no fault, for the report."""
        if self is not STRICT:  # which is everyone's
            self.notes.append(remark)

    @property
    def report(self) -> list[str]:
        """What is odd, what was left out, and why: a line for each of the first few."""
        if not self.n:
            return list(self.notes)
        more = [f"… and {self.n - len(self.first):,} more"] if self.n > len(self.first) else []
        rows = "row" if self.n == 1 else "rows"
        said = f"{self.n:,} {rows} could not be read and left out:"
        return [*self.notes, said, *(f"  {line}" for line in [*self.first, *more])]


STRICT = Faults()
