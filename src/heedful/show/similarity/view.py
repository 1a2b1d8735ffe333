"""What is drawn of a similarity, as plain values: numbers, shades and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heedful.explain.attention.explanation import Word
from heedful.explain.similarity import Similarity
from heedful.show.kit.svg.shades import as_given
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.sanitise import one_line
from heedful.show.similarity.grid import Grid, folded

READINGS = (
    (0.8, "very much alike"),
    (0.6, "much alike"),
    (0.4, "somewhat alike"),
    (0.2, "a little alike"),
    (-0.2, "hardly alike"),
)
OPPOSED = "opposed"
SCALE = "1 is the same direction, 0 is nothing in common, below 0 is opposed. What counts as high differs by model."
ACCOUNT = (
    "The parts add up to the whole exactly. They are an account of the model's own arithmetic, not of meaning: "
    "a word in context carries something of its neighbours."
)
NAMED, LONGEST = 5, 24  # unknown words that are named, and characters of a word
PAIRS = 8  # in the list of those that add, and of those that take away
SIDES = ("first", "second")


@dataclass(frozen=True)
class Pair:
    """Two words, and what they add wherever they stand."""

    words: tuple[str, str]
    part: float
    times: int  # how often the pair occurs: as often as the one word times as often as the other

    @property
    def is_nothing(self) -> bool:
        """Whether the part rounds to zero as it is shown."""
        return number(self.part) == number(0.0)

    @property
    def how_often(self) -> str:
        """Return a remark on pairs that occur more than once."""
        return f"{self.times} times" if self.times > 1 else ""


@dataclass(frozen=True)
class Side:
    """One of the two texts: what each of its words adds, and how dark that is."""

    name: str
    text: str
    words: tuple[Word, ...]
    parts: NDArray[np.float64]  # (word,)
    shades: NDArray[np.float32]  # (word,), from -1 to 1
    read_to: int  # characters that were read; the rest was truncated


@dataclass(frozen=True)
class SimilarityView:
    """Everything to see of a similarity."""

    similarity: Similarity
    score: str
    place: float  # of the score on a ruler from -1 to 1, as a share of its length
    reading: str
    sides: tuple[Side, Side]
    adding: tuple[Pair, ...]  # pairs that add most, first the strongest
    taking: tuple[Pair, ...]
    unknown_note: str

    @property
    def has_parts(self) -> bool:
        """Whether both texts have words."""
        return all(side.words for side in self.sides)

    def grid(self, *, most: tuple[int, int]) -> Grid:
        """Return every pair, folded to at most so many words of each text."""
        return folded(self.similarity, most=most)


def view(similarity: Similarity) -> SimilarityView:
    """Return what is to see of a similarity."""
    adding, taking = strongest_pairs(similarity, PAIRS)
    return SimilarityView(
        similarity=similarity,
        score=number(similarity.score),
        place=(min(1.0, max(-1.0, similarity.score)) + 1) / 2,
        reading=reading(similarity),
        sides=(side_of(similarity, 0), side_of(similarity, 1)),
        adding=tuple(adding),
        taking=tuple(taking),
        unknown_note=unknown_note(similarity) or "",
    )


def side_of(similarity: Similarity, side: int) -> Side:
    """Return one of the two texts."""
    parts = similarity.by_word[side]
    return Side(
        SIDES[side],
        similarity.texts[side],
        similarity.words[side],
        parts,
        as_given(parts),
        unread_from(similarity, side),
    )


def reading(similarity: Similarity) -> str:
    """Return the similarity in plain words."""
    if not all(similarity.words):
        return "nothing to compare: a text has no words"
    return next((words for low, words in READINGS if similarity.score >= low), OPPOSED)


def strongest_pairs(similarity: Similarity, n: int) -> tuple[list[Pair], list[Pair]]:
    """Return the pairs that add most, and those that take most away. The same two words are one pair, summed."""
    return strongest_of(similarity.words, similarity.matrix, n)


def strongest_of(
    words: tuple[Sequence[Word], Sequence[Word]], matrix: NDArray[np.float64], n: int
) -> tuple[list[Pair], list[Pair]]:
    """Return the same of any matrix (word of the first text, word of the second).

    Pairs that round to zero as they are shown are left out.
    """
    (first, places, counts), (second, other_places, other_counts) = map(_different, words)
    parts = np.zeros((len(first), len(second)))
    np.add.at(parts, (places[:, None], other_places[None, :]), matrix)
    times = counts[:, None] * other_counts[None, :]

    def pair(at: np.intp) -> Pair:
        i, j = divmod(int(at), len(second))
        return Pair((first[i], second[j]), float(parts[i, j]), int(times[i, j]))

    order = np.argsort(-parts, axis=None, kind="stable")
    adding, taking = [pair(at) for at in order[:n]], [pair(at) for at in order[::-1][:n]]
    return [p for p in adding if p.part > 0 and not p.is_nothing], [
        p for p in taking if p.part < 0 and not p.is_nothing
    ]


def _different(words: Sequence[Word]) -> tuple[list[str], NDArray[np.intp], NDArray[np.int64]]:
    """Return the words that differ by more than case, the place among them of each word, and how often each occurs."""
    places: dict[str, int] = {}
    indices = [places.setdefault(word.text.casefold(), len(places)) for word in words]
    names = [words[indices.index(i)].text for i in range(len(places))]
    return names, np.array(indices, dtype=np.intp), np.bincount(indices, minlength=len(places)).astype(np.int64)


def unread_from(similarity: Similarity, side: int) -> int:
    """Return where the part of a text begins that was cut off: all that stands there would be words."""
    text, words = similarity.texts[side], similarity.words[side]
    end = words[-1].end if words else len(text)
    return end if any(c.isalnum() for c in text[end:]) else len(text)


def unknown_note(similarity: Similarity) -> str | None:
    """Return what to think of words that the model does not know."""
    unknown = dict.fromkeys(word.text for words in similarity.words for word in words if not word.is_known)
    if not unknown:
        return None
    named = ", ".join(one_line(word[:LONGEST]) for word in list(unknown)[:NAMED])
    more = f" and {len(unknown) - NAMED} more" if len(unknown) > NAMED else ""
    return f"The model does not know {named}{more}: do not rely on the parts of such words."
