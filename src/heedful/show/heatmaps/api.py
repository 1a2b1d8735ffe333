"""A heatmap of anyone's words and weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import Word
from heedful.show.heatmaps.checked_arrays import AS_GIVEN, check_length, numbers, texts
from heedful.show.heatmaps.view import HeatmapView, Row
from heedful.show.kit.svg.shades import as_given
from heedful.show.kit.text.numbers import number

TOP = 5  # words in plain text
SIGNS = " Blue is more than 0, orange and underlined is less."


@dataclass(frozen=True)
class Heatmap:
    """Words and weights, to be looked at on a page, in a notebook, as a picture or as plain text."""

    view: HeatmapView

    def to_html(self) -> str:
        """Return one page that needs nothing else."""
        from heedful.show.heatmaps.page import heatmap_page

        return heatmap_page(self.view)

    def to_svg(self, *, width: int = 760) -> str:
        """Return a picture."""
        from heedful.show.heatmaps.picture import heatmap_picture

        return heatmap_picture(self.view, width=width)

    def to_png(self, path: str | Path | None = None, *, scale: float = 2.0) -> bytes:
        """Return the same picture as PNG, and write it where a path is given."""
        from heedful.show.kit.svg.png import png

        return png(self.to_svg(), path, scale=scale)

    def _repr_html_(self) -> str:
        from heedful.show.heatmaps.page import heatmap_fragment

        return heatmap_fragment(self.view)

    def __str__(self) -> str:
        return _plain(self.view)


def heatmap(words: Sequence[str], weights: Any, *, effects: Any = None, title: str = "") -> Heatmap:
    """Return a heatmap of weights (word,) or (hop, word), and of signed effects (word,) beside it if there are any.

    Weights below 0 make the heatmap a signed one.
    """
    shown = texts(words, "words")
    hops = _hops(numbers(weights, "weights"), shown)
    rows = [_row("Weights" if len(hops) == 1 else f"Mean of {len(hops)} hops", hops.mean(axis=0), hops.min() < 0)]
    if effects is not None:
        rows.append(_row("Effects", _one(numbers(effects, "effects"), shown), True))
    return Heatmap(_view(shown, rows, hops, title))


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


def _plain(view: HeatmapView) -> str:
    from heedful.show.kit.text.truncate import shortened

    lines = [shortened(view.title, 100)] if view.title else []
    for row in view.rows:
        order = np.argsort(-np.abs(row.values), kind="stable")[:TOP]
        said = [f"{shortened(view.words[i].text, 40)} {number(row.values[i], plus=row.is_signed)}" for i in order]
        lines.append(f"{row.name}: {', '.join(said)}")
    return "\n".join([*lines, view.account])
