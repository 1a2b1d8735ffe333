"""What is drawn of an atlas of hops, as plain values: numbers, shades and sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heedful.explain.hops.atlas import ALIKE, SAID, Hop, HopAtlas, HopWord, Sighting
from heedful.show.kit.svg.shades import FAINT, darkest
from heedful.show.kit.text.numbers import NOTHING
from heedful.show.kit.text.sanitise import one_line
from heedful.show.kit.text.truncate import shortened

LEAST = 3.0  # a lift below this is not drawn as a strong one, though it may be the largest
STRONG = 0.75  # shade of the cells that the tab key stops at
NAME, COLUMN = 30, 18  # characters of a word or a label, and of a word over a column
MAP = (
    "Each row is a hop, each column a word that some hop reads strongly. The stronger the colour, the more of the "
    "hop's weight the word gets where it stands: ×1, its even share, is blank; equal steps of colour are equal factors."
)
ACCOUNT = (
    "×4 is a word that gets four times its even share of a hop's weight, mean over the times it was seen; rare words "
    "are drawn towards ×1. Weights say where a hop looks. They have no sign, and do not say what it does to the answer."
)
SHARES = ("on words", "on punctuation", "on unknown words", "on the first word", "on the last")


@dataclass(frozen=True)
class Chip:
    """A word that a hop reads, on a ground as strong as its lift."""

    word: str
    lift: str
    shade: float
    about: str
    is_known: bool


@dataclass(frozen=True)
class PlacePart:
    """Text of a place; `number` is the hop's weight where it is worth a ground, and `is_word` marks the word itself."""

    text: str
    shade: float = 0.0
    number: str = ""
    is_word: bool = False


@dataclass(frozen=True)
class LabelRow:
    """What a hop reads in the texts of one label."""

    label: str
    n_texts: int
    entropy: str
    chips: tuple[Chip, ...]


@dataclass(frozen=True)
class HopView:
    """Everything to see of one hop."""

    hop: Hop
    mark: str  # what is odd about it
    entropy: str
    chips: tuple[Chip, ...]
    labels: tuple[LabelRow, ...]


@dataclass(frozen=True)
class MapCell:
    """A cell of a map."""

    shade: float
    number: str
    title: str

    @property
    def is_reachable(self) -> bool:
        """Whether the tab key stops here."""
        return self.shade >= STRONG


@dataclass(frozen=True)
class HopMap:
    """Each hop against words, or against the other hops."""

    columns: tuple[str, ...]
    rows: tuple[tuple[MapCell, ...], ...]  # one for each hop
    last: tuple[str, tuple[str, ...]]  # a last column: its name and its values
    about: str


@dataclass(frozen=True)
class HopsView:
    """Everything to see of an atlas."""

    atlas: HopAtlas
    title: str
    where: str  # in which texts
    hops: tuple[HopView, ...]
    notes: tuple[str, ...]
    suggestion: tuple[str, str, str]  # before the command, the command, after it
    word_map: HopMap | None
    likeness_map: HopMap | None
    by_label: str  # what the texts are sorted by


def view(atlas: HopAtlas) -> HopsView:
    """Return what is to see of an atlas."""
    n, model = len(atlas.hops), one_line(atlas.model)
    largest = max((word.lift for hop in atlas.hops for word in hop.words), default=1.0)
    before, command, after = atlas.suggestion.partition(atlas.command)
    return HopsView(
        atlas=atlas,
        title=f"What the one hop of {model} reads" if n == 1 else f"What the {n} hops of {model} read",
        where=f" of {one_line(atlas.file)}" if atlas.file else "",
        hops=tuple(_hop(atlas, hop, largest) for hop in atlas.hops),
        notes=tuple(f"{note[0].upper()}{note[1:]}." for note in atlas.notes) if n > 1 else (),
        suggestion=(before, command, after),
        word_map=_word_map(atlas) if atlas.map_words else None,
        likeness_map=_likeness_map(atlas) if n > 1 else None,
        by_label="label" if atlas.labels_are == "true" else "the model's answer",
    )


