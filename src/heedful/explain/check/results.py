"""What a check of labelled data found, as plain values."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from heedful.explain.check.label_shortcuts import WordShortcut
from heedful.explain.check.learning_curve import LearningCurve
from heedful.explain.shown import Forms, Shown


@dataclass(frozen=True)
class CheckedRow:
    """A row, by its number from 1 and the line it starts on."""

    row: int
    line: int
    text: str  # the start of a long one
    label: str | None
    file: str | None = None  # if the data are several files
    is_test: bool = False  # whether it is a row of the test file


@dataclass(frozen=True)
class WordPull:
    """A word of a text, and what it adds to the score of the suggested label minus that of the given one."""

    text: str
    start: int
    end: int
    value: float


@dataclass(frozen=True)
class Suspect:
    """A row whose label is probably wrong."""

    row: CheckedRow
    suggested: str
    probability: float  # of the suggested label
    given_probability: float
    words: tuple[WordPull, ...] = ()  # for the worst rows: all words of the text that is shown
    bias: float = 0.0  # score of the suggested label minus that of the given one, without any word
    margin: float = 0.0  # with all words: bias + Σ over the words of the whole text

    def top(self, n: int = 3) -> list[str]:
        """Return the words that speak most for the suggested label."""
        values: dict[str, float] = {}
        for word in self.words:
            values[word.text] = values.get(word.text, 0.0) + word.value
        best = sorted(values.items(), key=lambda item: -item[1])
        return [text for text, value in best[:n] if value > 0 and any(map(str.isalnum, text))]


@dataclass(frozen=True)
class LabelFacts:
    """A label: its rows, and how often the check agrees with it."""

    label: str
    n: int
    n_checked: int = 0  # rows that were judged
    n_suspects: int = 0
    agreement: float | None = None  # share of the judged rows for which it is also the most probable label
    is_rare: bool = False


@dataclass(frozen=True)
class Confusion:
    """Rows with one label that look like another, and the words that make them look so."""

    given: str
    suggested: str
    n: int
    share: float  # of the judged rows with the given label
    words: tuple[tuple[str, float], ...] = ()  # with their mean pull to the suggested label, strongest first
    rows: tuple[CheckedRow, ...] = ()


@dataclass(frozen=True)
class DuplicateGroup:
    """Rows with the same text, or nearly the same."""

    n: int
    rows: tuple[CheckedRow, ...]  # the first ones
    is_exact: bool
    similarity: float  # the largest between two rows: share of the characters in short windows that both have
    labels: tuple[tuple[str, int], ...]  # with the number of rows

    @property
    def has_conflict(self) -> bool:
        """Whether rows of the group have different labels."""
        return len(self.labels) > 1


@dataclass(frozen=True)
class Duplicates:
    """Rows that repeat another row of the same data."""

    n_exact: int  # rows that repeat an earlier one, except for case, punctuation and spaces
    n_near: int  # rows that are nearly the same as an earlier one
    n_conflicts: int  # groups with different labels
    groups: tuple[DuplicateGroup, ...]  # conflicts first, then the largest
    is_estimate: bool = False


@dataclass(frozen=True)
class Leaks:
    """Test rows whose text is also among the training rows."""

    file: str
    n_rows: int  # of the test file
    n_exact: int
    n_near: int
    groups: tuple[DuplicateGroup, ...]


@dataclass(frozen=True)
class FaultyRows:
    """Rows with a fault of one kind."""

    kind: str
    n: int
    rows: tuple[CheckedRow, ...]
    detail: str = ""


@dataclass(frozen=True)
class Leak:
    """A column that tells the label almost alone; an empty name is the order of the rows."""

    column: str
    accuracy: float
    base: float  # accuracy of always the most frequent label
    example: str


@dataclass(frozen=True)
class LabelCheck:
    """How the labels were judged, and which are probably wrong."""

    judge: str  # the model that judged, in words
    n_checked: int
    is_sample: bool
    accuracy: float  # agreement of the judge with the labels
    n_suspects: int
    expected: float  # estimated number of wrong labels among the judged rows
    suspects: tuple[Suspect, ...]  # worst first
    confusions: tuple[Confusion, ...]


@dataclass(frozen=True, repr=False)
class Check(Shown):
    """What is wrong in labelled data: rows, labels, duplicates, leaks and shortcuts.

    Attributes:
        file: name of the data.
        n_rows: rows that were read.
        text_column: name of the text column.
        label_column: name of the label column; None if there is none.
        labels: each label with its number of rows, the most frequent first.
        label_check: rows whose label is probably wrong; None if labels were not judged.
        duplicates: rows that repeat others; None if the check was stopped before.
        leaks: test rows that are also training rows; None without a test file.
        shortcuts: words that tell a label almost alone.
        faulty_rows: rows that are empty, cut off, mis-encoded, in another language, or of extreme length.
        leaking_columns: columns that tell the label almost alone.
        curve: what more data would bring; None if it was not measured.
        notes: what was left out or done on a sample, and why.
        is_stopped: whether it was stopped before the end.

    Example:
        >>> import heedful
        >>> check = heedful.check((texts, labels), labels=False)
        >>> check.n_rows, check.duplicates.n_exact
        (40, 0)
    """

    FORMS = Forms(
        page="heedful.show.check.page:check_page",
        fragment="heedful.show.check.page:check_fragment",
        plain="heedful.show.check.terminal:plain_check",
    )

    file: str
    n_rows: int
    text_column: str
    label_column: str | None
    labels: tuple[LabelFacts, ...]
    label_check: LabelCheck | None = None
    duplicates: Duplicates | None = None
    leaks: Leaks | None = None
    shortcuts: tuple[WordShortcut, ...] = ()
    faulty_rows: tuple[FaultyRows, ...] = ()
    leaking_columns: tuple[Leak, ...] = ()
    curve: LearningCurve | None = None
    notes: tuple[str, ...] = ()
    is_stopped: bool = False

    @property
    def suspects(self) -> tuple[Suspect, ...]:
        """Rows whose label may be wrong, worst first.

        Example:
            >>> import heedful
            >>> heedful.check((texts, labels), labels=False).suspects
            ()
        """
        return self.label_check.suspects if self.label_check else ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON.

        Returns:
            All fields.

        Example:
            >>> import heedful
            >>> heedful.check((texts, labels), labels=False).to_dict()["n_rows"]
            40
        """
        return {"format": 1, **{name: _plain(value) for name, value in vars(self).items()}}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return asdict(value) if hasattr(value, "__dataclass_fields__") else value
