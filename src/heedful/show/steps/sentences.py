"""The sentences about each step of self-attention."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heedful.explain.steps.numpy_transformer import Array
from heedful.explain.steps.steps import Piece, Steps
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.truncate import shortened

LONGEST = 16  # letters of a word
TITLE = "Self-attention, step by step"
# A text of which every reader knows what a word stands for: (text, word, what it stands for).
ANIMAL = "The animal didn't cross the street because it was too tired"
KNOWN = (ANIMAL, "it", "animal")
TINY = "en-tiny"  # the model that comes with the package for looking into
MOST_UNKNOWN = 5  # words that are named
SAME = 1e-6  # numbers nearer than this differ by rounding only


def name_of(piece: Piece) -> str:
    """Return a piece as it is shown: one that goes on a word has a dot before it."""
    return ("·" if piece.is_inner else "") + (shortened(piece.text, LONGEST) or "�")


def names_of(steps: Steps) -> list[str]:
    """Return all pieces as they are shown."""
    return [name_of(piece) for piece in steps.pieces]


def quoted(steps: Steps) -> str:
    """Return the piece that is followed, in quotes."""
    return f"“{names_of(steps)[steps.at]}”"


def shown_pieces(weights: Array, at: int, most: int) -> list[int]:
    """Return the pieces that are shown, in reading order: of many, the one followed and those with most weight."""
    if len(weights) <= most:
        return list(range(len(weights)))
    order = [at, *(int(i) for i in np.argsort(-weights, kind="stable") if i != at)]
    return sorted(order[:most])


def left_out(n: int, kept: Sequence[int]) -> str:
    """Return what to say if not all pieces are shown."""
    if len(kept) == n:
        return ""
    return f"Showing {len(kept)} of {n} words, those with the most weight in step 4; the sums include all of them."


def vector(values: Array, n: int) -> str:
    """Return the first numbers of a vector."""
    return "  ".join([*(number(float(x), digits=2) for x in values[:n]), *(["…"] if len(values) > n else [])])


def place(steps: Steps) -> str:
    """Return which model, layer and head this is."""
    return f"{steps.model}, layer {steps.layer + 1} of {steps.n_layers}, head {steps.head + 1} of {steps.n_heads}"


def entering(steps: Steps) -> str:
    """Say what comes into the layer."""
    width = steps.x.shape[1]
    made = "what the word is by itself, and where it stands" if steps.layer == 0 else f"what layer {steps.layer} left"
    pieces = ""
    if steps.n_pieces > 1:
        pieces = f" The word is in {steps.n_pieces} pieces for this model; the first is followed."
    return f"Each word comes into this layer as {width} numbers: {made}, normalised.{pieces}{unknown(steps)}"


def unknown(steps: Steps) -> str:
    """Name the words that the model does not know."""
    names = list(dict.fromkeys(name_of(piece) for piece in steps.pieces if not piece.is_known))
    if not names:
        return ""
    listed = ", ".join(f"“{name}”" for name in names[:MOST_UNKNOWN]) + (" and others" if names[MOST_UNKNOWN:] else "")
    return f" This model does not know {listed}: every word it does not know begins with the same numbers."


def sentences(steps: Steps) -> dict[int, tuple[str, str]]:
    """Return the title and the sentence of each of the six steps."""
    word, width, d_k = quoted(steps), steps.x.shape[1], steps.d_k
    root, equals = _root(d_k), "=" if float(d_k**0.5).is_integer() else "≈"
    return {
        1: (
            "A query, a key and a value",
            f"The {width} numbers of each word are multiplied by three matrices that the model has learned, W_Q, W_K "
            f"and W_V, each {width} × {d_k} and with a bias. The query is what a word looks for, the key what it is "
            "found by, the value what it has to give.",
        ),
        2: (
            "Query times key",
            f"The query of {word} and the key of each word are multiplied number by number and added up. The larger "
            "the score, the better the two fit.",
        ),
        3: (
            f"Divided by √{d_k} {equals} {root}",
            f"The more products are added up, the larger the sum can be. Divided by the root of their number, {d_k}, "
            "scores keep a size at which the next step can still weigh them against each other.",
        ),
        4: (
            "Softmax",
            "e to the power of each, divided by the sum of all. Now they are weights: none below 0, together 1. This "
            f"is how much {word} looks at each word.",
        ),
        5: (
            "Values times weights",
            "The value of each word is multiplied by its weight. The more a word is looked at, the more is left of its "
            "numbers.",
        ),
        6: (
            "Their sum",
            f"All rows are added up. That is what {word} takes from the words around it, in this head: a weighted "
            f"average of their values, {d_k} numbers.",
        ),
    }


def worked_product(steps: Steps, n: int = 3) -> str:
    """Return the score of the word with most weight, as a sum that can be checked with a pencil."""
    best = int(steps.weights.argmax())
    pairs = zip(steps.q[steps.at][:n], steps.k[best][:n], strict=True)
    terms = " + ".join(f"{_factor(a)} × {_factor(b)}" for a, b in pairs)
    more = " + …" if steps.d_k > n else ""
    return (
        f"{quoted(steps)} and “{names_of(steps)[best]}”: {terms}{more} = {number(float(steps.scores[best]), digits=2)}"
    )


def worked_division(steps: Steps) -> str:
    """Return step 3 for the same word."""
    best = int(steps.weights.argmax())
    score, scaled = (number(float(each[best]), digits=2) for each in (steps.scores, steps.scaled))
    return f"“{names_of(steps)[best]}”: {score} / {_root(steps.d_k)} = {scaled}"


def worked_softmax(steps: Steps) -> str:
    """Return step 4 for the same word."""
    best = int(steps.weights.argmax())
    power, total = float(np.exp(steps.scaled[best])), float(np.exp(steps.scaled).sum())
    if not np.isfinite(total):
        return ""
    return (
        f"“{names_of(steps)[best]}”: e^{number(float(steps.scaled[best]), digits=2)} = {power:.3g}; all together "
        f"{total:.3g}; {power:.3g} / {total:.3g} = {number(float(steps.weights[best]), digits=2)}"
    )


def _root(d_k: int) -> str:
    return number(d_k**0.5, digits=0 if float(d_k**0.5).is_integer() else 2)


def _factor(x: float) -> str:
    factor = number(float(x), digits=2)
    return f"({factor})" if factor.startswith("−") else factor


def by_matrices(steps: Steps) -> str:
    """Say what the matrix form is."""
    n, d_k = steps.q.shape
    return (
        f"No model goes word by word. The queries of all {n} words are the rows of a matrix Q ({n} × {d_k}), their "
        f"keys of K, their values of V. Q Kᵀ has all scores, and softmax(Q Kᵀ / √d_k) V all the sums: the six steps "
        "for every word in one line."
    )


def equality(steps: Steps) -> str:
    """Say whether steps and matrices agree, by how much."""
    apart = steps.difference
    if apart == 0:
        return "Steps and matrices give exactly the same numbers."
    kind = "only by rounding" if apart < SAME else "by more than rounding"
    return f"Steps and matrices differ {kind}: by {apart:.0e} at most."


def joining(steps: Steps) -> str:
    """Say how the heads are joined."""
    width, heads, d_k = steps.x.shape[1], steps.n_heads, steps.d_k
    if heads == 1:
        return f"There is one head. Its {d_k} numbers are multiplied by a matrix W_O ({width} × {width}) and added."
    return (
        f"The {heads} heads of this layer do the same with matrices of their own, so each may look elsewhere. Their "
        f"vectors of {d_k} numbers are put one after the other, {heads} × {d_k} = {width}, and multiplied by a last "
        f"matrix W_O ({width} × {width}). The result is added to what {quoted(steps)} came with."
    )


def top_pieces(weights: Array, names: Sequence[str], n: int = 3) -> list[tuple[str, float]]:
    """Return the names with most weight."""
    return [(names[i], float(weights[i])) for i in np.argsort(-weights, kind="stable")[:n]]


def honest(steps: Steps) -> list[str]:
    """Say where the word looks over all layers and heads, and what that does not mean."""
    mean, names, word = steps.looks.mean(axis=(0, 1)), names_of(steps), quoted(steps)
    even = 1 / len(mean)
    (first, most), *_ = top_pieces(mean, names)
    lines = [
        f"Over all {steps.n_layers * steps.n_heads} heads {word} looks most at “{first}” ({number(most, digits=2)} of "
        f"its weight; an even share would be {number(even, digits=2)})."
    ]
    if answer := _known_answer(steps):
        lines.append(answer)
    lines.append(
        "Where a word looks is how the model computes, and no proof of what it understands: what is looked at goes "
        "through matrices before it is added, and later layers look at vectors that are mixed already."
    )
    return lines


def _known_answer(steps: Steps) -> str:
    """In the text that everyone shows, say whether the model does what everyone says."""
    text, word, meant = KNOWN
    names = [name.casefold() for name in names_of(steps)]
    if steps.text.strip().rstrip(".").casefold() != text.casefold() or names[steps.at] != word or meant not in names:
        return ""
    at = names.index(meant)
    mean = steps.looks.mean(axis=(0, 1))
    layer, head = np.unravel_index(int(steps.looks[:, :, at].argmax()), steps.looks.shape[:2])
    best = number(float(steps.looks[layer, head, at]), digits=2)
    rank = int((mean > mean[at]).sum()) + 1
    order = "most of all" if rank == 1 else f"only at place {rank} of {len(mean)}"
    excuse = "It is a tiny model, taught which sentences mean the same and never asked what “it” stands for."
    return (
        "A reader knows that “it” is the animal. This model looks at “animal” with "
        f"{number(float(mean[at]), digits=2)} of its weight, {order}; the head that looks there most is "
        f"layer {layer + 1}, head {head + 1} ({best}). " + (excuse if rank > 1 and steps.model == TINY else "")
    ).strip()
