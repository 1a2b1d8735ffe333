"""Where the atoms of a molecule are drawn, what is written on them, and the lines between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import need
from heedful.inputs.molecule.featuriser import read_smiles
from heedful.inputs.molecule.rdkit_log import quietly
from heedful.show.kit.svg import svg
from heedful.show.kit.text.text_width import advance

BOND = 1.5  # length of a bond as RDKit lays a molecule out
GAP, WEDGE = 0.11, 0.12  # between the lines of a double bond, half the end of a wedge: in bonds
APART = 1.6  # between the parts of a salt, in bonds
_SIDES = {  # of an atom, the first that is free being taken
    "right": np.array([1.0, 0.0]),
    "left": np.array([-1.0, 0.0]),
    "below": np.array([0.0, 1.0]),
    "above": np.array([0.0, -1.0]),
}
_ACIDS = ("F", "Cl", "Br", "I", "O", "S")  # alone: HCl and H₂O, but NH₃
_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SUPERSCRIPT = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
Point = NDArray[np.float64]  # (2,)


@dataclass(frozen=True)
class Atom:
    """What is written at an atom, nothing at a carbon in a chain; its hydrogens are where there is no bond."""

    symbol: str
    hydrogens: str = ""
    charge: str = ""
    side: str = "right"  # of the symbol, on which the hydrogens are


@dataclass(frozen=True)
class Bond:
    """Between which atoms, how many lines, and whether it is a wedge (towards us), a hash (away) or dashed."""

    first: int
    second: int
    lines: int
    form: str = ""  # wedge, hash, dash
    inner: Point | None = None  # the middle of the ring that it is in


@dataclass(frozen=True)
class Structure:
    """A molecule laid out flat, a bond being 1 long."""

    points: NDArray[np.float64]  # (atom, 2), y downwards, from 0 on
    elements: tuple[str, ...]
    atoms: tuple[Atom, ...]
    bonds: tuple[Bond, ...]

    @property
    def size(self) -> Point:
        """How wide and high it is, in bonds."""
        return np.asarray(self.points.max(axis=0))


def structure_of(smiles: str) -> Structure:
    """Return the drawn form of a molecule; its parts, if it has several, are side by side."""
    chem = need("rdkit.Chem", feature="Drawing molecules", extra="molecules")
    layout = need("rdkit.Chem.rdDepictor", feature="Drawing molecules", extra="molecules")
    molecule = chem.Mol(read_smiles(smiles))

    def lay_out() -> None:
        chem.Kekulize(molecule, clearAromaticFlags=True)
        layout.SetPreferCoordGen(False)
        layout.Compute2DCoords(molecule)
        layout.NormalizeDepiction(molecule, canonicalize=1)
        layout.StraightenDepiction(molecule)
        chem.WedgeMolBonds(molecule, molecule.GetConformer())

    quietly(lay_out)
    flat = molecule.GetConformer().GetPositions()[:, :2] * [1, -1] / BOND
    points = _side_by_side(flat, [list(part) for part in chem.GetMolFrags(molecule)])
    atoms = tuple(_atom(atom, points) for atom in molecule.GetAtoms())
    rings = [list(ring) for ring in molecule.GetRingInfo().AtomRings()]
    elements = tuple(atom.GetSymbol() for atom in molecule.GetAtoms())
    return Structure(points, elements, atoms, tuple(_bond(bond, points, rings) for bond in molecule.GetBonds()))


def _atom(atom: Any, points: NDArray[np.float64]) -> Atom:
    charge, hydrogens = atom.GetFormalCharge(), atom.GetTotalNumHs()
    if atom.GetSymbol() == "C" and not charge and not atom.GetIsotope() and atom.GetDegree():
        return Atom("")
    isotope = str(atom.GetIsotope()).translate(_SUPERSCRIPT) if atom.GetIsotope() else ""
    signs = f"{abs(charge) if abs(charge) > 1 else ''}{'+' if charge > 0 else '-'}".translate(_SUPERSCRIPT)
    count = str(hydrogens).translate(_SUBSCRIPT) if hydrogens > 1 else ""
    others = points[[other.GetIdx() for other in atom.GetNeighbors()]] - points[atom.GetIdx()]
    side = _free_side(others) if len(others) else "left" if atom.GetSymbol() in _ACIDS else "right"
    return Atom(isotope + atom.GetSymbol(), f"H{count}" if hydrogens else "", signs if charge else "", side)


def _free_side(bonds: NDArray[np.float64]) -> str:
    """Return the side that is farthest from all bonds (bond, 2) of an atom."""
    return min(_SIDES, key=lambda side: round(float((bonds @ _SIDES[side]).max()), 2))


def _side_by_side(points: NDArray[np.float64], parts: list[list[int]]) -> NDArray[np.float64]:
    """Put the parts of a salt beside each other, their middles on one line."""
    placed, right = points.copy(), 0.0
    for part in parts:
        low, high = points[part].min(axis=0), points[part].max(axis=0)
        placed[part] = points[part] - [low[0] - right, (low[1] + high[1]) / 2]
        right += float(high[0] - low[0]) + APART
    return np.asarray(placed - placed.min(axis=0))


def _bond(bond: Any, points: NDArray[np.float64], rings: list[list[int]]) -> Bond:
    first, second = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
    lines = {"SINGLE": 1, "DOUBLE": 2, "TRIPLE": 3}.get(str(bond.GetBondType()), 0)
    form = {"BEGINWEDGE": "wedge", "BEGINDASH": "hash"}.get(str(bond.GetBondDir()), "")
    own = sorted((ring for ring in rings if first in ring and second in ring), key=len)
    inner = points[own[0]].mean(axis=0) if own else None
    return Bond(first, second, lines or 1, form or ("" if lines else "dash"), inner)


def bond_lines(structure: Structure, bond: Bond, *, corner: Point, scale: float, letters: float) -> str:
    """Return the lines of a bond, ending before the letters of its atoms."""
    a, b = (corner + structure.points[i] * scale for i in (bond.first, bond.second))
    along = (b - a) / max(float(np.linalg.norm(b - a)), 1e-9)
    across = np.array([-along[1], along[0]])
    start, end = (_room(structure.atoms[i], letters) for i in (bond.first, bond.second))
    a, b = a + along * start, b - along * end
    if bond.form == "wedge":
        wide = across * WEDGE * scale
        return f'<path d="M{_at(a)}L{_at(b + wide)}L{_at(b - wide)}Z" fill="{svg.INK}"/>'
    if bond.form == "hash":
        return _stroke(_rungs(a, b, across * WEDGE * scale), scale)
    if bond.form == "dash":
        return _stroke([(a, b)], scale, more=' stroke-dasharray="3 2"')
    return _stroke(_beside(bond, a, b, across, corner, scale), scale)


def _beside(bond: Bond, a: Point, b: Point, across: Point, corner: Point, scale: float) -> list[tuple[Point, Point]]:
    """Return one line, two of them, the second within the ring if there is one, or three."""
    gap = across * GAP * scale
    if bond.lines == 1:
        return [(a, b)]
    if bond.lines == 3:
        return [(a, b), (a + 1.3 * gap, b + 1.3 * gap), (a - 1.3 * gap, b - 1.3 * gap)]
    if bond.inner is None:
        return [(a + gap * 0.75, b + gap * 0.75), (a - gap * 0.75, b - gap * 0.75)]
    inwards = np.sign(float(np.dot(corner + bond.inner * scale - (a + b) / 2, across))) or 1.0
    shift, short = gap * inwards * 1.5, (b - a) * 0.13
    return [(a, b), (a + shift + short, b + shift - short)]


def _rungs(a: Point, b: Point, wide: Point) -> list[tuple[Point, Point]]:
    shares = np.linspace(0.1, 1.0, 6)
    return [(a + (b - a) * s + wide * s, a + (b - a) * s - wide * s) for s in shares]


def _stroke(lines: list[tuple[Point, Point]], scale: float, *, more: str = "") -> str:
    steps = "".join(f"M{_at(a)}L{_at(b)}" for a, b in lines)
    return f'<path d="{steps}" fill="none" stroke="{svg.INK}" stroke-width="{max(1.0, scale / 18):.2f}"{more}/>'


def _room(atom: Atom, letters: float) -> float:
    return letters * 0.62 if atom.symbol else 0.0


def _at(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


def atom_letters(atom: Atom, place: Point, letters: float) -> str:
    """Return what is written at an atom, its symbol in the middle."""
    if not atom.symbol:
        return ""
    on_left, on_right = (atom.hydrogens if atom.side == side else "" for side in ("left", "right"))
    label = on_left + atom.symbol + on_right + atom.charge
    left = float(place[0]) - (advance(on_left) + advance(atom.symbol) / 2) * letters
    base = float(place[1]) + letters * 0.36
    written = svg.text(label, left, base, size=letters, length=advance(label) * letters)
    if atom.hydrogens and not on_left and not on_right:
        high = base + letters * (0.95 if atom.side == "below" else -0.95)
        middle = float(place[0]) - letters * advance("H") / 2
        written += svg.text(atom.hydrogens, middle, high, size=letters, length=advance(atom.hydrogens) * letters)
    return written
