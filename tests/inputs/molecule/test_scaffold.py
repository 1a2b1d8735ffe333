"""Scaffolds, and a split that keeps each on one side."""

from __future__ import annotations

import numpy as np
import pytest

from heedful.inputs.molecule.scaffold import scaffold, scaffold_split

pytest.importorskip("rdkit.Chem")


def test_a_scaffold_is_rings_and_what_joins_them():
    assert scaffold("CC(=O)Oc1ccccc1C(=O)O") == "c1ccccc1"
    assert scaffold("Cc1ccccc1CCC1CC1N") == "c1ccc(CCC2CC2)cc1"
    assert scaffold("CCO") == ""


def test_sides_of_a_ring_are_not_told_apart():
    assert scaffold("C[C@H]1CCC[C@@H](O)C1") == scaffold("CC1CCCC(O)C1")


def molecules():
    """Return 100 molecules of 6 scaffolds, shuffled: chains first in number."""
    rings = {"C1CC1": 20, "C1CCC1": 10, "C1CCCC1": 8, "c1ccccc1": 7, "C1CCCCC1": 5}
    found = ["C" * (i + 1) for i in range(50)]
    for ring, n in rings.items():
        found += [ring + "C" * i for i in range(n)]
    return [found[i] for i in np.random.default_rng(0).permutation(len(found))]


def test_every_molecule_is_on_one_side_and_every_scaffold_too():
    given = molecules()
    split = scaffold_split(given)
    assert sorted([*split.train, *split.dev, *split.test]) == list(range(100))
    sides = [{scaffold(given[i]) for i in side} for side in split]
    assert not (sides[0] & sides[1] or sides[0] & sides[2] or sides[1] & sides[2])


def test_the_largest_groups_are_learned_from():
    given = molecules()
    split = scaffold_split(given)
    assert [len(side) for side in split] == [80, 8, 12]  # 50 + 20 + 10; 8; 7 + 5 no longer fit
    assert {scaffold(given[i]) for i in split.train} == {"", "C1CC1", "C1CCC1"}


def test_there_is_no_chance_in_it():
    assert scaffold_split(molecules()) == scaffold_split(molecules())


def test_other_shares_are_kept():
    split = scaffold_split(molecules(), train=0.5, dev=0.25)
    assert [len(side) for side in split] == [50, 25, 25]  # 20 and 5: those between no longer fit


def test_no_molecules_are_no_sides():
    assert scaffold_split([]) == ([], [], [])
