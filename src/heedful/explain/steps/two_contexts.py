"""One word in two texts: its two vectors, and why they differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from heedful.errors import HeedfulError
from heedful.explain.attention.model_input import Reading
from heedful.explain.shown import Forms, Shown
from heedful.explain.steps.numpy_transformer import Array
from heedful.explain.steps.steps import Steps, checked_reading, steps_of
from heedful.runtime.model import Model


@dataclass(frozen=True)
class Stage:
    """A place on the way through the model, and how alike the two vectors of the word are there."""

    name: str
    cosine: float


@dataclass(frozen=True)
class TwoContexts(Shown):
    """The same word in two texts, followed through all layers."""

    FORMS = Forms(
        page="heedful.show.contexts.page:compare_page",
        fragment="heedful.show.contexts.page:compare_fragment",
        plain="heedful.show.contexts.terminal:plain_contexts",
    )

    word: str
    sides: tuple[Steps, Steps]

    @property
    def vectors(self) -> tuple[Array, Array]:
        """The two states of the word after all layers (width,)."""
        one, two = (side.through.states[side.at] for side in self.sides)
        return one, two

    @property
    def cosine(self) -> float:
        """How alike they are."""
        return cosine(*self.vectors)

    @property
    def among_others(self) -> float | None:
        """How alike the word is to the other words around it, on average: a scale for the cosine."""
        found = [
            cosine(side.through.states[side.at], state)
            for side in self.sides
            for i, state in enumerate(side.through.states)
            if side.pieces[i].text.casefold() != side.pieces[side.at].text.casefold()
        ]
        return float(np.mean(found)) if found else None

    @property
    def is_same_place(self) -> bool:
        """Whether the word is the same token in the same place of both texts: it then enters with one vector."""
        one, two = self.sides
        return bool(np.array_equal(one.through.layers[0].entered[one.at], two.through.layers[0].entered[two.at]))

    @property
    def stages(self) -> list[Stage]:
        """How alike the two vectors are before the layers, after each part of each layer, and at the end."""
        named = [("entering the first layer", self._at(lambda s: s.through.layers[0].entered))]
        for i in range(self.sides[0].n_layers):
            named.append((f"layer {i + 1}, after attention", self._at(lambda s, i=i: s.through.layers[i].attended)))
            named.append(
                (f"layer {i + 1}, after the connected part", self._at(lambda s, i=i: s.through.layers[i].left))
            )
        named.append(("at the end, normalised", self.vectors))
        return [Stage(name, cosine(*pair)) for name, pair in named]

    @property
    def apart(self) -> Array:
        """How far apart what each head adds is in the two texts (layer, head): the length of the difference."""
        one, two = (
            np.stack([layer.given[:, side.at] for layer in side.through.layers]) for side in self.sides
        )  # (layer, head, width)
        return np.asarray(np.linalg.norm(one - two, axis=-1))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return {
            "word": self.word,
            "model": self.sides[0].model,
            "cosine": self.cosine,
            "among_others": self.among_others,
            "stages": [{"name": stage.name, "cosine": stage.cosine} for stage in self.stages],
            "apart": self.apart.tolist(),
            "texts": [
                {
                    "text": side.text,
                    "tokens": [{"text": p.text, "start": p.start, "end": p.end} for p in side.pieces],
                    "token": side.at,
                    "vector": vector.tolist(),
                    "looks": side.looks.tolist(),
                }
                for side, vector in zip(self.sides, self.vectors, strict=True)
            ],
        }

    def _at(self, states: Any) -> tuple[Array, Array]:
        one, two = (states(side)[side.at] for side in self.sides)
        return one, two


def compare_word(model: Model, first: str, second: str, *, word: str | None = None) -> TwoContexts:
    """Follow a word through two texts: the first that they share, unless one is named."""
    name = word if word is not None else shared_word(*(checked_reading(model, text) for text in (first, second)))
    one, two = (steps_of(model, text, word=name) for text in (first, second))
    return TwoContexts(one.text[one.pieces[one.at].start : one.pieces[one.at + one.n_pieces - 1].end], (one, two))


def shared_word(one: Reading, two: Reading) -> str:
    """Return the first word of one text that is in the other, too."""
    others = {word.text.casefold() for word in two.words}
    shared = [word.text for word in one.words if word.text.casefold() in others]
    if not shared:
        raise HeedfulError("the two texts share no word: there is nothing to compare")
    return next((word for word in shared if any(c.isalnum() for c in word)), shared[0])


def cosine(one: Array, two: Array) -> float:
    """Return how alike two vectors are, from −1 to 1."""
    size = float(np.linalg.norm(one) * np.linalg.norm(two))
    return float(one @ two) / size if size > 0 else 0.0
