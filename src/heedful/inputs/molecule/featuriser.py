"""Molecules: SMILES strings to atom vectors and bonds, parsed by RDKit."""

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
from heedful.data.input_spec import MAX_TOKENS, MAX_WIDTH, SURROUNDINGS, InputSpec, is_size
from heedful.errors import HeedfulError, ModelFolderError, need
from heedful.inputs.molecule.descriptors import NAMES, atom_shares
from heedful.inputs.molecule.environments import Environments
from heedful.inputs.molecule.rdkit_log import quietly

ELEMENTS = (
    "C", "N", "O", "F", "P", "S", "Cl", "Br", "I", "B", "Si", "Se", "Na", "K", "Ca", "Li", "Mg", "Al", "Fe", "Cu",
    "Zn", "Mn", "Co", "Ni", "As", "Sb", "Sn", "Pt", "Hg", "H",
)  # fmt: skip
MOST_ATOMS = 500  # by default: a drug has 20 to 50
MOST_CHARACTERS = 20_000  # characters of a SMILES: longer ones are refused before RDKit parses them
MOST_RINGS = 250  # RDKit takes seconds to find the rings of a graph with more; C240 has 121
LONG_SMILES = 1000  # characters: the rings of a longer SMILES are counted before RDKit searches for them
DEGREES, HYDROGENS, CHARGES, RINGS = range(7), range(5), range(-2, 3), range(3, 9)
HYBRIDS = ("SP", "SP2", "SP3")
SIDES = ("R", "S")  # chirality
BONDS = ("SINGLE", "DOUBLE", "TRIPLE", "AROMATIC")
FIRST_BOND = 2  # edge types: 0 padding, 1 the atom itself, then bond types outside rings, then in rings
N_LINKS = FIRST_BOND + 2 * (len(BONDS) + 1)
VERSIONS = (1, 2, 3)  # of the atom features, as recorded in the model folder
_ATOM = re.compile(r"\[[^\]]*\]|Br|Cl|[BCNOFPSI]|[bcnops]|\*")  # the atoms of a SMILES, in order
_STAMP = re.compile(r"^\[[\d:]+\] (SMILES Parse Error: )?", re.MULTILINE)
_INDEX = "heedful_index"  # an atom's index in the SMILES, before explicit hydrogens are removed


class MoleculeFeaturiser:
    """Turns SMILES into a vector of RDKit features for each atom, mostly one-hot.

    | columns                        | contents                                                            |
    |--------------------------------|---------------------------------------------------------------------|
    | elements, and one more         | element; the last column for all others                             |
    | 7, 5, 5                        | bonds (0–6), hydrogens (0–4) and charge (−2–2), each clipped        |
    | 3, and one more                | sp, sp2, sp3; the last column for all others                        |
    | 1, 6                           | aromatic; in a ring of 3–8 (8: or more) atoms                       |
    | 2                              | chirality (R, S)                                                    |
    | 8, from version 2 on           | contributions to logP, mass and other properties (atom_shares)      |
    | 1                              | ln(number of atoms): weights that sum to 1 cannot encode size       |

    From version 3 on, there are also the ids of each atom's environments.
    """

    kind = "molecule"

    def __init__(
        self,
        *,
        max_tokens: int = MOST_ATOMS,
        elements: Sequence[str] = ELEMENTS,
        has_links: bool = True,
        version: int = VERSIONS[1],
        surroundings: Environments | None = None,
    ) -> None:
        self.max_tokens, self.elements, self.has_links = max_tokens, tuple(elements), has_links
        self.version, self.surroundings = 3 if surroundings else version, surroundings
        self._columns = {element: i for i, element in enumerate(self.elements)}
        ranges = (DEGREES, HYDROGENS, CHARGES)
        self.width = len(self.elements) + 1 + sum(map(len, ranges)) + len(HYBRIDS) + 1 + 1 + len(RINGS) + len(SIDES) + 1
        self.width += len(NAMES) if version > 1 else 0

    @classmethod
    def learned(cls, sources: Sequence[Any], config: Config) -> MoleculeFeaturiser:
        """Return a featuriser for these settings, with the frequent environments of the molecules."""
        bonds, text = config.source.surroundings, config.text
        environments = None
        if bonds:
            molecules = _readable(sources)
            environments = Environments.learned(molecules, bonds=bonds, min_count=text.min_count, most=text.vocab_size)
        return cls(max_tokens=text.max_tokens, has_links=config.source.reach == "neighbours", surroundings=environments)

    @property
    def shape(self) -> InputSpec:
        """The network takes atoms, their environments and, unless atoms attend to all atoms, their bonds."""
        atoms = InputSpec(width=self.width, n_links=N_LINKS if self.has_links else 0)
        return self.surroundings.shape(atoms) if self.surroundings else atoms

    def features(self, smiles: str) -> Item:
        """Return the vectors (atom, width), environments and bonds of a molecule."""
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
        """Return the SMILES and the span of each atom in it."""
        molecule = self.molecule(smiles)
        text = smiles.strip()
        spans = [match.span() for match in _ATOM.finditer(text)]
        order = [atom.GetIntProp(_INDEX) for atom in molecule.GetAtoms()]
        if len(spans) == molecule.GetIntProp(_INDEX):
            return Parts(text, [spans[i] for i in order], [1] * len(order))
        return parts_of_names([f"{atom.GetSymbol()}{atom.GetIdx() + 1}" for atom in molecule.GetAtoms()])

    def is_cut(self, smiles: str) -> bool:
        """Return False: molecules are never truncated, those that are too large are refused."""
        del smiles
        return False

    def molecule(self, smiles: str) -> Any:
        """Return the RDKit molecule, or raise if the SMILES is invalid or too large."""
        parsed = read_smiles(smiles, most_atoms=self.max_tokens)
        _check_atoms(smiles, parsed.GetNumAtoms(), self.max_tokens)
        return parsed

    def to_json(self) -> str:
        """Return the settings as JSON."""
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
        """Read the output of `to_json`."""
        try:
            values = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ModelFolderError(f"input.json is not readable: {error}") from None
        if not isinstance(values, dict) or values.get("input") != cls.kind:
            raise ModelFolderError(f"input.json does not describe molecules: {text[:80]!r}")
        most, elements = values.get("max_tokens"), values.get("elements")
        if not isinstance(most, int) or not is_size(most, MAX_TOKENS):
            raise ModelFolderError(f"input.json: max_tokens is {most!r:.40}, expected 1 to {MAX_TOKENS:,}")
        if (
            not isinstance(elements, list)
            or len(elements) > MAX_WIDTH
            or not all(isinstance(element, str) for element in elements)
        ):
            raise ModelFolderError("input.json: elements is not a list of names")
        version = values.get("features", 1)  # absent in the first folders
        if type(version) is not int or version not in VERSIONS:
            raise ModelFolderError(
                f"input.json: features is {version!r}, expected one of {', '.join(map(str, VERSIONS))}. "
                "A newer heedful may be able to read it."
            )
        environments = Environments.from_tree(values.get(SURROUNDINGS)) if version == VERSIONS[2] else None
        has_links = bool(values.get("has_links", True))
        return cls(max_tokens=most, elements=elements, has_links=has_links, version=version, surroundings=environments)

    def _vector(self, atom: Any) -> list[int]:
        """Return the one-hot columns of an atom."""
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
    """Parse a SMILES into an RDKit molecule without explicit hydrogens; atoms keep their index in the SMILES."""
    text = smiles.strip()
    if not text:
        raise HeedfulError("the SMILES is empty, expected at least one atom")
    if len(text) > MOST_CHARACTERS:
        raise HeedfulError(f"{_quoted(text)} has {len(text):,} characters, expected at most {MOST_CHARACTERS:,}")
    if len(text.split()) > 1:
        raise HeedfulError(f"{_quoted(text)} contains a space, expected a SMILES only. Remove the molecule's name.")
    chem = need("rdkit.Chem", feature="Reading molecules", extra="molecules")
    if len(text) > LONG_SMILES:
        _check_size(text, _parsed(text, is_checked=False), most_atoms)
    molecule = _parsed(text)
    for atom in molecule.GetAtoms():
        atom.SetIntProp(_INDEX, atom.GetIdx())
    molecule.SetIntProp(_INDEX, molecule.GetNumAtoms())
    return quietly(lambda: chem.RemoveHs(molecule))[0]


