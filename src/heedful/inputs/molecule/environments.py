"""What stands around an atom, as a word: each pattern of atoms and bonds has a number, as a word of a text has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.data.features import LINKS, NEAR, Item
from heedful.data.input_spec import InputShape
from heedful.errors import ModelFolderError, need
from heedful.inputs.molecule.rdkit_log import quietly
from heedful.text.vocab import UNKNOWN

SURROUNDINGS = "surroundings"  # in an Item: (atom, radius), each by its number
MOST_BONDS = 4  # the largest radius: beyond, hardly any pattern is met twice
LARGEST = 2**32 - 1  # of RDKit's numbers for patterns


@dataclass(frozen=True)
class SurroundedShape(InputShape):
    """Vectors of atoms, and the patterns around them: how many are known, with the pad and the unknown one."""

    n_surroundings: int = 0
    n_radii: int = 1

    @property
    def names(self) -> tuple[str, ...]:
        """The arrays of a batch, by name."""
        first, *near = super().names
        return (first, SURROUNDINGS, *near)

    def smallest(self) -> Item:
        """Return an atom of zeros with the last pattern around it."""
        arrays: dict[str, NDArray[Any]] = {
            "vectors": np.zeros((1, self.width), dtype=np.float32),
            SURROUNDINGS: np.full((1, self.n_radii), self.n_surroundings - 1, dtype=np.int64),
            NEAR: np.zeros((1, 1), dtype=np.int64),
            LINKS: np.ones((1, 1), dtype=np.int64),
        }
        return Item({name: arrays[name] for name in self.names})


class Surroundings:
    """The patterns that are known, each within 1, 2 … `bonds` bonds of an atom; all others are the unknown one.

    A pattern is RDKit's number for it (Morgan 1965, Rogers and Hahn 2010): the same in every order of the atoms.
    """

    def __init__(self, bonds: int, known: Sequence[int]) -> None:
        self.bonds, self.known = bonds, tuple(known)
        self._ids = {pattern: i for i, pattern in enumerate(self.known, start=UNKNOWN + 1)}

    @classmethod
    def learned(cls, molecules: Iterable[Any], *, bonds: int, min_count: int, most: int) -> Surroundings:
        """Learn which patterns are in at least `min_count` molecules: of these the `most` frequent."""
        counts: Counter[int] = Counter()
        for molecule in molecules:
            counts.update(set(quietly(partial(patterns_of, molecule, bonds))[0].ravel().tolist()))
        common = sorted((-n, pattern) for pattern, n in counts.items() if n >= min_count)
        return cls(bonds, [pattern for _, pattern in common[:most]])

    def rows(self, molecule: Any) -> NDArray[np.int32]:
        """Return the numbers (atom, radius) of what stands around each atom."""
        patterns = patterns_of(molecule, self.bonds)
        return np.array([[self._ids.get(pattern, UNKNOWN) for pattern in row] for row in patterns.tolist()], dtype=np.int32)

    def shape(self, atoms: InputShape) -> SurroundedShape:
        """Return what comes in where atoms of this shape come with what stands around them."""
        return SurroundedShape(**vars(atoms), n_surroundings=len(self.known) + UNKNOWN + 1, n_radii=self.bonds)

    def to_tree(self) -> dict[str, Any]:
        """Return all that is needed to make it again."""
        return {"bonds": self.bonds, "known": list(self.known)}

    @classmethod
    def from_tree(cls, tree: object) -> Surroundings:
        """Read what `to_tree` gave."""
        bonds, known = (tree.get("bonds"), tree.get("known")) if isinstance(tree, Mapping) else (None, None)
        if type(bonds) is not int or not 1 <= bonds <= MOST_BONDS:
            raise ModelFolderError(f"input.json: surroundings of {bonds!r} bonds, expected 1 to {MOST_BONDS}")
        if not isinstance(known, list) or not all(type(pattern) is int and 0 <= pattern <= LARGEST for pattern in known):
            raise ModelFolderError("input.json: the known surroundings are not a list of whole numbers")
        if len(set(known)) < len(known):
            raise ModelFolderError("input.json: of the known surroundings some are there twice")
        return cls(bonds, known)


def patterns_of(molecule: Any, bonds: int) -> NDArray[np.int64]:
    """Return RDKit's numbers (atom, radius) for the patterns within 1, 2 … bonds of each atom."""
    maker = need("rdkit.Chem.rdFingerprintGenerator", feature="Reading molecules", extra="molecules")
    generator = maker.GetMorganGenerator(radius=bonds, includeRedundantEnvironments=True)
    output = maker.AdditionalOutput()
    output.AllocateBitInfoMap()
    generator.GetSparseCountFingerprint(molecule, additionalOutput=output)
    patterns = np.zeros((molecule.GetNumAtoms(), bonds + 1), dtype=np.int64)
    for pattern, occurrences in output.GetBitInfoMap().items():
        for atom, radius in occurrences:
            patterns[atom, radius] = pattern
    return _filled(patterns)[:, 1:]


def _filled(patterns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give an atom that has nothing more around it the pattern of the radius before: (atom, radius) to the same."""
    for radius in range(1, patterns.shape[1]):
        empty = patterns[:, radius] == 0
        patterns[empty, radius] = patterns[empty, radius - 1]
    return patterns
