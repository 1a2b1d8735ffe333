"""The words of a check: what was found, what it means, what to do."""

from __future__ import annotations

from collections.abc import Mapping

from heedful.explain.check.results import Check, FaultyRows, Leak, Leaks
from heedful.show.kit.text.numbers import percent
from heedful.show.kit.text.truncate import shortened

NAME = 40  # characters of a label or a column

FAULTS: Mapping[str, tuple[str, str]] = {  # kind: title, what to do
    "unlabelled": ("Without a label", "They are skipped or refused in training. Label them, or take them out."),
    "empty": ("Empty", "There is nothing to learn from. Take them out."),
    "no words": (
        "Without letters or digits",
        "Punctuation or emoji alone. Keep them only if such texts must be answered.",
    ),
    "misread": (
        "Mis-encoded",
        "UTF-8 that was read as another encoding, such as Ã© for é, or lost characters (�). Export the data again as "
        "UTF-8.",
    ),
    "markup": ("With leftovers of HTML", "Tags or entities such as &amp;quot; are read as words. Take them out."),
    "language": (
        "In another language",
        "A guess by script and frequent words. Few rows in a language cannot teach it.",
    ),
    "cut": (
        "Cut off",
        "Many texts end at exactly the same length, so something has truncated them. Export the whole texts.",
    ),
    "short": ("Very short", "Far shorter than the others. Are they complete?"),
    "long": ("Very long", "Far longer than the others. Are they several texts in one, or a broken quote in the file?"),
}


def counted(n: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def about(check: Check) -> str:
    """Return what was read."""
    label = (
        ""
        if check.label_column is None
        else f", {counted(len(check.labels), 'label')} in column {short(check.label_column)}"
    )
    text = f"text in column {short(check.text_column)}"
    return f"{counted(check.n_rows, 'row')}, {text}{label}."


def short(name: str) -> str:
    """Return a name on one line, not too long."""
    return shortened(name, NAME)


def labels_sentence(check: Check) -> str:
    """Return how many labels are probably wrong."""
    found = check.label_check
    if found is None:
        return ""
    rows = f"{counted(found.n_checked, 'row')}{' of a sample' if found.is_sample else ''}"
    if not found.n_suspects:
        return f"No label stands out as wrong in {rows}."
    return f"{found.n_suspects:,} of {rows} may have a wrong label."


def labels_account(check: Check) -> str:
    """Return how labels were judged."""
    found = check.label_check
    if found is None:
        return ""
    return (
        f"Judged by {found.judge}; it agrees with {percent(found.accuracy)} of the labels. A row is listed if another "
        "label is as likely for it as for rows that have that label (confident learning). Look at each row before you "
        "change it: hard and unusual texts are listed, too. Blue words speak for the suggested "
        "label, orange ones for the given label; the darker, the more. With the bias they sum exactly to the "
        "difference of the two scores."
    )


def duplicates_sentence(check: Check) -> str:
    """Return how many rows repeat others."""
    found = check.duplicates
    assert found is not None
    if not found.n_exact and not found.n_near:
        return "No row repeats another one."
    verb = "repeats" if found.n_exact == 1 else "repeat"
    sentence = f"{counted(found.n_exact, 'row')} {verb} another text exactly, {found.n_near:,} nearly"
    if not found.n_exact:
        sentence = (
            f"{counted(found.n_near, 'row')} {'is' if found.n_near == 1 else 'are'} nearly the same as another one"
        )
    if not found.n_conflicts:
        return f"{sentence}."
    return f"{sentence}; {counted(found.n_conflicts, 'group')} of them with different labels."


DUPLICATES = (
    "Exact: alike except for case, punctuation and spaces. Nearly: at least 70 % of all windows of four characters "
    "are in both texts. Repeated rows count several times in training, and make metrics too good if their copies are "
    "in the test data. Of a group with different labels at least one label is wrong, or the text alone does not "
    "decide it."
)
LEAKS = (
    "A model can know these test rows by heart, so metrics on them are too good. Take them out of the training data, "
    "or out of the test data."
)
SHORTCUTS = (
    "A model may learn such a word instead of the meaning. That may be right, or an accident of how the data were "
    "collected: try the model on texts of this label without the word."
)
CONFUSIONS = (
    "Rows with the first label that look like the second. If they are many, the two labels may overlap: write down "
    "where the line between them is, or merge them. The words are those that make these rows look like the second "
    "label."
)
COLUMNS = (
    "If such a column is not known when the model is used, do not give it to the model, and ask how the labels came "
    "about."
)
CURVE = (
    "Each dot: accuracy on rows that were held out, after learning from a part of the data, by the model that judged "
    "the labels. The line behind it is its 95 % interval. Hollow dots are what a power law through the measurements "
    "expects of more rows of the same kind; their intervals are wide because the future is a guess. Wrong labels limit "
    "it, too."
)


def leaks_sentence(leaks: Leaks) -> str:
    """Return how many test rows are also training rows."""
    if not leaks.n_exact and not leaks.n_near:
        return f"None of the {counted(leaks.n_rows, 'row')} of {short(leaks.file)} is among these rows."
    return (
        f"Of {counted(leaks.n_rows, 'row')} of {short(leaks.file)}, {leaks.n_exact:,} are also here, and "
        f"{leaks.n_near:,} nearly."
    )


def column_sentence(leak: Leak) -> str:
    """Return what a column tells."""
    if not leak.column:
        return (
            f"The rows are sorted by label: {percent(leak.accuracy)} have the label of the row before. Shuffle them "
            "before you split the file by position."
        )
    return (
        f"Column {short(leak.column)} alone tells {percent(leak.accuracy)} of the labels; the most frequent label "
        f"alone would be right for {percent(leak.base)}. For example {shortened(leak.example, 100)}."
    )


def fault_sentence(fault: FaultyRows) -> str:
    """Return what a fault is."""
    title, _ = FAULTS[fault.kind]
    return f"{title}: {counted(fault.n, 'row')}{f' ({fault.detail})' if fault.detail else ''}."


def rare_sentence(check: Check) -> str:
    """Return which labels have too few rows."""
    rare = [label for label in check.labels if label.is_rare]
    names = ", ".join(f"{short(label.label)} ({label.n})" for label in rare[:6])
    more = f" and {len(rare) - 6:,} more" if len(rare) > 6 else ""
    verb = "has" if len(rare) == 1 else "have"
    return f"{counted(len(rare), 'label')} {verb} fewer than 10 rows, too few to learn: {names}{more}."


def curve_sentence(check: Check) -> str:
    """Return what more data would bring."""
    curve = check.curve
    assert curve is not None
    now = max(curve.points, key=lambda point: point.n)
    if not curve.ahead:
        measured = f"{percent(now.accuracy, digits=1)} after learning from {now.n:,} rows"
        return f"{measured}; there are too few rows to say what more would bring."
    first = curve.ahead[0]
    between = f"{percent(first.low, digits=1)} to {percent(first.high, digits=1)}"
    return (
        f"{percent(now.accuracy, digits=1)} after learning from {now.n:,} rows. With twice as many, about "
        f"{percent(first.accuracy, digits=1)} ({between})."
    )
