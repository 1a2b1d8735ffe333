"""Results show themselves: as a page, in a notebook, as plain text, and some as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar


@dataclass(frozen=True)
class Forms:
    """Where each form of a result is drawn, as `module:function`; nothing is imported before it is asked for."""

    page: str
    fragment: str
    plain: str
    picture: str = ""


class Shown:
    """A result with a page, a notebook form and plain text. Its dataclass has `repr=False`."""

    FORMS: ClassVar[Forms]

    def to_html(self) -> str:
        """Return a self-contained HTML page.

        Returns:
            HTML without scripts; nothing is loaded from elsewhere.

        Example:
            >>> from pathlib import Path
            >>> Path("page.html").write_text(model.explain("lovely soup").to_html(), encoding="utf-8") > 1000
            True
        """
        return _drawn(self.FORMS.page, self)

    def _repr_html_(self) -> str:
        return _drawn(self.FORMS.fragment, self)

    def __str__(self) -> str:
        return _drawn(self.FORMS.plain, self)

    def __repr__(self) -> str:
        return str(self)


class Pictured(Shown):
    """A result that has a picture, too."""

    def to_svg(self, *, width: int | None = None) -> str:
        """Return a picture.

        Args:
            width: of the picture in pixels; by default what its contents need.

        Returns:
            SVG.

        Example:
            >>> model.explain("lovely soup").to_svg(width=400).startswith("<svg")
            True
        """
        return _drawn(self.FORMS.picture, self, **({} if width is None else {"width": width}))

    def to_png(self, path: str | Path | None = None, *, scale: float = 2.0) -> bytes:
        """Return the same picture as PNG, and write it to a path if one is given.

        Args:
            path: file to write.
            scale: pixels of the PNG for one pixel of the SVG.

        Returns:
            The contents of the file.

        Raises:
            MissingExtraError: if resvg is not installed.

        Example:
            >>> model.explain("lovely soup").to_png("soup.png")[1:4]
            b'PNG'
        """
        from heedful.show.kit.svg.png import png

        return png(self.to_svg(), path, scale=scale)


def _drawn(where: str, result: Shown, **options: Any) -> str:
    module, _, function = where.partition(":")
    drawn: str = getattr(import_module(module), function)(result, **options)
    return drawn
