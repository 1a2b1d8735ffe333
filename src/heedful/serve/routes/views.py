"""What the page draws of a result beside its numbers: shades, sentences, and the words that have room on a screen.

A request asks for it with `"view": true`. The functions of `show` make all of it, so that page, terminal and files say
and shade the same; the browser only draws it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.explain.attention.explanation import LEAVE_ONE_OUT, Explanation
from heedful.explain.similarity import Similarity
from heedful.explain.steps.steps import Steps
from heedful.explain.steps.two_contexts import TwoContexts
from heedful.show.contexts.view import beginning, head_top, reason, unknown_words, verdict, word_of
from heedful.show.heatmaps.view import LOOKED, Row, contribution_rows, effect_row, total
from heedful.show.heatmaps.view import view as heatmap_view
from heedful.show.heatmaps.waterfall import Bar, waterfall
from heedful.show.kit.svg.shades import EVEN, FAINT, as_given, relative
from heedful.show.similarity.grid import folded
from heedful.show.similarity.view import ACCOUNT, SCALE, Pair, reading, strongest_pairs, unknown_note, unread_from
from heedful.show.steps.view import view as view_of_steps

MOST = 40  # words in a table
PAIRS = 6  # in the list of those that add, and of those that take away
DIGITS = 3  # of a shade
MOST_LABELS = 20  # whose contributions are drawn
MOST_CELLS = 200_000  # contributions in the JSON of one text: words × labels
UNREAD = 1500  # characters shown of what was cut off: a reader who typed them looks for them


def explanation_values(explanation: Any) -> dict[str, Any]:
    """Return the plain values of an explanation.

    A long text with many labels has the contributions to its target and to the most probable other labels.
    """
    if not isinstance(explanation, Explanation):
        return explanation.to_dict()  # type: ignore[no-any-return]
    return explanation.to_dict(labels=explanation.most_probable(_n_labels(explanation)))


def _n_labels(explanation: Explanation) -> int:
    """Return the number of labels whose contributions are sent."""
    return max(1, MOST_CELLS // max(1, len(explanation.words)))


def explanation_view(explanation: Explanation) -> dict[str, Any]:
    """Return the shades of an explanation's contributions, weights, effects and hops."""
    view = heatmap_view(explanation)
    weights = next(row for row in view.rows if not row.is_signed)
    effects = effect_row(explanation, LEAVE_ONE_OUT) if LEAVE_ONE_OUT in explanation.effects else None
    return {
        "contributions": _contributions_view(explanation),
        "weights": _shades(weights),
        "weights_account": _weights_account(weights.about, len(view.hops)),
        "leave_one_out": _shades(effects) if effects else None,
        "aside": effects.aside if effects else "",
        "hops": [_shades(row) for row in view.hops] or [_shades(weights)],
        "hops_account": view.hops_account,
        "unread": _unread(explanation.text, explanation.read_to),
    }


def _weights_account(about: str, n_hops: int) -> str:
    """Say what the weights are, and what they are not."""
    if about != LOOKED:
        return about
    return (f"mean of {n_hops} hops: " if n_hops > 1 else "") + f"{about}; it does not say for or against"


def _contributions_view(explanation: Explanation) -> dict[str, Any] | None:
    """Return what is drawn of the contributions to each of the most probable labels, and to the target."""
    if explanation.contributions is None:
        return None
    n = min(MOST_LABELS, _n_labels(explanation))
    return {label: _label_view(explanation, label) for label in explanation.most_probable(n)}


def _label_view(explanation: Explanation, label: str) -> dict[str, Any]:
    """Return shades, sentences, sum and waterfall of the contributions to a label."""
    (row,) = contribution_rows(explanation, label)
    hops, fall = explanation.hop_contributions_to(label), waterfall(explanation, label)
    assert fall is not None, "there are contributions"
    return {
        "name": row.name,
        "about": row.about,
        "ends": row.ends,
        "shades": _shades(row),
        "aside": row.aside,
        "total": total(explanation, label),
        "hops": None if hops is None else hops.tolist(),
        "waterfall": {
            "about": fall.about,
            "bars": [_bar(bar) for bar in fall.bars],
            "zero": fall.zero,
            "result": fall.result,
            "account": fall.account,
        },
    }


def _bar(bar: Bar) -> dict[str, Any]:
    place = {"sign": bar.sign, "left": bar.left, "width": bar.width}
    return {"kind": bar.kind, "name": bar.name, "times": bar.times, "number": bar.number, **place, "words": bar.words}


