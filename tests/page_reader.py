"""A page as a browser would take it apart, for the tests of all pages."""

from __future__ import annotations

from dataclasses import dataclass
from html.parser import HTMLParser

VOID = ("meta", "img")  # never closed


@dataclass
class Element:
    """A tag with its attributes, and all text inside it."""

    tag: str
    attributes: dict[str, str | None]
    text: str = ""

    @property
    def classes(self) -> set[str]:
        return set((self.attributes.get("class") or "").split())


class Reader(HTMLParser):
    """Collects elements, tags, attributes and text, and checks that tags are closed in order."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.parts: list[str] = []
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(source)
        self.close()
        assert self._open == []

    @property
    def text(self) -> str:
        """All text outside of style sheets."""
        return "".join(self.parts)

    def all(self, tag: str, *classes: str) -> list[Element]:
        """Return all elements with this tag and these classes, in order."""
        return [each for each in self.elements if each.tag == tag and set(classes) <= each.classes]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self._open.append(self.elements[-1])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self.elements.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        if any(each.tag == "style" for each in self._open):
            return
        self.parts.append(data)
        for each in self._open:
            each.text += data
