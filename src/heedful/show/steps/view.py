"""What is drawn of self-attention step by step, as plain values: numbers, shades and sentences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heedful.explain.steps.numpy_transformer import Array
from heedful.explain.steps.steps import Steps
from heedful.show.kit.svg.shades import relative
from heedful.show.steps import sentences as say

WORKED = {2: say.worked_product, 3: say.worked_division, 4: say.worked_softmax}


@dataclass(frozen=True)
class Step:
    """One of the six steps, in words."""

    number: int  # from 1
    title: str
    sentence: str
    worked: str  # an example that can be checked with a pencil; empty if there is none


@dataclass(frozen=True)
class StepsView:
    """Everything to see of one word in one head."""

    steps: Steps  # the numbers
    place: str  # model, layer and head
    word: str  # that is followed, in quotes
    names: tuple[str, ...]  # of the pieces
    shades: NDArray[np.float32]  # (piece,): where the word looks in this head
    entering: str
    six: tuple[Step, ...]
    by_matrices: str
    equality: str
    is_equal: bool
    joining: str
    honest: tuple[str, ...]

    def shown(self, most: int) -> list[int]:
        """Return the pieces that are shown, in reading order, at most so many."""
        return say.shown_pieces(self.steps.weights, self.steps.at, most)

    def left_out(self, kept: list[int]) -> str:
        """Return what to say if not all pieces are shown."""
        return say.left_out(len(self.names), kept)


def view(steps: Steps) -> StepsView:
    """Return what is to see of the six steps."""
    six = (
        Step(i, title, sentence, WORKED[i](steps) if i in WORKED else "")
        for i, (title, sentence) in say.sentences(steps).items()
    )
    return StepsView(
        steps=steps,
        place=say.place(steps),
        word=say.quoted(steps),
        names=tuple(say.names_of(steps)),
        shades=shades_of(steps.weights),
        entering=say.entering(steps),
        six=tuple(six),
        by_matrices=say.by_matrices(steps),
        equality=say.equality(steps),
        is_equal=steps.difference < say.SAME,
        joining=say.joining(steps),
        honest=tuple(say.honest(steps)),
    )


def shades_of(weights: Array) -> NDArray[np.float32]:
    """Return how dark each piece is, by its weight."""
    return relative(weights.astype(np.float32))