def similarity_view(similarity: Similarity) -> dict[str, Any]:
    """Return a similarity in words, its shades, its matrix folded to the strongest words, and its strongest pairs."""
    sides = range(2)
    return {
        "reading": reading(similarity),
        "scale": SCALE,
        "account": ACCOUNT,
        "note": unknown_note(similarity) or "",
        "texts": [
            {
                "read_to": unread_from(similarity, side),
                "unread": _unread(similarity.texts[side], unread_from(similarity, side)),
                "shades": _signed(similarity.by_word[side]),
            }
            for side in sides
        ],
        "by_first": [_signed(row) for row in similarity.matrix],  # shades of the second text for a word of the first
        "by_second": [_signed(column) for column in similarity.matrix.T],
        **(_folded_view(similarity) if all(similarity.words) else {}),
    }


def _folded_view(similarity: Similarity) -> dict[str, Any]:
    grid = folded(similarity, most=(MOST, MOST))
    places = [{(word.start, word.end): i for i, word in enumerate(words)} for words in similarity.words]
    adding, taking = strongest_pairs(similarity, PAIRS)
    return {
        "grid": {
            "words": [[places[side][word.start, word.end] for word in words] for side, words in enumerate(grid.words)],
            "others": grid.others,
            "parts": grid.parts.tolist(),
            "shades": [_signed_shades(row) for row in grid.shades],
            "sums": [sums.tolist() for sums in grid.by_word],
        },
        "pairs": {"adding": [_pair(each) for each in adding], "taking": [_pair(each) for each in taking]},
    }


def _pair(pair: Pair) -> dict[str, Any]:
    return {"words": pair.words, "part": pair.part, "times": pair.times}


def steps_view(steps: Steps, attention: NDArray[np.float64]) -> dict[str, Any]:
    """Return what is said at each step. `attention` is that of all words (layer, head, word, word)."""
    view = view_of_steps(steps)
    kept = view.shown(MOST)
    stages = [(step.title, step.sentence) for step in view.six]
    stages[0] = (stages[0][0], f"{view.entering} {stages[0][1]}")
    stages += [("All words at once", view.by_matrices), ("The heads are joined", view.joining)]
    powers = np.exp(steps.scaled)
    return {
        "word": view.word,
        "names": view.names,
        "shown": kept,
        "left_out": view.left_out(kept),
        "stages": [{"title": title, "text": text} for title, text in stages],
        "equality": view.equality,
        "honest": view.honest,
        "bars": _rounded(view.shades),
        "powers": [float(power) if np.isfinite(power) else None for power in powers],
        "scores": (steps.q[kept] @ steps.k[kept].T / steps.d_k**0.5).tolist(),
        "darkest": np.maximum(attention.max(axis=-1), min(1.0, EVEN / attention.shape[-1])).tolist(),
        "unread": _unread(steps.text, _end(steps)),
    }


def contexts_view(contexts: TwoContexts) -> dict[str, Any]:
    """Return what is said of a word in two texts, and where it looks in each."""
    means = [side.looks.mean(axis=(0, 1)) for side in contexts.sides]
    n_layers, n_heads = contexts.apart.shape
    return {
        "word": word_of(contexts),
        "verdict": verdict(contexts),
        "beginning": beginning(contexts),
        "unknown": unknown_words(contexts),
        "reason": reason(contexts),
        "means": [mean.tolist() for mean in means],
        "shades": [_rounded(relative(mean.astype(np.float32))) for mean in means],
        "tops": [
            [[head_top(contexts, side, layer, head) for head in range(n_heads)] for layer in range(n_layers)]
            for side in range(2)
        ],
    }


def with_shades(atlas: dict[str, Any]) -> dict[str, Any]:
    """Return a hop atlas (`HopAtlas.to_dict()`) with the shades of the words in its examples."""
    return {**atlas, "hops": [{**hop, "words": [_shaded(word) for word in hop["words"]]} for hop in atlas["hops"]]}


def _shaded(word: dict[str, Any]) -> dict[str, Any]:
    places = [
        {**place, "shades": _rounded(relative(np.asarray(place["weights"], dtype=np.float32)))}
        for place in word["places"]
    ]
    return {**word, "places": places}


def _shades(row: Row) -> list[float]:
    return _signed_shades(row.shades) if row.is_signed else _rounded(row.shades)


def _signed(parts: NDArray[np.float64]) -> list[float]:
    return _signed_shades(as_given(parts))


def _signed_shades(shades: NDArray[np.float32]) -> list[float]:
    """Return shades as they are drawn: a faint one has no colour and no sign."""
    return _rounded(np.where(np.abs(shades) < FAINT, np.float32(0), shades))


def _rounded(shades: NDArray[np.float32]) -> list[float]:
    return [round(float(shade), DIGITS) for shade in shades]


def _end(steps: Steps) -> int:
    """Return where the text ends that the model read."""
    end = steps.pieces[-1].end
    return end if any(c.isalnum() for c in steps.text[end:]) else len(steps.text)


def _unread(text: str, read_to: int) -> str:
    """Return the beginning of what the model did not read."""
    rest = text[read_to:]
    more = len(rest) - UNREAD
    return rest if more <= 0 else f"{rest[:UNREAD]} … and {more:,} more characters"
