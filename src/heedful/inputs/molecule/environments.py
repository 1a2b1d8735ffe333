"""What stands around an atom, as a word: each pattern of atoms and bonds has a number, as a word of a text has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.data.input_spec import InputShape
from heedful.errors import ModelFolderError, need
from heedful.inputs.molecule.rdkit_log import quietly
from heedful.text.vocab import UNKNOWN

MOST_BONDS = 4  # the largest radius: beyond, hardly any pattern is met twice
LARGEST = 2**32 - 1  # of RDKit's numbers for patterns


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
        found = patterns_of(molecule, self.bonds)
        return np.array([[self._ids.get(each, UNKNOWN) for each in row] for row in found.tolist()], dtype=np.int32)

    def shape(self, atoms: InputShape) -> InputShape:
        """Return what comes in where atoms of this shape come with what stands around them."""
        known = len(self.known) + UNKNOWN + 1
        return replace(atoms, front="environments", n_surroundings=known, n_radii=self.bonds)

    def to_tree(self) -> dict[str, Any]:
        """Return all that is needed to make it again."""
        return {"bonds": self.bonds, "known": list(self.known)}

    @classmethod
    def from_tree(cls, tree: object) -> Surroundings:
        """Read what `to_tree` gave."""
        bonds, known = (tree.get("bonds"), tree.get("known")) if isinstance(tree, Mapping) else (None, None)
        if type(bonds) is not int or not 1 <= bonds <= MOST_BONDS:
            raise ModelFolderError(f"input.json: surroundings of {bonds!r} bonds, expected 1 to {MOST_BONDS}")
        if not isinstance(known, list) or not all(type(each) is int and 0 <= each <= LARGEST for each in known):
            raise ModelFolderError("input.json: the known surroundings are not a list of whole numbers")
        if len(set(known)) < len(known):
            raise ModelFolderError("input.json: of the known surroundings some are there twice")
        return cls(bonds, known)


def patterns_of(molecule: Any, bonds: int) -> NDArray[np.int64]:
    """Return RDKit's numbers (atom, radius) for the patterns within 1, 2 … bonds of each atom."""
    maker = need("rdkit.Chem.rdFingerprintGenerator", feature="Reading molecules", extra="molecules")
    generator = maker.GetMorganGenerator(radius=bonds, includeRedundantEnvironments=True)
    places = maker.AdditionalOutput()
    places.AllocateBitInfoMap()
    generator.GetSparseCountFingerprint(molecule, additionalOutput=places)
    found = np.zeros((molecule.GetNumAtoms(), bonds + 1), dtype=np.int64)
    for pattern, where in places.GetBitInfoMap().items():
        for atom, radius in where:
            found[atom, radius] = pattern
    return _filled(found)[:, 1:]


def _filled(patterns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give an atom that has nothing more around it the pattern of the radius before: (atom, radius) to the same."""
    for radius in range(1, patterns.shape[1]):
        empty = patterns[:, radius] == 0
        patterns[empty, radius] = patterns[empty, radius - 1]
    return patterns
