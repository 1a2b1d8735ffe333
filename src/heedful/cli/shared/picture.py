"""A picture of one explanation, written where the flags say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from heedful.cli.shared.console import note
from heedful.cli.shared.pages import write_page
from heedful.errors import HeedfulError


class Drawn(Protocol):
    """What can be drawn."""

    def to_svg(self) -> str:
        """Return a picture."""

    def to_png(self, path: str | Path | None = ...) -> Any:
        """Write the same as PNG."""


def write_picture(shown: Sequence[Drawn], *, svg: str | None, png: str | None) -> None:
    """Write the picture of the one thing that is shown."""
    if len(shown) != 1:
        raise HeedfulError(f"a picture shows one text, found {len(shown)}: --html shows many")
    if svg:
        write_page(svg, shown[0].to_svg(), what="picture")
    elif png:
        shown[0].to_png(png)
        note(f"picture written to {png}")
