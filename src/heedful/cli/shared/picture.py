"""Writing a picture of an explanation to a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from heedful.cli.shared.console import note
from heedful.cli.shared.pages import write_page
from heedful.errors import HeedfulError


class Drawable(Protocol):
    """An object with a picture."""

    def to_svg(self) -> str:
        """Return a picture."""

    def to_png(self, path: str | Path | None = ...) -> Any:
        """Write the same as PNG."""


def write_picture(explanations: Sequence[Drawable], *, svg: str | None, png: str | None) -> None:
    """Write the picture of the only explanation."""
    if len(explanations) != 1:
        raise HeedfulError(f"a picture shows one text, found {len(explanations)}: --html shows several")
    if svg:
        write_page(svg, explanations[0].to_svg(), what="picture")
    elif png:
        explanations[0].to_png(png)
        note(f"picture written to {png}")
