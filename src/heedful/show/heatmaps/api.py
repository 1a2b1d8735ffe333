"""A heatmap of anyone's words and weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import Word
from heedful.explain.shown import Forms, Pictured
from heedful.show.heatmaps.checked_arrays import AS_GIVEN, check_length, numbers, texts
from heedful.show.heatmaps.view import HeatmapView, Row
from heedful.show.kit.svg.shades import as_given

TOP = 5  # words in plain text
SIGNS = " Blue is more than 0, orange and underlined is less."


@dataclass(frozen=True, repr=False)
class Heatmap(Pictured):
    """Words and weights, as a page, in a notebook, as a picture or as plain text.

    Attributes:
        view: what is drawn.

    Example:
        >>> from heedful.show import heatmap
        >>> heatmap(["not", "bad"], [0.8, 0.2], title="negation").view.title
        'negation'
    """

    FORMS = Forms(
        page="heedful.show.heatmaps.page:heatmap_page",
        fragment="heedful.show.heatmaps.page:heatmap_fragment",
        plain="heedful.show.heatmaps.terminal:plain_heatmap",
        picture="heedful.show.heatmaps.picture:heatmap_picture",
    )

    view: HeatmapView

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON.

        Returns:
            Title, words and rows.

        Example:
            >>> from heedful.show import heatmap
            >>> heatmap(["not", "bad"], [0.8, 0.2]).to_dict()["words"]
            ['not', 'bad']
        """
        rows = [
            {"name": row.name, "is_signed": row.is_signed, "values": row.values.tolist(), "shades": row.shades.tolist()}
            for row in (*self.view.rows, *self.view.hops)
        ]
        return {"title": self.view.title, "words": [word.text for word in self.view.words], "rows": rows}


def heatmap(words: Sequence[str], weights: ArrayLike, *, effects: ArrayLike | None = None, title: str = "") -> Heatmap:
    """Draw the words and weights of any model.

    Args:
        words: the words of a text.
        weights: (word,) or (hop, word). Weights below 0 make the heatmap a signed one.
        effects: signed effects (word,), drawn beside the weights.
        title: of the picture.

    Returns:
        A heatmap, which a notebook shows; `to_html`, `to_svg` and `to_png` give files.

    Raises:
        HeedfulError: if the numbers do not fit the words.

    Example:
        >>> from heedful.show import heatmap
        >>> heatmap(["not", "bad"], [0.8, 0.2], title="negation").to_svg().startswith("<svg")
        True
    """
    names = texts(words, "words")
    hops = _hops(numbers(weights, "weights"), names)
    rows = [_row("Weights" if len(hops) == 1 else f"Mean of {len(hops)} hops", hops.mean(axis=0), hops.min() < 0)]
    if effects is not None:
        rows.append(_row("Effects", _one(numbers(effects, "effects"), names), True))
    return Heatmap(_view(names, rows, hops, title))


def _view(words: list[str], rows: list[Row], hops: NDArray[np.float64], title: str) -> HeatmapView:
    placed = tuple(_words(words))
    text = " ".join(words)
    return HeatmapView(
        title=title,
        value="",
        others="",
        text=text,
        words=placed,
        read_to=len(text),
        rows=tuple(rows),
        hops=tuple(_row(f"hop {i + 1}", hop, hops.min() < 0) for i, hop in enumerate(hops)) if len(hops) > 1 else (),
        verdict="",
        is_doubtful=False,
        account=AS_GIVEN + (SIGNS if any(row.is_signed for row in rows) else ""),
    )


def _words(words: Sequence[str]) -> Iterator[Word]:
    at = 0
    for word in words:
        yield Word(word, at, at + len(word), is_known=True)
        at += len(word) + 1


def _row(name: str, values: NDArray[np.float64], is_signed: bool) -> Row:
    ends = ("below 0", "above 0") if is_signed else ("less", "more")
    return Row(name, "", values, as_given(values), is_signed=bool(is_signed), ends=ends)


def _hops(weights: NDArray[np.float64], words: Sequence[str]) -> NDArray[np.float64]:
    if weights.ndim == 1:
        check_length(len(weights), "numbers", words)
        weights = weights[None]
    if weights.ndim != 2:
        raise HeedfulError(f"weights has {weights.ndim} dimensions, a heatmap takes 1 (word) or 2 (hop, word)")
    check_length(weights.shape[1], "columns", words)
    if not weights.size:
        raise HeedfulError(f"weights is empty: its shape is {weights.shape}")
    return weights


def _one(effects: NDArray[np.float64], words: Sequence[str]) -> NDArray[np.float64]:
    if effects.ndim != 1:
        raise HeedfulError(f"effects has {effects.ndim} dimensions, one number for each word was expected")
    check_length(len(effects), "numbers", words, weights="effects")
    return effects
