"""A page around what is shown: no script, nothing from another host."""

from __future__ import annotations

from functools import cache
from html import escape as escape_markup
from importlib.resources import files

from heedful.show.kit.text.sanitise import visible

# Images are those within the page itself: the picture of a molecule or a sound. As an image an SVG runs nothing.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def escape(text: str) -> str:
    """Return text that is only text in a page, without control characters."""
    return escape_markup(visible(text))


@cache
def style() -> str:
    """Return the style sheet of all pages."""
    return (files("heedful.show.kit.html") / "base.css").read_text(encoding="utf-8")


def document(title: str, body: str) -> str:
    """Return a page around a body of ours."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style()}</style>\n</head>\n"
        f'<body class="hf">\n{body}\n</body>\n</html>\n'
    )
