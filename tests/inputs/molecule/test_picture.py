from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.inputs.summed import drawn_sum, with_sum

from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import LEAVE_ONE_OUT, Explanation, Word
from heedful.inputs.molecule.drawing import structure_of
from heedful.inputs.molecule.featuriser import MoleculeFeaturiser
from heedful.inputs.molecule.picture import molecule_picture, picture_of
from heedful.show.heatmaps.picture import MARGIN
from heedful.show.heatmaps.view import view
from heedful.show.kit.svg import svg
from heedful.show.kit.svg.shades import FAINT
from heedful.store.verdict import NOT_AUDITED, Verdict

pytest.importorskip("rdkit.Chem")
NAME = "{http://www.w3.org/2000/svg}"
OURS = {"svg", "title", "desc", "rect", "text", "path", "circle", "g"}
ASPIRIN = "CC(=O)Oc1ccccc1C(=O)O"
LARGE = "C" + "C(=O)N[C@@H](CCSC)" * 12 + "C(=O)O"


def explained(smiles, weights=None, effects=None, *, label="good", verdict=NOT_AUDITED):
    text, spans, _ = MoleculeFeaturiser().parts(smiles)
    words = tuple(Word(text[a:b], a, b, True) for a, b in spans)
    weights = np.full(len(words), 1 / len(words)) if weights is None else np.asarray(weights)
    return Explanation(
        text,
        words,
        weights[None].astype(np.float32),
        label,
        {label: 0.75, "other": 0.25},
        len(text),
        {} if effects is None else {LEAVE_ONE_OUT: np.asarray(effects, dtype=np.float64)},
        verdict=verdict,
        kind="molecule",
        source=smiles,
    )


def drawn(explanation):
    return list(ElementTree.fromstring(picture_of(explanation)).iter())


def circles(elements):
    return [e for e in elements if e.tag == f"{NAME}circle"]


def texts(elements):
    return [e.text for e in elements if e.tag == f"{NAME}text"]


def one_hot(n, i, value=1.0):
    found = np.zeros(n)
    found[i] = value
    return found


def test_a_bond_is_1_long_and_no_atom_is_on_another():
    for smiles in (ASPIRIN, LARGE, "[Na+].[Cl-].O"):
        found = structure_of(smiles)
        lengths = [np.linalg.norm(found.points[b.first] - found.points[b.second]) for b in found.bonds]
        assert np.allclose(lengths, 1.0, atol=0.25)
        apart = np.linalg.norm(found.points[:, None] - found.points[None], axis=-1) + 9 * np.eye(len(found.points))
        assert apart.min() > 0.3 and found.points.min() == 0


def test_carbons_have_no_letters_and_others_have_their_hydrogens_and_charge():
    found = structure_of("CC(=O)[O-].[NH4+].O.C.[13CH3]N")
    said = [atom.symbol + atom.hydrogens + atom.charge for atom in found.atoms]
    assert said == ["", "", "O", "O⁻", "NH₄⁺", "OH₂", "CH₄", "¹³CH₃", "NH₂"]
    assert found.atoms[5].side == "left"  # H₂O


def test_aromatic_rings_are_drawn_with_three_double_bonds_inside_the_ring():
    found = structure_of("c1ccccc1")
    assert sorted(bond.lines for bond in found.bonds) == [1, 1, 1, 2, 2, 2]
    assert all(bond.inner is not None for bond in found.bonds)


def test_a_centre_of_four_has_a_wedge():
    assert {bond.form for bond in structure_of("C[C@H](N)C(=O)O").bonds} & {"wedge", "hash"}
    assert {bond.form for bond in structure_of("CC(N)C(=O)O").bonds} == {""}


def test_the_ground_is_under_its_atom_in_its_shade():
    n = len(structure_of(ASPIRIN).points)
    elements = drawn(explained(ASPIRIN, one_hot(n, 3)))
    (ground,) = circles(elements)
    assert ground.get("fill") == svg.shade_colour(1.0, is_signed=False)
    x = float(ground.get("cx"))
    letters = [e for e in elements if e.tag == f"{NAME}text" and e.text == "O"]
    ends = [(float(e.get("x")), float(e.get("x")) + float(e.get("textLength"))) for e in letters]
    assert any(a < x < b for a, b in ends)  # atom 4 is an oxygen


def test_what_speaks_against_is_orange_with_a_ring():
    n = len(structure_of(ASPIRIN).points)
    elements = drawn(explained(ASPIRIN, effects=one_hot(n, 2, 0.4) + one_hot(n, 5, -0.2)))
    speaks = [e for e in circles(elements) if e.get("fill") == svg.shade_colour(1.0, is_signed=True)]
    against = [e for e in circles(elements) if e.get("fill") == svg.shade_colour(-0.5, is_signed=True)]
    assert len(speaks) == len(against) == 1
    assert against[0].get("stroke") == svg.EDGE and speaks[0].get("stroke") is None
    assert "Strongest: O (atom 3) +0.400, C (atom 6) -0.200" in texts(elements)


def test_title_legend_smiles_verdict_and_both_panels_are_there():
    n = len(structure_of(ASPIRIN).points)
    said = " ".join(filter(None, texts(drawn(explained(ASPIRIN, effects=np.ones(n) / 10)))))
    for part in (
        "good 0.75",
        "Attention",
        "Leave-one-out for good",
        "against",
        ASPIRIN,
        "Not audited",
        "without this atom",
    ):
        assert part in said


