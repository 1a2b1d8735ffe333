"""Scaffold splits: test molecules have other scaffolds than training molecules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from heedful.errors import need
from heedful.inputs.molecule.featuriser import read_smiles
from heedful.inputs.molecule.rdkit_log import quietly


class Split(NamedTuple):
    """Positions in the list of molecules."""

    train: list[int]
    dev: list[int]
    test: list[int]


def scaffold(smiles: str) -> str:
    """Return the Bemis–Murcko scaffold (rings and their linkers) as SMILES; empty without rings."""
    murcko = need("rdkit.Chem.Scaffolds.MurckoScaffold", feature="Scaffolds", extra="molecules")
    molecule = read_smiles(smiles)
    return str(quietly(lambda: murcko.MurckoScaffoldSmiles(mol=molecule, includeChirality=False))[0])


def scaffold_split(molecules: Sequence[str], *, train: float = 0.8, dev: float = 0.1) -> Split:
    """Split as in MoleculeNet: each scaffold is on one side only, the most common ones in training.

    Groups are assigned, largest first, to the first of train, dev and test with room. The split is deterministic.
    """
    groups: dict[str, list[int]] = {}
    for i, smiles in enumerate(molecules):
        groups.setdefault(scaffold(smiles), []).append(i)
    split = Split([], [], [])
    for group in sorted(groups.values(), key=lambda group: (len(group), group[0]), reverse=True):
        if len(split.train) + len(group) <= train * len(molecules):
            split.train.extend(group)
        elif len(split.train) + len(split.dev) + len(group) <= (train + dev) * len(molecules):
            split.dev.extend(group)
        else:
            split.test.extend(group)
    return split
