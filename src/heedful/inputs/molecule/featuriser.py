"""Molecules: a SMILES to a vector for each atom, and to its bonds as links. RDKit reads them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.config import Config
from heedful.data.features import LINKS, NEAR, Item, Parts, parts_of_names
from heedful.data.input_spec import MAX_TOKENS, MAX_WIDTH, InputShape, is_size
from heedful.errors import HeedfulError, ModelFolderError, need
from heedful.inputs.molecule.descriptors import NAMES, atom_shares
from heedful.inputs.molecule.environments import SURROUNDINGS, Surroundings
from heedful.inputs.molecule.rdkit_log import quietly

ELEMENTS = (
    "C", "N", "O", "F", "P", "S", "Cl", "Br", "I", "B", "Si", "Se", "Na", "K", "Ca", "Li", "Mg", "Al", "Fe", "Cu",
    "Zn", "Mn", "Co", "Ni", "As", "Sb", "Sn", "Pt", "Hg", "H",
)  # fmt: skip
MOST_ATOMS = 500  # by default: a drug has 20 to 50
MOST_LETTERS = 20_000  # of a SMILES: it is refused before RDKit sees it
MOST_RINGS = 250  # RDKit takes seconds to find the rings of a graph with more; C240 has 121
LONG_SMILES = 1000  # characters: a longer SMILES is counted before RDKit looks for its rings
DEGREES, HYDROGENS, CHARGES, RINGS = range(7), range(5), range(-2, 3), range(3, 9)
HYBRIDS = ("SP", "SP2", "SP3")
SIDES = ("R", "S")  # of a centre with four different neighbours
BONDS = ("SINGLE", "DOUBLE", "TRIPLE", "AROMATIC")
FIRST_BOND = 2  # links: 0 is none, 1 an atom to itself, then each kind of bond outside of rings, then each in one
N_LINKS = FIRST_BOND + 2 * (len(BONDS) + 1)
VERSIONS = (1, 2, 3)  # of what is said of an atom: a model folder says which it was made with
_ATOM = re.compile(r"\[[^\]]*\]|Br|Cl|[BCNOFPSI]|[bcnops]|\*")  # where the atoms of a SMILES stand, in order
_STAMP = re.compile(r"^\[[\d:]+\] (SMILES Parse Error: )?", re.MULTILINE)
_PLACE = "heedful_place"  # an atom's number in the SMILES: explicit hydrogens are taken out later


class MoleculeFeaturiser:
    """SMILES, each atom a vector of what RDKit says of it, most of it one-hot.

    | columns                        | what                                                                |
    |--------------------------------|---------------------------------------------------------------------|
    | elements, and one more         | which element; the last for all others                              |
    | 7, 5, 5                        | bonds (0–6), hydrogens (0–4) and charge (−2–2), each cut at its end |
    | 3, and one more                | sp, sp2, sp3; the last for all others                               |
    | 1, 6                           | aromatic; in a ring of 3–8 (8: or more) atoms                       |
    | 2                              | left- or right-handed (R, S)                                        |
    | 8, from version 2 of these on  | what it adds to the molecule: logP, mass and others (atom_shares)   |
    | 1                              | ln(atoms) of the whole molecule: weights that sum to 1 cannot count |

    In version 3 the numbers of the patterns around each atom come beside its vector.
    """

    kind = "molecule"

    def __init__(
        self,
        *,
        max_tokens: int = MOST_ATOMS,
        elements: Sequence[str] = ELEMENTS,
        has_links: bool = True,
        version: int = VERSIONS[1],
        surroundings: Surroundings | None = None,
    ) -> None:
        self.max_tokens, self.elements, self.has_links = max_tokens, tuple(elements), has_links
        self.version, self.surroundings = 3 if surroundings else version, surroundings
        self._columns = {element: i for i, element in enumerate(self.elements)}
        ranges = (DEGREES, HYDROGENS, CHARGES)
        self.width = len(self.elements) + 1 + sum(map(len, ranges)) + len(HYBRIDS) + 1 + 1 + len(RINGS) + len(SIDES) + 1
        self.width += len(NAMES) if version > 1 else 0

    @classmethod
    def learned(cls, sources: Sequence[Any], config: Config) -> MoleculeFeaturiser:
        """Return one for these settings: of the molecules only the patterns are learned that are frequent in them."""
        bonds, text = config.source.surroundings, config.text
        environments = None
        if bonds:
            molecules = _readable(sources)
            environments = Surroundings.learned(molecules, bonds=bonds, min_count=text.min_count, most=text.vocab_size)
        return cls(max_tokens=text.max_tokens, has_links=config.source.reach == "neighbours", surroundings=environments)

    @property
    def shape(self) -> InputShape:
        """Atoms come in, what stands around them, and, unless each may look at all, their bonds."""
        atoms = InputShape(width=self.width, n_links=N_LINKS if self.has_links else 0)
        return self.surroundings.shape(atoms) if self.surroundings else atoms

    def features(self, smiles: str) -> Item:
        """Return vectors (atom, width), and what stands around each atom, and its bonds."""
        molecule = self.molecule(smiles)
        atoms = list(molecule.GetAtoms())
        vectors = np.array([self._vector(atom) for atom in atoms], dtype=np.float32)
        if self.version > 1:
            vectors = np.column_stack([vectors, quietly(lambda: atom_shares(molecule))[0]])
        vectors = np.column_stack([vectors, np.full(len(atoms), np.log(len(atoms)), dtype=np.float32)])
        arrays: dict[str, NDArray[Any]] = {"vectors": vectors}
        if self.surroundings:
            arrays[SURROUNDINGS] = quietly(lambda: self.surroundings.rows(molecule))[0]  # type: ignore[union-attr]
        if self.has_links:
            arrays[NEAR], arrays[LINKS] = _neighbours(molecule, len(atoms))
        return Item(arrays)

    def parts(self, smiles: str) -> Parts:
        """Return the SMILES itself, and where in it each atom stands."""
        molecule = self.molecule(smiles)
        text = smiles.strip()
        spans = [match.span() for match in _ATOM.finditer(text)]
        order = [atom.GetIntProp(_PLACE) for atom in molecule.GetAtoms()]
        if len(spans) == molecule.GetIntProp(_PLACE):
            return Parts(text, [spans[i] for i in order], [1] * len(order))
        return parts_of_names([f"{atom.GetSymbol()}{atom.GetIdx() + 1}" for atom in molecule.GetAtoms()])

    def is_cut(self, smiles: str) -> bool:
        """Return False: a part of a molecule is another molecule, so one that is too large is refused."""
        del smiles
        return False

    def molecule(self, smiles: str) -> Any:
        """Return RDKit's molecule, or say what is wrong with the SMILES."""
        parsed = read_smiles(smiles, most_atoms=self.max_tokens)
        _check_atoms(smiles, parsed.GetNumAtoms(), self.max_tokens)
        return parsed

    def to_json(self) -> str:
        """Return what is needed to make this again."""
        kept: dict[str, Any] = {
            "max_tokens": self.max_tokens,
            "elements": list(self.elements),
            "has_links": self.has_links,
        }
        if self.surroundings:
            kept[SURROUNDINGS] = self.surroundings.to_tree()
        return json.dumps({"input": self.kind, "features": self.version, **kept})

    @classmethod
    def from_json(cls, text: str) -> MoleculeFeaturiser:
        """Make it again."""
        try:
            values = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ModelFolderError(f"input.json is not readable: {error}") from None
        if not isinstance(values, dict) or values.get("input") != cls.kind:
            raise ModelFolderError(f"input.json is not of molecules: {text[:80]!r}")
        most, elements = values.get("max_tokens"), values.get("elements")
        if not isinstance(most, int) or not is_size(most, MAX_TOKENS):
            raise ModelFolderError(f"input.json: max_tokens is {most!r:.40}, expected 1 to {MAX_TOKENS:,}")
        if (
            not isinstance(elements, list)
            or len(elements) > MAX_WIDTH
            or not all(isinstance(element, str) for element in elements)
        ):
            raise ModelFolderError("input.json: elements is not a list of names")
        version = values.get("features", 1)  # the first folders did not say
        if type(version) is not int or version not in VERSIONS:
            raise ModelFolderError(
                f"input.json: features is {version!r}, this heedful knows {', '.join(map(str, VERSIONS))}. "
                "A newer one may read it."
            )
        environments = Surroundings.from_tree(values.get(SURROUNDINGS)) if version == VERSIONS[2] else None
        has_links = bool(values.get("has_links", True))
        return cls(max_tokens=most, elements=elements, has_links=has_links, version=version, surroundings=environments)

    def _vector(self, atom: Any) -> list[int]:
        """Return all of an atom's columns but the last."""
        side = atom.GetProp("_CIPCode") if atom.HasProp("_CIPCode") else ""
        rings = [atom.IsInRingSize(size) for size in RINGS[:-1]]
        return [
            *_one_hot(self._columns.get(atom.GetSymbol(), len(self.elements)), len(self.elements) + 1),
            *_one_hot(min(atom.GetDegree(), DEGREES[-1]), len(DEGREES)),
            *_one_hot(min(atom.GetTotalNumHs(), HYDROGENS[-1]), len(HYDROGENS)),
            *_one_hot(min(max(atom.GetFormalCharge(), CHARGES[0]), CHARGES[-1]) - CHARGES[0], len(CHARGES)),
            *_one_hot(_index_in(HYBRIDS, str(atom.GetHybridization())), len(HYBRIDS) + 1),
            int(atom.GetIsAromatic()),
            *map(int, rings),
            int(atom.IsInRing() and not any(rings)),
            *(int(side == chirality) for chirality in SIDES),
        ]