def test_small_molecules_have_panels_side_by_side_and_large_ones_stacked():
    for smiles, columns in ((ASPIRIN, 2), ("C" * 40, 1)):
        n = len(structure_of(smiles).points)
        groups = [e for e in drawn(explained(smiles, effects=np.ones(n))) if e.tag == f"{NAME}g"]
        assert len(groups) == 2
        assert len({e.get("transform") for e in groups}) == columns


@pytest.mark.parametrize("smiles", ["C", "CC", ASPIRIN, LARGE, ".".join(["[Na+]"] * 30), "C" * 300])
def test_all_atoms_are_within_the_picture(smiles):
    n = len(structure_of(smiles).points)
    elements = drawn(explained(smiles, effects=np.ones(n)))
    width, height = (float(elements[0].get(side)) for side in ("width", "height"))
    grounds = circles(elements)
    assert len(grounds) >= n
    for e in grounds:
        x, y, r = (float(e.get(k)) for k in ("cx", "cy", "r"))
        assert x - r >= MARGIN - 5 and x + r <= width - MARGIN + 5 and r <= y <= height - r


def test_a_long_smiles_is_broken_into_lines_that_join_to_it_again():
    assert len(LARGE) > 150
    found = texts(drawn(explained(LARGE)))
    first = next(i for i, text in enumerate(found) if text and text.startswith("CC(=O)N"))
    assert "".join(found[first:]).startswith(LARGE)


def test_a_hostile_label_leaves_no_element_and_no_attribute_of_its_own(evil_text):
    elements = drawn(explained(ASPIRIN, label=evil_text, verdict=Verdict("worse", evil_text)))
    assert {e.tag.removeprefix(NAME) for e in elements} <= OURS
    names = {name for e in elements for name in e.attrib}
    assert not any(name.startswith("on") or "href" in name or name == "style" for name in names)
    assert not any("evil" in value for e in elements for value in e.attrib.values())


def test_numbers_for_another_molecule_are_refused():
    with pytest.raises(HeedfulError, match="found numbers for 13 atoms, but the molecule has 2"):
        molecule_picture(view(explained(ASPIRIN)), "CC")


def test_a_width_that_makes_no_picture_is_refused():
    with pytest.raises(HeedfulError, match="width is 10"):
        molecule_picture(view(explained("CC")), "CC", width=10)


def test_contributions_of_atoms_are_drawn_with_their_signs_and_sum_to_the_score():
    values = np.linspace(-1.5, 2.0, len(structure_of(ASPIRIN).points))
    explanation = with_sum(explained(ASPIRIN), values, bias=-0.75)
    elements = drawn(explanation)
    grounds = circles(elements)[: np.count_nonzero(np.abs(values) >= 2.0 * FAINT)]
    expected = sorted(values, key=abs)[-len(grounds) :]
    shades = np.array(expected, dtype=np.float32) / 2
    assert [e.get("fill") for e in grounds] == [svg.shade_colour(float(s), is_signed=True) for s in shades]
    assert [e.get("stroke") for e in grounds] == [svg.EDGE if v < 0 else None for v in expected]
    score, bias, added = drawn_sum(" ".join(filter(None, texts(elements))), "atoms")
    assert (bias, added) == pytest.approx((-0.75, values.sum()), abs=0.005)
    assert score == pytest.approx(bias + added, abs=0.011) == explanation.scores[0]


def test_a_picture_of_contributions_speaks_of_atoms_and_names_the_largest_with_their_sign():
    elements = drawn(with_sum(explained("CCO"), [0.1, -2.0, 1.0]))
    said = " ".join(filter(None, texts(elements)))
    assert "what each atom adds to the score" in said and "contributions of all atoms" in said
    assert "orange atom with a dark ring takes away" in said and "word" not in said
    about = next(e.text for e in elements if e.tag == f"{NAME}desc")
    assert "Strongest: C (atom 2) -2.000, O (atom 3) +1.000" in about and "score −1.40 = bias −0.50" in about


def test_a_number_is_raised_and_lowered_by_atoms():
    plain = replace(explained("CCO", label="dose"), is_number=True, probabilities={"dose": 0.6})
    elements = drawn(with_sum(plain, [0.1, -2.0, 3.0]))
    said = " ".join(filter(None, texts(elements)))
    assert drawn_sum(said, "atoms") == (0.6, -0.5, 1.1)
    assert "The number is the bias plus the contributions of all atoms" in said and "dark ring lowers it" in said


def test_a_label_with_a_unit_in_its_name_is_written_as_it_is():
    plain = replace(explained("CCO", label="a password"), target="other", effects={})
    assert "different label: a password." in " ".join(filter(None, texts(drawn(with_sum(plain, [1, 1, 1])))))


def test_panels_that_would_be_narrow_are_stacked():
    source = molecule_picture(view(with_sum(explained("CCO"), [1.0, 2.0, -1.0])), "CCO", width=400)
    groups = [e for e in ElementTree.fromstring(source).iter() if e.tag == f"{NAME}g"]
    assert len(groups) == 2 and len({e.get("transform") for e in groups}) == 1


def test_a_sum_that_is_too_long_for_a_line_is_broken_before_its_right_side():
    label = "log solubility in mol per litre"
    plain = replace(explained("CCO", label=label), is_number=True, probabilities={label: 0.6})
    source = molecule_picture(view(with_sum(plain, [0.1, -2.0, 3.0])), "CCO", width=360)
    lines = texts(ElementTree.fromstring(source).iter())
    at = lines.index("= bias –0.50 + atoms +1.10")
    assert lines[at - 1] == f"{label} +0.60"
