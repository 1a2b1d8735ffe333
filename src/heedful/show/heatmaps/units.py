"""The names of what an input consists of: words, atoms, nodes, stretches of time or vectors."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Unit:
    """A name, and how contributions of both signs are drawn."""

    one: str
    many: str
    positive: str
    negative: str


WORD = Unit("word", "words", "A blue word", "an orange and underlined word")
UNITS = {
    "molecule": Unit("atom", "atoms", "A blue atom", "an orange atom with a dark ring"),
    "graph": Unit("node", "nodes", "A blue node", "an orange node with a dark ring"),
    "audio": Unit("stretch of time", "stretches of time", "A blue stretch", "an orange and underlined stretch"),
    "vectors": Unit("vector", "vectors", "A blue bar", "an orange bar"),
}


def unit_of(kind: str) -> Unit:
    """Return the unit of an input; a word if the input has no other."""
    return UNITS.get(kind, WORD)


def in_units(sentence: str, unit: Unit) -> str:
    """Return a sentence about words as one about another unit."""
    return sentence.replace("words", unit.many).replace("word", unit.one)


def sum_account(unit: Unit, *, is_number: bool) -> str:
    """Say how to read contributions."""
    whole = "The number" if is_number else "The score of a label"
    adds, takes = (
        ("raises it", "lowers it") if is_number else ("adds to the score of the named label", "takes away from it")
    )
    return (
        f"{whole} is the bias plus the contributions of all {unit.many}, exactly. {unit.positive} {adds}, "
        f"{unit.negative} {takes}."
    )
