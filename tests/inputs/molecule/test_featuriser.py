"""SMILES to atoms and bonds."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.config import Config
from heedful.errors import HeedfulError, MissingExtraError, ModelFolderError
from heedful.inputs.molecule.descriptors import NAMES, UNITS, atom_shares
from heedful.inputs.molecule.featuriser import BONDS, ELEMENTS, FIRST_BOND, N_LINKS, MoleculeFeaturiser, read_smiles

Chem = pytest.importorskip("rdkit.Chem")
Crippen = pytest.importorskip("rdkit.Chem.Crippen")
Descriptors = pytest.importorskip("rdkit.Chem.rdMolDescriptors")
IN_RING = len(BONDS) + 1
ASPIRIN = "CC(=O)Oc1ccccc1C(=O)O"
MANY = [
    ASPIRIN,
    "C[C@H](N)C(=O)O",
    "[Na+].[Cl-]",
    "Clc1ccc(Br)cc1",
    "F/C=C/F",
    "C1CC1",
    "[nH]1cccc1",
    "CC#N",
    "[O-][N+](=O)c1ccccc1",
    "C%12CCCC%12",
    "[13CH4]",
    "[Fe+2]",
    "*CC",
    "[se]1cccc1",
]


@pytest.fixture(scope="module")
def featuriser():
    return MoleculeFeaturiser()


def column(featuriser, element):
    return featuriser.elements.index(element)


def test_each_atom_is_a_vector_of_the_width_said(featuriser):
    for smiles in MANY:
        found = featuriser.features(smiles).arrays
        n = Chem.MolFromSmiles(smiles).GetNumAtoms()
        assert found["vectors"].shape == (n, featuriser.width) and found["vectors"].dtype == np.float32
        assert found["near"].shape == found["links"].shape and len(found["near"]) == n


def test_the_vector_of_an_atom_by_hand(featuriser):
    found = featuriser.features("C[NH3+]").arrays["vectors"]
    n = len(ELEMENTS) + 1
    expected = np.zeros(featuriser.width)
    expected[-9:-1] = atom_shares(read_smiles("C[NH3+]"))[1]
    ones = [1, n + 1, n + 7 + 3, n + 12 + 3, n + 17 + 2]  # N; one bond, three hydrogens, +1, sp3
    expected[ones] = 1
    expected[-1] = np.log(2)
    np.testing.assert_allclose(found[1], expected, rtol=1e-6)


def test_an_element_that_is_not_in_the_list_is_another(featuriser):
    assert "U" not in ELEMENTS
    assert featuriser.features("[U]").arrays["vectors"][0, len(ELEMENTS)] == 1


@pytest.mark.parametrize(
    ("smiles", "kind"),
    [
        ("CC", FIRST_BOND),
        ("C=C", FIRST_BOND + 1),
        ("C#C", FIRST_BOND + 2),
        ("[NH3]->[Fe]", FIRST_BOND + 4),
        ("C1CC1", FIRST_BOND + IN_RING),
        ("c1ccccc1", FIRST_BOND + 3 + IN_RING),
    ],
)
def test_the_kind_of_a_bond_is_its_link(featuriser, smiles, kind):
    links = featuriser.features(smiles).arrays["links"]
    assert set(np.unique(links[:, 1:])) == {kind} and (links[:, 0] == 1).all()
    assert links.max() < N_LINKS == featuriser.shape.n_links


def test_neighbours_are_those_of_rdkit_and_itself_is_first(featuriser):
    for smiles in MANY:
        arrays, molecule = featuriser.features(smiles).arrays, Chem.MolFromSmiles(smiles)
        for atom in molecule.GetAtoms():
            i = atom.GetIdx()
            near = arrays["near"][i][arrays["links"][i] > 0]
            assert near[0] == i
            assert sorted(near[1:]) == sorted(other.GetIdx() for other in atom.GetNeighbors())


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(MANY), st.integers(0, 1000))
def test_another_spelling_of_a_molecule_has_the_same_atoms(smiles, seed):
    featuriser = MoleculeFeaturiser()
    molecule = Chem.MolFromSmiles(smiles)
    order = np.random.default_rng(seed).permutation(molecule.GetNumAtoms()).tolist()
    other = Chem.MolToSmiles(Chem.RenumberAtoms(molecule, order), canonical=False)
    first, second = (featuriser.features(each).arrays for each in (smiles, other))
    assert sorted(map(tuple, first["vectors"])) == sorted(map(tuple, second["vectors"]))
    assert sorted(np.sort(first["links"]).tolist()) == sorted(np.sort(second["links"]).tolist())


@pytest.mark.parametrize("smiles", [*MANY, "[H][H]", "[2H]OC"])
def test_what_atoms_add_sums_to_what_rdkit_says_of_the_molecule(smiles):
    molecule = read_smiles(smiles)
    found = dict(zip(NAMES, (atom_shares(molecule) * UNITS).sum(axis=0), strict=True))
    expected = {
        "logP": Crippen.MolLogP(molecule),
        "refractivity": Crippen.MolMR(molecule),
        "polar area": Descriptors.CalcTPSA(molecule),
        "surface": Descriptors.CalcLabuteASA(molecule) - Descriptors._CalcLabuteASAContribs(molecule)[1],
        "mass": sum(atom.GetMass() for atom in molecule.GetAtoms()),
        "acceptors": Descriptors.CalcNumLipinskiHBA(molecule),
        "donors": Descriptors.CalcNumLipinskiHBD(molecule),
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-3)


def test_bonds_turn_that_are_single_in_no_ring_and_not_at_an_end():
    assert (atom_shares(read_smiles("CCCC"))[:, -1] == [0, 0.5, 0.5, 0]).all()
    assert atom_shares(read_smiles("C1CCC1C"))[:, -1].sum() == atom_shares(read_smiles("CC=CC"))[:, -1].sum() == 0


def test_left_and_right_hands_differ(featuriser):
    left, right = (featuriser.features(f"C[{side}H](N)C(=O)O").arrays["vectors"] for side in ("C@", "C@@"))
    assert (left != right).any(axis=1).tolist() == [False, True, False, False, False, False]


def test_parts_are_the_atoms_in_the_smiles_itself(featuriser):
    text, spans, sizes = featuriser.parts(f" {ASPIRIN}\n")
    assert text == ASPIRIN and sizes == [1] * 13
    assert [text[a:b] for a, b in spans] == list("CCOOcccccccOO"[:4]) + list("ccccccCOO")
    text, spans, _ = featuriser.parts("[Na+].Clc1c[nH]c(Br)c1")
    assert [text[a:b] for a, b in spans] == ["[Na+]", "Cl", "c", "c", "[nH]", "c", "Br", "c"]


def test_hydrogens_that_are_spelled_out_are_no_parts(featuriser):
    smiles = "[H]OC([H])([H])C"
    text, spans, _ = featuriser.parts(smiles)
    assert [text[a:b] for a, b in spans] == ["O", "C", "C"] and len(featuriser.features(smiles)) == 3
    assert spans[0] == (3, 4)


def test_each_part_is_the_atom_that_it_names(featuriser):
    for smiles in MANY:
        text, spans, _ = featuriser.parts(smiles)
        for atom, (start, end) in zip(read_smiles(smiles).GetAtoms(), spans, strict=True):
            assert atom.GetSymbol().lower() in text[start:end].lower()


@pytest.mark.parametrize(
    ("smiles", "reason"),
    [
        ("", "the SMILES is empty"),
        (" \n", "the SMILES is empty"),
        ("CCO(", r"'CCO\(' cannot be parsed as SMILES: check for mistakes around position 4"),
        ("C1CC", "'C1CC' cannot be parsed as SMILES: unclosed ring"),
        ("C(C)(C)(C)(C)C", "valence for atom # 0 C, 5, is greater than permitted"),
        ("c1cccc1", "Can't kekulize"),
        ("CCO ethanol", "contains a space"),
        ("CC>>CO", "cannot be parsed as SMILES"),
        ("\x1b[31mC", r"'\\x1b\[31mC' cannot be parsed as SMILES"),
        ("C" * 501, "has 501 atoms, expected at most 500"),
        ("C" * 20_001, "has 20,001 characters, expected at most 20,000"),
    ],
)
def test_what_is_no_molecule_is_refused_with_a_reason_and_nothing_is_printed(featuriser, capfd, smiles, reason):
    with pytest.raises(HeedfulError, match=reason):
        featuriser.features(smiles)
    assert capfd.readouterr() == ("", "")


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="CNOcn()[]=#123%+-@H\\/.*$:{}é\x00 ", max_size=30))
def test_any_text_is_a_molecule_or_an_error(text):
    featuriser = MoleculeFeaturiser()
    try:
        item = featuriser.features(text)
    except HeedfulError:
        return
    assert len(featuriser.parts(text).spans) == len(item) > 0


def test_where_each_atom_may_look_at_all_there_are_no_links(featuriser):
    whole = MoleculeFeaturiser.learned([], Config().changed(input="molecule", reach="all", max_tokens=9))
    assert (whole.max_tokens, whole.shape.names) == (9, ("vectors",))
    assert featuriser.shape.names == tuple(featuriser.features("CC").arrays) == ("vectors", "near", "links")
    assert tuple(whole.features("CC").arrays) == ("vectors",)
    assert not MoleculeFeaturiser.from_json(whole.to_json()).has_links


def test_a_featuriser_is_written_and_read():
    first = MoleculeFeaturiser(max_tokens=7, elements=("C", "O"))
    second = MoleculeFeaturiser.from_json(first.to_json())
    assert (second.max_tokens, second.elements, second.width) == (7, ("C", "O"), first.width)
    with pytest.raises(HeedfulError, match="has 8 atoms, expected at most 7"):
        second.features("CCCCCCCC")


def test_a_folder_that_says_no_version_has_the_columns_of_the_first():
    first = json.loads(MoleculeFeaturiser(version=1).to_json())
    del first["features"]
    older, now = MoleculeFeaturiser.from_json(json.dumps(first)), MoleculeFeaturiser()
    assert older.version == 1 and older.width == now.width - len(NAMES)
    assert MoleculeFeaturiser.from_json(older.to_json()).width == older.width
    found, new = older.features(ASPIRIN).arrays["vectors"], now.features(ASPIRIN).arrays["vectors"]
    np.testing.assert_array_equal(found, np.delete(new, range(older.width - 1, now.width - 1), axis=1))


@pytest.mark.parametrize(
    "wrong",
    [
        {"input": "audio"},
        {"max_tokens": 0},
        {"max_tokens": "9"},
        {"elements": "CO"},
        {"features": 3},
        {"features": 4},
        {"features": "2"},
        {"features": True},
        {"features": None},
        [],
    ],
)
def test_a_broken_input_json_is_refused(wrong):
    good = json.loads(MoleculeFeaturiser().to_json())
    with pytest.raises(ModelFolderError, match=r"input\.json"):
        MoleculeFeaturiser.from_json(json.dumps({**good, **wrong} if wrong else wrong))


def test_an_older_rdkit_is_quiet_too_and_gives_no_reason(monkeypatch, featuriser, capfd):
    monkeypatch.delattr("rdkit.rdBase.CaptureErrorLog")
    with pytest.raises(HeedfulError, match="'C1CC' cannot be parsed as SMILES: RDKit gives no reason"):
        featuriser.features("C1CC")
    assert capfd.readouterr() == ("", "")


def test_the_missing_package_is_named(monkeypatch, featuriser):
    monkeypatch.setitem(sys.modules, "rdkit.Chem", None)
    with pytest.raises(MissingExtraError, match=r"heedful\[molecules\]"):
        featuriser.features("C")


def test_a_molecule_with_too_many_rings_is_refused_before_they_are_looked_for():
    n = 40  # each atom bound to all others: RDKit would take seconds
    numbers = {}
    for i in range(n):
        for j in range(i + 2, n):
            numbers[i, j] = len(numbers) + 1
    smiles = "".join("*" + "".join(f"%({k})" for pair, k in numbers.items() if i in pair) for i in range(n))
    with pytest.raises(HeedfulError, match="741 rings, expected at most 250"):
        read_smiles(smiles)


def test_a_molecule_with_too_many_atoms_is_refused_before_rdkit_checks_it(monkeypatch):
    from heedful.inputs.molecule import featuriser as molecules

    asked = []
    parsed = molecules._parsed
    monkeypatch.setattr(molecules, "_parsed", lambda text, **how: asked.append(how) or parsed(text, **how))
    with pytest.raises(HeedfulError, match="3,000 atoms, expected at most 500"):
        MoleculeFeaturiser().features("C" * 3000)
    assert asked == [{"is_checked": False}]
