"""What each atom adds to the properties of its molecule: summed over atoms they are RDKit's figures for the whole."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import need

NAMES = ("logP", "refractivity", "polar area", "surface", "mass", "acceptors", "donors", "turning bonds")
UNITS = np.array([0.3, 3.0, 10.0, 5.0, 12.0, 1.0, 1.0, 1.0])  # so that most atoms have numbers of about 1
DIGITS = 5  # an atom is the same in every order of the others


def atom_shares(molecule: Any) -> NDArray[np.float32]:
    """Return (atom, share) for a molecule of RDKit without explicit hydrogens: an atom has those that it carries."""
    descriptors = need("rdkit.Chem.rdMolDescriptors", feature="Reading molecules", extra="molecules")
    atoms = list(molecule.GetAtoms())
    carries = np.array([atom.GetSymbol() in ("N", "O") for atom in atoms], dtype=np.float64)  # Lipinski's acceptors
    hydrogens = np.array([atom.GetTotalNumHs(includeNeighbors=True) for atom in atoms])
    columns = [
        _crippen(molecule),
        np.array(descriptors._CalcTPSAContribs(molecule)),
        np.array(list(descriptors._CalcLabuteASAContribs(molecule)[0])),  # but for that of hydrogens, which is one number
        np.array([atom.GetMass() for atom in atoms]),
        carries,
        carries * hydrogens,
        _rotatable(molecule),
    ]
    shares: NDArray[np.float64] = np.column_stack(columns) / UNITS
    return np.nan_to_num(shares).round(DIGITS).astype(np.float32)


def _crippen(molecule: Any) -> NDArray[np.float64]:
    """Return (atom, 2): the parts in logP and molar refractivity of each atom with its hydrogens (Crippen 1999)."""
    chem = need("rdkit.Chem", feature="Reading molecules", extra="molecules")
    descriptors = need("rdkit.Chem.rdMolDescriptors", feature="Reading molecules", extra="molecules")
    n, full = molecule.GetNumAtoms(), chem.AddHs(molecule)  # new hydrogens come after the atoms
    contributions = np.array(descriptors._CalcCrippenContribs(full))
    owners = [atom.GetIdx() if atom.GetIdx() < n else atom.GetNeighbors()[0].GetIdx() for atom in full.GetAtoms()]
    shares = np.zeros((n, 2))
    np.add.at(shares, owners, contributions)
    return shares


def _rotatable(molecule: Any) -> NDArray[np.float64]:
    """Return (atom,): half of each single bond, outside of rings and not at an end, about which parts can turn."""
    shares = np.zeros(molecule.GetNumAtoms())
    for bond in molecule.GetBonds():
        ends = bond.GetBeginAtom(), bond.GetEndAtom()
        if str(bond.GetBondType()) == "SINGLE" and not bond.IsInRing() and all(end.GetDegree() > 1 for end in ends):
            shares[[end.GetIdx() for end in ends]] += 0.5
    return shares
