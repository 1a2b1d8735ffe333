"""One word in two texts: its two vectors, and where they start to differ."""

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
    """A stage of the model, and the cosine of the word's two vectors there."""

    name: str
    cosine: float


@dataclass(frozen=True, repr=False)
class TwoContexts(Shown):
    """The same word in two texts, through all layers."""

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
        first, second = (side.through.states[side.at] for side in self.sides)
        return first, second

    @property
    def cosine(self) -> float:
        """The cosine of the two vectors."""
        return cosine(*self.vectors)

    @property
    def among_others(self) -> float | None:
        """The mean cosine of the word with the other words of its text: a baseline for the cosine."""
        cosines = [
            cosine(side.through.states[side.at], state)
            for side in self.sides
            for i, state in enumerate(side.through.states)
            if side.pieces[i].text.casefold() != side.pieces[side.at].text.casefold()
        ]
        return float(np.mean(cosines)) if cosines else None

    @property
    def is_same_place(self) -> bool:
        """Whether the word enters both texts with the same vector: the same token at the same position."""
        first, second = self.sides
        return bool(
            np.array_equal(first.through.layers[0].entered[first.at], second.through.layers[0].entered[second.at])
        )

    @property
    def stages(self) -> list[Stage]:
        """The cosines before the layers, after each part of each layer, and at the end."""
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
        """The distance between the contributions of each head in the two texts (layer, head)."""
        first, second = (
            np.stack([layer.given[:, side.at] for layer in side.through.layers]) for side in self.sides
        )  # (layer, head, width)
        return np.asarray(np.linalg.norm(first - second, axis=-1))

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
        first, second = (states(side)[side.at] for side in self.sides)
        return first, second


def compare_word(model: Model, first: str, second: str, *, word: str | None = None) -> TwoContexts:
    """Compare a word in two texts, by default the first word that they share."""
    name = word if word is not None else shared_word(*(checked_reading(model, text) for text in (first, second)))
    first_steps, second_steps = (steps_of(model, text, word=name) for text in (first, second))
    return TwoContexts(
        first_steps.text[
            first_steps.pieces[first_steps.at].start : first_steps.pieces[first_steps.at + first_steps.n_pieces - 1].end
        ],
        (first_steps, second_steps),
    )


def shared_word(first: Reading, second: Reading) -> str:
    """Return the first word of one text that is also in the other."""
    others = {word.text.casefold() for word in second.words}
    shared = [word.text for word in first.words if word.text.casefold() in others]
    if not shared:
        raise HeedfulError("the two texts have no word in common")
    return next((word for word in shared if any(c.isalnum() for c in word)), shared[0])


def cosine(first: Array, second: Array) -> float:
    """Return the cosine of two vectors, 0 if either is zero."""
    size = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / size if size > 0 else 0.0
