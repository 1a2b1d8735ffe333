"""Per-atom contributions to molecular properties: their sums are RDKit's descriptors of the molecule."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import need

NAMES = ("logP", "refractivity", "polar area", "surface", "mass", "acceptors", "donors", "turning bonds")
UNITS = np.array([0.3, 3.0, 10.0, 5.0, 12.0, 1.0, 1.0, 1.0])  # scales most values to about 1
DIGITS = 5  # rounding makes the result independent of the atom order


def atom_shares(molecule: Any) -> NDArray[np.float32]:
    """Return (atom, property) for an RDKit molecule; an atom includes its hydrogens."""
    descriptors = need("rdkit.Chem.rdMolDescriptors", feature="Reading molecules", extra="molecules")
    atoms = list(molecule.GetAtoms())
    carries = np.array([atom.GetSymbol() in ("N", "O") for atom in atoms], dtype=np.float64)  # Lipinski's acceptors
    hydrogens = np.array([atom.GetTotalNumHs(includeNeighbors=True) for atom in atoms])
    columns = [
        _crippen(molecule),
        np.array(descriptors._CalcTPSAContribs(molecule)),
        np.array(
            list(descriptors._CalcLabuteASAContribs(molecule)[0])
        ),  # without the share of the hydrogens, which is a single number
        np.array([atom.GetMass() for atom in atoms]),
        carries,
        carries * hydrogens,
        _rotatable(molecule),
    ]
    shares: NDArray[np.float64] = np.column_stack(columns) / UNITS
    return np.nan_to_num(shares).round(DIGITS).astype(np.float32)


def _crippen(molecule: Any) -> NDArray[np.float64]:
    """Return (atom, 2): the contributions of each atom with its hydrogens to logP and refractivity (Crippen 1999)."""
    chem = need("rdkit.Chem", feature="Reading molecules", extra="molecules")
    descriptors = need("rdkit.Chem.rdMolDescriptors", feature="Reading molecules", extra="molecules")
    n, full = molecule.GetNumAtoms(), chem.AddHs(molecule)  # new hydrogens follow the other atoms
    contributions = np.array(descriptors._CalcCrippenContribs(full))
    owners = [atom.GetIdx() if atom.GetIdx() < n else atom.GetNeighbors()[0].GetIdx() for atom in full.GetAtoms()]
    shares = np.zeros((n, 2))
    np.add.at(shares, owners, contributions)
    return shares


def _rotatable(molecule: Any) -> NDArray[np.float64]:
    """Return (atom,): half of each rotatable bond, i.e. a single bond outside rings that is not terminal."""
    shares = np.zeros(molecule.GetNumAtoms())
    for bond in molecule.GetBonds():
        ends = bond.GetBeginAtom(), bond.GetEndAtom()
        if str(bond.GetBondType()) == "SINGLE" and not bond.IsInRing() and all(end.GetDegree() > 1 for end in ends):
            shares[[end.GetIdx() for end in ends]] += 0.5
    return shares
