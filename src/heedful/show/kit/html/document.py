"""A page around a body: no script, nothing from another host."""

from __future__ import annotations

from functools import cache
from html import escape as escape_markup
from importlib.resources import files

from markupsafe import Markup

from heedful.show.kit.html.templates import render
from heedful.show.kit.text.sanitise import visible

# Images are those within the page itself: the picture of a molecule or a sound. As an image an SVG runs nothing.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def escape(text: str) -> str:
    """Return text that is only text in a page, without control characters."""
    return escape_markup(visible(text))


@cache
def style(package: str = "heedful.show.kit.html") -> Markup:
    """Return the style sheet of all pages, or the one beside the page of a package."""
    name = "base.css" if package.endswith(".kit.html") else "style.css"
    return Markup((files(package) / name).read_text(encoding="utf-8"))


def document(title: str, body: str) -> str:
    """Return a page around a body of ours, which is HTML."""
    return str(
        render("show/kit/html/document.html", title=title, body=Markup(body), policy=Markup(POLICY), style=style())
    )


def fragment(body: str) -> str:
    """Return a body of ours for a notebook, with the style of all pages."""
    return str(render("show/kit/html/fragment.html", body=Markup(body), style=style()))