def lift_shade(lift: float, largest: float) -> float:
    """Return from 0 (the even share, or less) to 1 (the largest lift), in equal steps for equal factors."""
    return min(1.0, max(0.0, math.log(max(lift, 1e-9)) / math.log(max(largest, LEAST))))


def mark_of(atlas: HopAtlas, hop: Hop) -> str:
    """Return what is odd about a hop."""
    if hop.is_dead:
        return SAID[hop.state]
    others = [n for group in atlas.duplicates if hop.number in group for n in group if n != hop.number]
    return f"reads the same as {', '.join(map(str, others))}" if others else ""


def entropy_of(value: float | None) -> str:
    """Return an entropy as it is shown."""
    return NOTHING if value is None else f"{value:.2f}"


def place_parts(place: Sighting) -> list[PlacePart]:
    """Return the words around, each on a ground as strong as the hop's weight on it, and the word itself marked."""
    largest = darkest(max(place.weights), place.n_words)
    parts = [PlacePart("" if place.is_start else "… ")]
    at = 0
    for i, ((start, end), weight) in enumerate(zip(place.spans, place.weights, strict=True)):
        text, shade = shortened(place.text[start:end], 2 * NAME), weight / largest
        is_seen = i == place.at or shade >= FAINT
        parts.append(PlacePart(place.text[at:start]))
        parts.append(PlacePart(text, shade, f"{weight:.3f}" if is_seen else "", i == place.at))
        at = end
    return [*parts, PlacePart("" if place.is_end else " …")]


def _hop(atlas: HopAtlas, hop: Hop, largest: float) -> HopView:
    labels = (
        LabelRow(row.label, row.n_texts, entropy_of(row.entropy), tuple(_chip(word, largest) for word in row.words))
        for row in hop.by_label
    )
    chips = tuple(_chip(word, largest) for word in hop.words)
    return HopView(hop, mark_of(atlas, hop), entropy_of(hop.entropy), chips, tuple(labels))


def _chip(word: HopWord, largest: float) -> Chip:
    unknown = "" if word.is_known else ", unknown to the model"
    about = f"seen {word.count:,} times, mean weight {word.weight:.3f}{unknown}"
    return Chip(word.word, f"×{word.lift:.1f}", lift_shade(word.lift, largest), about, word.is_known)


def _word_map(atlas: HopAtlas) -> HopMap:
    largest = float(atlas.map.max())
    words = tuple(shortened(word, COLUMN) for word in atlas.map_words)
    return HopMap(
        columns=words,
        rows=_cells(
            atlas,
            words,
            atlas.map,
            shade=lambda lift: lift_shade(lift, largest),
            number=lambda lift: f"×{lift:.1f}",
        ),
        last=("entropy", tuple(entropy_of(hop.entropy) for hop in atlas.hops)),
        about="how strongly each hop reads each word",
    )


def _likeness_map(atlas: HopAtlas) -> HopMap:
    """Return the cosine of each hop's weights with each other's."""
    return HopMap(
        columns=tuple(str(hop.number) for hop in atlas.hops),
        rows=_cells(
            atlas,
            [f"hop {hop.number}" for hop in atlas.hops],
            atlas.likeness,
            shade=lambda cosine: min(1.0, max(0.0, cosine)) ** 2,  # squared: most are above a half
            number=lambda cosine: f"{cosine:.2f}",
        ),
        last=("nearest", _nearest(atlas.likeness)),
        about=f"how alike the hops are; {ALIKE} and more counts as the same",
    )


def _nearest(likeness: NDArray[np.float64]) -> tuple[str, ...]:
    others = likeness - 2 * np.eye(len(likeness))
    return tuple(f"{i + 1} ({row[i]:.2f})" for row, i in zip(others, others.argmax(axis=1), strict=True))


def _cells(
    atlas: HopAtlas,
    names: Sequence[str],
    values: NDArray[np.float64],
    *,
    shade: Callable[[float], float],
    number: Callable[[float], str],
) -> tuple[tuple[MapCell, ...], ...]:
    return tuple(
        tuple(
            MapCell(shade(value), number(value), f"hop {hop.number} · {name}: {number(value)}")
            for name, value in zip(names, row, strict=True)
        )
        for hop, row in zip(atlas.hops, values.tolist(), strict=True)
    )
