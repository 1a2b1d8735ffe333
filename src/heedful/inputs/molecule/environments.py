"""Morgan environments of atoms as ids: frequent patterns of atoms and bonds form a vocab."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.data.input_spec import InputSpec
from heedful.errors import ModelFolderError, need
from heedful.inputs.molecule.rdkit_log import quietly
from heedful.text.vocab import UNKNOWN

MOST_BONDS = 4  # the largest radius: beyond, hardly any pattern is met twice
LARGEST = 2**32 - 1  # of RDKit's numbers for patterns


class Environments:
    """The vocab of environments within 1, 2 … `bonds` bonds of an atom; all others are unknown.

    A pattern is its Morgan hash (Morgan 1965, Rogers and Hahn 2010), which does not depend on the atom order.
    """

    def __init__(self, bonds: int, known: Sequence[int]) -> None:
        self.bonds, self.known = bonds, tuple(known)
        self._ids = {pattern: i for i, pattern in enumerate(self.known, start=UNKNOWN + 1)}

    @classmethod
    def learned(cls, molecules: Iterable[Any], *, bonds: int, min_count: int, most: int) -> Environments:
        """Learn the `most` frequent patterns among those in at least `min_count` molecules."""
        counts: Counter[int] = Counter()
        for molecule in molecules:
            counts.update(set(quietly(partial(patterns_of, molecule, bonds))[0].ravel().tolist()))
        common = sorted((-n, pattern) for pattern, n in counts.items() if n >= min_count)
        return cls(bonds, [pattern for _, pattern in common[:most]])

    def rows(self, molecule: Any) -> NDArray[np.int32]:
        """Return the environment ids of each atom (atom, radius)."""
        patterns = patterns_of(molecule, self.bonds)
        return np.array(
            [[self._ids.get(pattern, UNKNOWN) for pattern in row] for row in patterns.tolist()], dtype=np.int32
        )

    def shape(self, atoms: InputSpec) -> InputSpec:
        """Return what comes in where atoms of this shape come with what stands around them."""
        known = len(self.known) + UNKNOWN + 1
        return replace(atoms, front="environments", n_surroundings=known, n_radii=self.bonds)

    def to_tree(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"bonds": self.bonds, "known": list(self.known)}

    @classmethod
    def from_tree(cls, tree: object) -> Environments:
        """Read the output of `to_tree`."""
        bonds, known = (tree.get("bonds"), tree.get("known")) if isinstance(tree, Mapping) else (None, None)
        if type(bonds) is not int or not 1 <= bonds <= MOST_BONDS:
            raise ModelFolderError(f"input.json: surroundings.bonds is {bonds!r}, expected 1 to {MOST_BONDS}")
        if not isinstance(known, list) or not all(
            type(pattern) is int and 0 <= pattern <= LARGEST for pattern in known
        ):
            raise ModelFolderError("input.json: surroundings.known is not a list of integers")
        if len(set(known)) < len(known):
            raise ModelFolderError("input.json: surroundings.known has duplicates")
        return cls(bonds, known)


def patterns_of(molecule: Any, bonds: int) -> NDArray[np.int64]:
    """Return the Morgan hashes of the environments within 1, 2 … bonds of each atom (atom, radius)."""
    generators = need("rdkit.Chem.rdFingerprintGenerator", feature="Reading molecules", extra="molecules")
    generator = generators.GetMorganGenerator(radius=bonds, includeRedundantEnvironments=True)
    output = generators.AdditionalOutput()
    output.AllocateBitInfoMap()
    generator.GetSparseCountFingerprint(molecule, additionalOutput=output)
    patterns = np.zeros((molecule.GetNumAtoms(), bonds + 1), dtype=np.int64)
    for pattern, occurrences in output.GetBitInfoMap().items():
        for atom, radius in occurrences:
            patterns[atom, radius] = pattern
    return _filled(patterns)[:, 1:]


def _filled(patterns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Repeat the last pattern of an atom whose environment does not grow: (atom, radius) to the same shape."""
    for radius in range(1, patterns.shape[1]):
        empty = patterns[:, radius] == 0
        patterns[empty, radius] = patterns[empty, radius - 1]
    return patterns
