"""What people call an input and its parts."""

from __future__ import annotations

from typing import NamedTuple


class Nouns(NamedTuple):
    """Names of one kind of input."""

    inputs: str  # many of them
    part: str  # what a heatmap colours
    parts: str
    units: str  # what a network counts


NOUNS = {
    "text": Nouns("texts", "word", "words", "tokens"),
    "audio": Nouns("sounds", "stretch", "stretches", "frames"),
    "molecule": Nouns("molecules", "atom", "atoms", "atoms"),
    "graph": Nouns("graphs", "node", "nodes", "nodes"),
    "vectors": Nouns("examples", "vector", "vectors", "vectors"),
}


def renamed(said: str, kind: str) -> str:
    """Return what is said of texts and words, said of another kind of input."""
    if kind == "text":
        return said
    names = NOUNS[kind]
    own = {"words": names.parts, "word": names.part, "texts": names.inputs, "tokens": names.units}
    for of_texts, other in own.items():
        said = said.replace(of_texts, other)
    return said