def read_smiles(smiles: str, *, most_atoms: int | None = None) -> Any:
    """Return RDKit's molecule without explicit hydrogens; each atom knows its place in the SMILES."""
    text = smiles.strip()
    if not text:
        raise HeedfulError("the SMILES is empty: a molecule has at least one atom")
    if len(text) > MOST_LETTERS:
        raise HeedfulError(f"{_quoted(text)} has {len(text):,} letters, a SMILES of at most {MOST_LETTERS:,} is read")
    if len(text.split()) > 1:
        raise HeedfulError(f"{_quoted(text)} has a space in it. A SMILES has none: leave out the name of the molecule.")
    chem = need("rdkit.Chem", feature="Reading molecules", extra="molecules")
    if len(text) > LONG_SMILES:
        _check_size(text, _parsed(text, is_checked=False), most_atoms)
    molecule = _parsed(text)
    for atom in molecule.GetAtoms():
        atom.SetIntProp(_PLACE, atom.GetIdx())
    molecule.SetIntProp(_PLACE, molecule.GetNumAtoms())
    return quietly(lambda: chem.RemoveHs(molecule))[0]


def _parsed(text: str, *, is_checked: bool = True) -> Any:
    """Return RDKit's molecule with explicit hydrogens; unless it is checked, its rings are not looked for."""
    chem = need("rdkit.Chem", feature="Reading molecules", extra="molecules")
    params = chem.SmilesParserParams()
    params.removeHs = False
    params.sanitize = is_checked
    molecule, log = quietly(lambda: chem.MolFromSmiles(text, params))
    if molecule is None:
        raise HeedfulError(f"{_quoted(text)} is no SMILES of a molecule: {_reason(log)}")
    return molecule


