"""A picture as PNG, drawn by resvg."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from heedful.errors import HeedfulError, need
from heedful.files.atomic import write_bytes
from heedful.show.kit.text.fonts import SANS

LARGEST = 20.0  # times: more would be a slip of the finger, and gigabytes
_LETTER = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8">'
    f'<text x="1" y="7" font-size="8" font-family="{SANS}">{{}}</text></svg>'
)


def png(svg: str, path: str | Path | None = None, *, scale: float = 2.0) -> bytes:
    """Return a picture as PNG, and write it where a path is given."""
    if not 0 < scale <= LARGEST:
        raise HeedfulError(f"scale is {scale}, a picture is drawn at more than 0 and up to {LARGEST:g} times its size")
    drawn = _drawn(svg, scale)
    if not _has_fonts():
        raise HeedfulError("No fonts were found, so a PNG would have no words. Install some, for example fonts-noto.")
    if path is not None:
        write_bytes(Path(path), drawn)
    return drawn


def _drawn(svg: str, scale: float) -> bytes:
    resvg = need("resvg_py", feature="PNG pictures", extra="picture")
    return bytes(resvg.svg_to_bytes(svg_string=svg, zoom=scale))


@cache
def _has_fonts() -> bool:
    """Return whether a letter leaves a mark; once, for reading all fonts takes a moment."""
    return _drawn(_LETTER.format("M"), 1.0) != _drawn(_LETTER.format(""), 1.0)
