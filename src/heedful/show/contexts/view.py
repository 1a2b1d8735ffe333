"""What is drawn of one word in two texts, as plain values: numbers and sentences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heedful.explain.steps.two_contexts import TwoContexts
from heedful.show.kit.text.numbers import number, short
from heedful.show.kit.text.truncate import shortened
from heedful.show.steps.sentences import LONGEST, names_of, top_pieces, unknown

TITLE = "One word, two texts, two vectors"
FAR, NEAR = 0.8, 0.95  # cosines: below, the two are clearly different; above, nearly the same


@dataclass(frozen=True)
class Head:
    """One head: what the word looked at most in each text, and how far apart its two results are."""

    name: str
    looked: tuple[str, str]
    apart: str


@dataclass(frozen=True)
class ContextsView:
    """Everything to see of one word in two texts."""

    contexts: TwoContexts  # the numbers
    word: str  # in quotes
    model: str
    cosine: str
    verdict: str
    beginning: str  # how the word comes in, and which words the model does not know
    reason: str
    stages: tuple[tuple[str, float], ...]  # name and cosine
    heads: tuple[Head, ...]


def view(contexts: TwoContexts) -> ContextsView:
    """Return what is to see of one word in two texts."""
    n_layers, n_heads = contexts.apart.shape
    return ContextsView(
        contexts=contexts,
        word=word_of(contexts),
        model=contexts.sides[0].model,
        cosine=number(contexts.cosine),
        verdict=verdict(contexts),
        beginning=f"{beginning(contexts)} {unknown_words(contexts)}".strip(),
        reason=reason(contexts),
        stages=tuple((stage.name, stage.cosine) for stage in contexts.stages),
        heads=tuple(_head(contexts, i, j) for i in range(n_layers) for j in range(n_heads)),
    )


def _head(contexts: TwoContexts, layer: int, head: int) -> Head:
    first, second = (
        ", ".join(f"{name} {share:.2f}" for name, share in head_top(contexts, side, layer, head)) for side in (0, 1)
    )
    return Head(f"layer {layer + 1}, head {head + 1}", (first, second), short(float(contexts.apart[layer, head])))


def word_of(contexts: TwoContexts) -> str:
    """Return the word, in quotes."""
    return f"“{shortened(contexts.word, LONGEST)}”"


def verdict(contexts: TwoContexts) -> str:
    """Say how different the two vectors are."""
    cosine = contexts.cosine
    kind = "clearly different" if cosine < FAR else "nearly the same" if cosine > NEAR else "somewhat different"
    difference = (
        f"The two vectors of {word_of(contexts)} after all layers are {kind}: cosine {number(cosine, digits=2)}."
    )
    others = contexts.among_others
    if others is None:
        return difference
    return f"{difference} For scale: with the other words of its texts it has {number(others, digits=2)} on average."


def beginning(contexts: TwoContexts) -> str:
    """Say how the word comes in."""
    if contexts.is_same_place:
        return (
            f"In both texts {word_of(contexts)} comes in as the same numbers: the same word in the same place. All "
            "that makes the two differ later came from the words around it, through attention."
        )
    return (
        f"{word_of(contexts)} stands in another place of the two texts, or is in other pieces, so the two vectors "
        "differ a little before any word is looked at. The rest came from the words around it, through attention."
    )


def unknown_words(contexts: TwoContexts) -> str:
    """Name the words that the model does not know, in either text."""
    return " ".join(dict.fromkeys(filter(None, (unknown(side).strip() for side in contexts.sides))))


def reason(contexts: TwoContexts) -> str:
    """Say which head makes most of the difference, and where it looks in each text."""
    layer, head = (int(i) for i in np.unravel_index(int(contexts.apart.argmax()), contexts.apart.shape))
    looked = [
        " and ".join(f"“{name}” ({number(share, digits=2)})" for name, share in head_top(contexts, side, layer, head))
        for side in (0, 1)
    ]
    return (
        f"The head that adds the most different numbers is layer {layer + 1}, head {head + 1}. In the first text it "
        f"looks most at {looked[0]}, in the second at {looked[1]}."
    )


def head_top(contexts: TwoContexts, side: int, layer: int, head: int, n: int = 2) -> list[tuple[str, float]]:
    """Return what the word looks at most in one head."""
    steps = contexts.sides[side]
    return top_pieces(steps.looks[layer, head], names_of(steps), n)
