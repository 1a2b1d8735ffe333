"""What is said of one word in two texts."""

from __future__ import annotations

import numpy as np

from heedful.explain.steps.two_contexts import TwoContexts
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.truncate import shortened
from heedful.show.steps.view import LONGEST, names_of, top_pieces, unknown

TITLE = "One word, two texts, two vectors"
FAR, NEAR = 0.8, 0.95  # cosines: below, the two are clearly different; above, nearly the same


def word_of(found: TwoContexts) -> str:
    """Return the word, in quotes."""
    return f"“{shortened(found.word, LONGEST)}”"


def verdict(found: TwoContexts) -> str:
    """Say how different the two vectors are."""
    cosine = found.cosine
    kind = "clearly different" if cosine < FAR else "nearly the same" if cosine > NEAR else "somewhat different"
    said = f"The two vectors of {word_of(found)} after all layers are {kind}: cosine {number(cosine, digits=2)}."
    others = found.among_others
    if others is None:
        return said
    return f"{said} For scale: with the other words of its texts it has {number(others, digits=2)} on average."


def beginning(found: TwoContexts) -> str:
    """Say how the word comes in."""
    if found.is_same_place:
        return (
            f"In both texts {word_of(found)} comes in as the same numbers: the same word in the same place. All that "
            "makes the two differ later came from the words around it, through attention."
        )
    return (
        f"{word_of(found)} stands in another place of the two texts, or is in other pieces, so the two vectors differ "
        "a little before any word is looked at. The rest came from the words around it, through attention."
    )


def unknown_words(found: TwoContexts) -> str:
    """Name the words that the model does not know, in either text."""
    return " ".join(dict.fromkeys(filter(None, (unknown(side).strip() for side in found.sides))))


def reason(found: TwoContexts) -> str:
    """Say which head makes most of the difference, and where it looks in each text."""
    layer, head = (int(i) for i in np.unravel_index(int(found.apart.argmax()), found.apart.shape))
    looked = [
        " and ".join(f"“{name}” ({number(share, digits=2)})" for name, share in head_top(found, side, layer, head))
        for side in (0, 1)
    ]
    return (
        f"The head that adds the most different numbers is layer {layer + 1}, head {head + 1}. In the first text it "
        f"looks most at {looked[0]}, in the second at {looked[1]}."
    )


def head_top(found: TwoContexts, side: int, layer: int, head: int, n: int = 2) -> list[tuple[str, float]]:
    """Return what the word looks at most in one head."""
    steps = found.sides[side]
    return top_pieces(steps.looks[layer, head], names_of(steps), n)