def _check_size(text: str, molecule: Any, most_atoms: int | None) -> None:
    """Refuse a molecule that RDKit would take long to understand."""
    chem = need("rdkit.Chem", feature="Reading molecules", extra="molecules")
    if most_atoms is not None:
        _check_atoms(text, sum(atom.GetAtomicNum() != 1 for atom in molecule.GetAtoms()), most_atoms)
    rings = molecule.GetNumBonds() - molecule.GetNumAtoms() + len(chem.GetMolFrags(molecule))
    if rings > MOST_RINGS:
        raise HeedfulError(f"{_quoted(text)} has {rings:,} rings, a molecule of at most {MOST_RINGS:,} is read")


def _check_atoms(smiles: str, n: int, most: int) -> None:
    if n > most:
        raise HeedfulError(f"{_quoted(smiles)} has {n:,} atoms, at most {most:,} are read. Raise max_tokens to read it.")


def _readable(sources: Sequence[Any]) -> Iterator[Any]:
    """Yield the molecules that can be read: the others are a fault elsewhere."""
    for smiles in sources:
        with suppress(HeedfulError):
            yield read_smiles(smiles)


def _reason(log: str) -> str:
    """Return the first thing that RDKit says, and where it says it looks for the mistake."""
    lines = [line.strip() for line in _STAMP.sub("", log).splitlines() if line.strip()]
    if not lines:
        return "RDKit does not say why"
    where = next((line.rstrip(":") for line in lines if line.startswith("check for mistakes")), "")
    return where or re.sub(r" for input: .*| while parsing: .*", "", lines[0])


def _neighbours(molecule: Any, n_atoms: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return near and links (atom, near): itself first, then its bonds."""
    lists = [[(i, 1)] for i in range(n_atoms)]
    for bond in molecule.GetBonds():
        kind = FIRST_BOND + _index_in(BONDS, str(bond.GetBondType())) + (len(BONDS) + 1) * bond.IsInRing()
        first, second = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
        lists[first].append((second, kind))
        lists[second].append((first, kind))
    both = np.zeros((2, n_atoms, max(map(len, lists))), dtype=np.int32)
    for i, pairs in enumerate(lists):
        both[:, i, : len(pairs)] = np.array(pairs).T
    return both[0], both[1]


def _one_hot(index: int, n: int) -> list[int]:
    vector = [0] * n
    vector[index] = 1
    return vector


def _index_in(names: Sequence[str], name: str) -> int:
    """Return where a name stands; one that is not there stands after the last."""
    return names.index(name) if name in names else len(names)


def _quoted(smiles: str) -> str:
    """Return a SMILES in quotes, cut where it is long, with nothing in it that a terminal could take for a command."""
    text = smiles.strip()
    text = text if len(text) <= 60 else text[:59] + "…"
    return f"'{text}'" if text.isprintable() else repr(text)
