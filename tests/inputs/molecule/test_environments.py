"""What stands around an atom, as a word."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.config import Config
from heedful.data.batch import pad
from heedful.errors import ModelFolderError
from heedful.inputs.molecule.environments import Environments, patterns_of
from heedful.inputs.molecule.featuriser import MoleculeFeaturiser, read_smiles
from heedful.text.vocab import UNKNOWN

Chem = pytest.importorskip("rdkit.Chem")
Generator = pytest.importorskip("rdkit.Chem.rdFingerprintGenerator")
MANY = ["CC(=O)Oc1ccccc1C(=O)O", "C[C@H](N)C(=O)O", "[Na+].[Cl-]", "CC#N", "C1CC1C", "[O-][N+](=O)c1ccccc1", "C"]


def learned(smiles, *, bonds=2, min_count=1, most=100):
    return Environments.learned(map(read_smiles, smiles), bonds=bonds, min_count=min_count, most=most)


@pytest.mark.parametrize("smiles", MANY)
def test_patterns_are_those_of_rdkits_fingerprint(smiles):
    molecule = read_smiles(smiles)
    generator = Generator.GetMorganGenerator(radius=2, includeRedundantEnvironments=True)
    expected = set(generator.GetSparseCountFingerprint(molecule).GetNonzeroElements())
    found = patterns_of(molecule, 2)
    assert found.shape == (molecule.GetNumAtoms(), 2)
    assert set(found.ravel().tolist()) <= expected


def test_atoms_with_the_same_around_them_have_the_same_pattern_and_others_do_not():
    one, two = patterns_of(read_smiles("CCCCCCC"), 2).T
    assert one[0] == one[6] != one[1] == one[5] != one[2]
    assert one[2] == one[3] == one[4] and two[2] == two[4] != two[3]


def test_an_atom_with_no_bond_is_its_own_surroundings():
    found = patterns_of(read_smiles("[Na+].[Cl-]"), 3)
    assert (found == found[:, :1]).all() and found[0, 0] != found[1, 0] and (found > 0).all()


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(MANY), st.integers(0, 1000))
def test_another_spelling_of_a_molecule_has_the_same_surroundings(smiles, seed):
    molecule = Chem.MolFromSmiles(smiles)
    order = np.random.default_rng(seed).permutation(molecule.GetNumAtoms()).tolist()
    other = Chem.RenumberAtoms(molecule, order)
    np.testing.assert_array_equal(patterns_of(other, 3), patterns_of(molecule, 3)[order])


def test_those_are_known_that_are_in_enough_molecules_and_the_most_frequent_come_first():
    known = learned(["CCO", "CCN", "CCN"], bonds=1, min_count=2)
    methyl, amine = patterns_of(read_smiles("CCN"), 1)[[0, 2], 0]
    assert known.known[0] == methyl and amine in known.known
    assert patterns_of(read_smiles("CCO"), 1)[2, 0] not in known.known
    assert known.rows(read_smiles("CCO"))[2, 0] == UNKNOWN and known.rows(read_smiles("CCO"))[0, 0] == UNKNOWN + 1
    assert len(learned(["CCO", "CCN"], most=3).known) == 3


def test_a_molecule_counts_once_however_often_it_has_a_pattern():
    assert learned(["CCCCCCCC", "C"], min_count=2).known == ()


def test_the_shape_says_which_numbers_come():
    featuriser = MoleculeFeaturiser(surroundings=learned(MANY))
    shape, smallest = featuriser.shape, featuriser.shape.smallest()
    assert shape.names == tuple(featuriser.features("CCO").arrays) == tuple(smallest.arrays)
    assert shape.n_surroundings == len(featuriser.surroundings.known) + 2
    for smiles in MANY:
        found = featuriser.features(smiles).arrays["surroundings"]
        assert found.min() > UNKNOWN and found.max() < shape.n_surroundings
    assert pad([smallest, featuriser.features("CCO")], [0, 1]).inputs["surroundings"].shape == (2, 3, 2)


def test_an_atom_left_out_takes_its_surroundings_along():
    item = MoleculeFeaturiser(surroundings=learned(MANY)).features("CCO")
    left = item.keeping(np.array([True, False, True]))
    np.testing.assert_array_equal(left.arrays["surroundings"], item.arrays["surroundings"][[0, 2]])


def test_they_are_learned_from_the_molecules_that_can_be_read():
    config = Config().changed(input="molecule", surroundings=1, min_count=1)
    made = MoleculeFeaturiser.learned(["CCO", "C1CC", ""], config)
    assert made.surroundings.known == learned(["CCO"], bonds=1).known
    assert MoleculeFeaturiser.learned(["CCO"], config.changed(surroundings=0)).surroundings is None


def test_they_are_written_and_read():
    first = MoleculeFeaturiser(surroundings=learned(MANY))
    second = MoleculeFeaturiser.from_json(first.to_json())
    assert second.shape == first.shape and second.to_json() == first.to_json()
    np.testing.assert_array_equal(
        second.features("CCO").arrays["surroundings"], first.surroundings.rows(read_smiles("CCO"))
    )


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        (None, "bonds is None"),
        ([], "bonds is None"),
        ({"bonds": 0, "known": []}, "bonds is 0, expected 1 to 4"),
        ({"bonds": True, "known": []}, "bonds is True"),
        ({"bonds": 2, "known": "12"}, "not a list of integers"),
        ({"bonds": 2, "known": [1.5]}, "not a list of integers"),
        ({"bonds": 2, "known": [2**32]}, "not a list of integers"),
        ({"bonds": 2, "known": [7, 7]}, "duplicates"),
    ],
)
def test_broken_surroundings_are_refused(tree, reason):
    with pytest.raises(ModelFolderError, match=rf"input\.json: .*{reason}"):
        Environments.from_tree(tree)
