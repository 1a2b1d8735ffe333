"""What is drawn of the words of each label, as plain values: numbers, shades and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from heedful.explain.words.label_words import LabelWord, LabelWords, Shortcut, WordExample, WordsOfLabel
from heedful.show.kit.svg.shades import FAINT, signed
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.sanitise import one_line
from heedful.show.kit.text.truncate import shortened

LEAST = 0.25  # of a score: a contribution below this is not drawn as a strong one, though it may be the largest
NAME = 40  # characters of a word, a phrase or a label
ACCOUNT = (
    "The score of a label is the bias plus the contributions of all words, exactly. Each number is the mean "
    "contribution over the texts with this word or phrase, with its 95 % interval. A phrase is counted where its words "
    "pull the same way. Listed first is what is both strong and frequent."
)
SHORTCUTS = (
    "A word that decides a label almost alone may be right, or an accident of the training data. Look at the texts, or "
    "try the model on texts of this label without the word."
)
NONE = "No word stands out."


@dataclass(frozen=True)
class ExamplePart:
    """Text of an example; `number` is the contribution of a word, and `is_form` marks the word or phrase itself."""

    text: str
    shade: float = 0.0
    number: str = ""
    is_form: bool = False


@dataclass(frozen=True)
class WordRow:
    """A word or phrase with its numbers as they are shown."""

    form: str
    shade: float  # from -1 to 1
    mean: str
    interval: str
    count: str
    about: str
    examples: tuple[tuple[ExamplePart, ...], ...]


@dataclass(frozen=True)
class LabelView:
    """Everything to see of one label."""

    label: str
    heading: str  # beside the label
    sides: tuple[tuple[str, tuple[WordRow, ...]], ...]  # for and against, each with its title
    shortcuts: tuple[str, ...]


@dataclass(frozen=True)
class WordsView:
    """Everything to see of the words of each label."""

    title: str
    where: str
    labels: tuple[LabelView, ...]
    notes: tuple[str, ...]
    account: str = ACCOUNT
    shortcuts_account: str = ""


def view(words: LabelWords) -> WordsView:
    """Return what is to see of the words of each label."""
    tree = vars(words)
    return WordsView(
        title=f"{_title(tree)} of {one_line(words.model)}",
        where=_where(tree),
        labels=tuple(label_view(part, words.shortcuts, is_number=words.is_number) for part in words.labels),
        notes=tuple(_notes(tree)),
        shortcuts_account=SHORTCUTS if words.shortcuts else "",
    )


def _title(tree: Mapping[str, Any]) -> str:
    return f"What drives {'the number' if tree['is_number'] else 'each label'}"


def _where(tree: Mapping[str, Any]) -> str:
    source = f" of {one_line(tree['file'])}" if tree["file"] else ""
    return f"Read in {_counted(tree['n_texts'], 'text')}{source}, {_counted(tree['n_words'], 'word')}."


def _notes(tree: Mapping[str, Any]) -> list[str]:
    n_shown, n_labels = len(tree["labels"]), tree["n_labels"]
    notes = [f"Listed are words and phrases that occur in {_counted(tree['min_count'], 'text')} or more."]
    if 1 < n_shown < n_labels:
        notes.append(f"Of {n_labels:,} labels, the {n_shown:,} most frequent predictions are shown.")
    if tree["n_forgotten"]:
        notes.append(f"{tree['n_forgotten']:,} rare words and phrases were dropped to limit memory.")
    return notes


def label_view(part: WordsOfLabel, shortcuts: Sequence[Shortcut] = (), *, is_number: bool = False) -> LabelView:
    """Return what is to see of one label."""
    label, largest = shortened(part.label, NAME), largest_of(part)
    titles = (f"raises {label}", f"lowers {label}") if is_number else (f"for {label}", f"against {label}")
    bias = f"bias {number(part.bias, digits=2, plus=True)}"
    return LabelView(
        label=part.label,
        heading=bias if is_number else f"predicted for {_counted(part.n_texts, 'text')}, {bias}",
        sides=tuple(
            (title, tuple(word_row(word, part.label, largest) for word in side))
            for title, side in zip(titles, (part.supporting, part.opposing), strict=True)
        ),
        shortcuts=tuple(one_line(shortcut.sentence) for shortcut in shortcuts if shortcut.label == part.label),
    )


def largest_of(part: WordsOfLabel) -> float:
    """Return the contribution that is drawn darkest."""
    return max([LEAST, *(abs(word.mean) for word in (*part.supporting, *part.opposing))])


def word_row(word: LabelWord, label: str, largest: float) -> WordRow:
    """Return a word or phrase as it is shown."""
    mean = number(word.mean, digits=2, plus=True)
    interval = f"{number(word.low, digits=2, plus=True)} to {number(word.high, digits=2, plus=True)}"
    times = f"{_counted(word.count, 'time')} in {_counted(word.n_texts, 'text')}"
    return WordRow(
        form=word.form,
        shade=max(-1.0, min(1.0, word.mean / largest)),
        mean=mean,
        interval=interval,
        count=times,
        about=f"{shortened(word.form, NAME)}: {mean} ({interval}) to the score of {shortened(label, NAME)}, {times}",
        examples=tuple(example_parts(example) for example in word.examples),
    )


def example_parts(example: WordExample) -> tuple[ExamplePart, ...]:
    """Return an example in pieces: words with their contributions, and the text between them."""
    shades = signed(np.asarray(example.contributions), least=LEAST).tolist()
    parts = [] if example.is_start else [ExamplePart("… ")]
    at = 0
    for i, ((start, end), value) in enumerate(zip(example.spans, example.contributions, strict=True)):
        is_form = example.first <= i < example.end
        parts += [ExamplePart(example.text[at:start])] if start > at else []
        is_drawn = is_form or abs(shades[i]) >= FAINT
        text, shown = example.text[start:end], number(value, digits=2, plus=True) if is_drawn else ""
        parts.append(ExamplePart(text, shades[i] if is_drawn else 0.0, shown, is_form))
        at = end
    return tuple(parts if example.is_end else [*parts, ExamplePart(" …")])


def with_view(tree: Mapping[str, Any]) -> dict[str, Any]:
    """Return `LabelWords.to_dict()` with what a page draws of it: shades, numbers and sentences as texts."""
    return {
        **tree,
        "title": _title(tree),
        "where": _where(tree),
        "notes": _notes(tree),
        "account": ACCOUNT,
        "shortcuts_account": SHORTCUTS if tree["shortcuts"] else "",
        "labels": [_label_with_view(part, is_number=tree["is_number"]) for part in tree["labels"]],
    }


def _label_with_view(part: Mapping[str, Any], *, is_number: bool) -> dict[str, Any]:
    sides = {side: [_word_of(word) for word in part[side]] for side in ("supporting", "opposing")}
    own = WordsOfLabel(part["label"], part["n_texts"], part["bias"], *(tuple(words) for words in sides.values()))
    drawn = label_view(own, is_number=is_number)
    rows = dict(zip(sides, drawn.sides, strict=True))
    return {
        **part,
        "heading": drawn.heading,
        "titles": {side: title for side, (title, _) in rows.items()},
        **{
            side: [
                {**word, "shade": round(row.shade, 3), "number": row.mean, "interval": row.interval, "about": row.about}
                for word, row in zip(part[side], rows[side][1], strict=True)
            ]
            for side in sides
        },
    }


def _word_of(word: Mapping[str, Any]) -> LabelWord:
    return LabelWord(**{name: value for name, value in word.items() if name != "examples"})


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