def _parsed(text: str, *, is_checked: bool = True) -> Any:
    """Parse a SMILES with explicit hydrogens; rings are only searched if `is_checked`."""
    chem = need("rdkit.Chem", feature="Reading molecules", extra="molecules")
    params = chem.SmilesParserParams()
    params.removeHs = False
    params.sanitize = is_checked
    molecule, log = quietly(lambda: chem.MolFromSmiles(text, params))
    if molecule is None:
        raise HeedfulError(f"{_quoted(text)} cannot be parsed as SMILES: {_reason(log)}")
    return molecule


def _check_size(text: str, molecule: Any, most_atoms: int | None) -> None:
    """Raise for a molecule that would take RDKit too long."""
    chem = need("rdkit.Chem", feature="Reading molecules", extra="molecules")
    if most_atoms is not None:
        _check_atoms(text, sum(atom.GetAtomicNum() != 1 for atom in molecule.GetAtoms()), most_atoms)
    rings = molecule.GetNumBonds() - molecule.GetNumAtoms() + len(chem.GetMolFrags(molecule))
    if rings > MOST_RINGS:
        raise HeedfulError(f"{_quoted(text)} has {rings:,} rings, expected at most {MOST_RINGS:,}")


def _check_atoms(smiles: str, n: int, most: int) -> None:
    if n > most:
        raise HeedfulError(f"{_quoted(smiles)} has {n:,} atoms, expected at most {most:,}. Raise text.max_tokens.")


def _readable(sources: Sequence[Any]) -> Iterator[Any]:
    """Yield the molecules that can be parsed; the others are reported elsewhere."""
    for smiles in sources:
        with suppress(HeedfulError):
            yield read_smiles(smiles)


def _reason(log: str) -> str:
    """Return the first message of RDKit, or the line that locates the mistake."""
    lines = [line.strip() for line in _STAMP.sub("", log).splitlines() if line.strip()]
    if not lines:
        return "RDKit gives no reason"
    where = next((line.rstrip(":") for line in lines if line.startswith("check for mistakes")), "")
    return where or re.sub(r" for input: .*| while parsing: .*", "", lines[0])


def _neighbours(molecule: Any, n_atoms: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the neighbours and bond types of each atom (atom, near), itself first."""
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
    """Return the index of a name, or the number of names if it is unknown."""
    return names.index(name) if name in names else len(names)


def _quoted(smiles: str) -> str:
    """Return a SMILES in quotes, truncated, with control characters escaped."""
    text = smiles.strip()
    text = text if len(text) <= 60 else text[:59] + "…"
    return f"'{text}'" if text.isprintable() else repr(text)
