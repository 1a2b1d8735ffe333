"""A molecule as a picture: its structure on grounds as strong as where the model looked, and as what each atom does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import Explanation
from heedful.inputs.molecule.drawing import Point, Structure, atom_letters, bond_lines, structure_of
from heedful.show.heatmaps.picture import CALM, DOUBT, MARGIN, MOST_WIDE, NARROWEST, Drawer
from heedful.show.heatmaps.units import UNITS, in_units
from heedful.show.heatmaps.view import ATTENTION_ONLY, HeatmapView, Row, view
from heedful.show.kit.svg import svg
from heedful.show.kit.svg.shades import FAINT
from heedful.show.kit.text.numbers import number
from heedful.show.kit.text.text_width import advance, fitted

ACCOUNT = (
    "Attention is where the model looked: it has no sign and belongs to no label. Effects have both: a blue atom "
    "speaks for what is named, an orange one with a dark ring against it."
)
LONGEST_BOND, SHORTEST_BOND = 34.0, 19.0  # panels side by side with shorter ones are stacked
HIGHEST, NARROWEST_PANEL = 640.0, 220.0  # of a panel; narrower ones are stacked
EDGE = 0.75  # around a structure, in bonds: the strongest ground, and letters
BETWEEN = 28.0  # panels
TOP, SMALLEST = 3, 0.0005  # atoms named below a panel, and what would be shown as 0
MOST_LETTERS = 400  # of a SMILES below the picture


def picture_of(explanation: Explanation, *, width: int = 760) -> str:
    """Return an SVG of the explanation of one molecule."""
    return molecule_picture(view(explanation), str(explanation.source or explanation.text), width=width)


def molecule_picture(drawn: HeatmapView, smiles: str, *, width: int = 760) -> str:
    """Return a picture of a view whose words are the atoms of a molecule."""
    if not NARROWEST <= width <= MOST_WIDE:
        raise HeedfulError(f"width is {width}, a picture is from {NARROWEST} to {MOST_WIDE} wide")
    structure = structure_of(smiles)
    if len(drawn.words) != len(structure.atoms):
        raise HeedfulError(f"found numbers for {len(drawn.words)} atoms, but the molecule has {len(structure.atoms)}")
    drawer = _MoleculeDrawer(width)
    drawer.heading(drawn)
    for line in drawn.remarks:
        drawer.note(line, DOUBT)
    for line in drawn.notes:
        drawer.soft(line)
    drawer.panels([_of_atoms(row) for row in drawn.rows[:2]], structure)
    drawer.letters(smiles.strip())
    if drawn.verdict:
        drawer.note(drawn.verdict.replace("`", "'"), DOUBT if drawn.is_doubtful else CALM)
    drawer.soft(drawn.account or (ACCOUNT if drawn.has_effects else ATTENTION_ONLY))
    title = f"{drawn.title} {drawn.value}".strip() or drawn.rows[0].name
    sentences = (_strongest(drawn.rows[0], structure), drawn.total)
    about = "".join(f"{each}. " for each in sentences if each) + f"{drawn.verdict} {smiles.strip()[:500]}"
    return svg.drawing(width, drawer.y + MARGIN, title=title, about=about, body="\n".join(drawer.drawn))


class _MoleculeDrawer(Drawer):
    """Draws the same structure once for each row: side by side, or, where that would be too small, stacked."""

    def panels(self, rows: list[Row], structure: Structure) -> None:
        """Draw a panel for each row."""
        half = (self.inner - BETWEEN) / 2
        is_wide = half >= NARROWEST_PANEL and _scale(structure, half) >= SHORTEST_BOND
        columns = 2 if len(rows) == 2 and is_wide else 1
        wide = half if columns == 2 else self.inner
        for start in range(0, len(rows), columns):
            panels = [_Panel(wide, self.y) for _ in rows[start : start + columns]]
            for panel, row in zip(panels, rows[start : start + columns], strict=True):
                panel.caption(row)
            top = max(panel.y for panel in panels)  # captions may be of different heights
            for i, (panel, row) in enumerate(zip(panels, rows[start : start + columns], strict=True)):
                panel.structure(row, structure, top)
                moved = f'<g transform="translate({i * (wide + BETWEEN):.1f} 0)">'
                self.drawn.append(moved + "\n".join(panel.drawn) + "</g>")
            self.y = max(panel.y for panel in panels)

    def letters(self, smiles: str) -> None:
        """Write the SMILES, broken wherever a line is full."""
        self.y += 10
        rest = smiles if len(smiles) <= MOST_LETTERS else smiles[: MOST_LETTERS - 1] + "…"
        while rest:
            line = rest if advance(rest) * 12 <= self.inner else fitted(rest, self.inner / 12).rstrip("…")
            self.y += 16
            self.drawn.append(svg.text(line, MARGIN, self.y, size=12, more=f'fill="{svg.SOFT}"'))
            rest = rest[len(line) :]


class _Panel(Drawer):
    """Draws one structure; the panel is moved to its place afterwards."""

    def __init__(self, inner: float, y: float) -> None:
        super().__init__(int(inner) + 2 * MARGIN)
        self.y = y

    def structure(self, row: Row, structure: Structure, top: float) -> None:
        """Draw grounds, then bonds, then letters, and name the strongest atoms below."""
        scale = _scale(structure, self.inner)
        letters = float(np.clip(scale * 0.46, 7.0, 15.0))
        high = (structure.size[1] + 2 * EDGE) * scale
        corner = np.array([self.width / 2 - structure.size[0] * scale / 2, top + EDGE * scale + 4])
        order = np.argsort(np.abs(row.shades), kind="stable")  # the strongest on top
        self.drawn += [_ground(corner + structure.points[i] * scale, float(row.shades[i]), scale, row) for i in order]
        self.drawn += [bond_lines(structure, b, corner=corner, scale=scale, letters=letters) for b in structure.bonds]
        places = corner + structure.points * scale
        self.drawn += [atom_letters(a, p, letters) for a, p in zip(structure.atoms, places, strict=True)]
        self.y = top + high + 4
        self._small([_strongest(row, structure)])


def _scale(structure: Structure, inner: float) -> float:
    """Return how long a bond is drawn, so that all has room."""
    wide, high = structure.size + 2 * EDGE
    return float(min(LONGEST_BOND, inner / wide, HIGHEST / high))


def _ground(place: Point, shade: float, scale: float, row: Row) -> str:
    if abs(shade) < FAINT:
        return ""
    colour = svg.shade_colour(shade, is_signed=row.is_signed)
    ring = f' stroke="{svg.EDGE}" stroke-width="1.4"' if shade < 0 else ""
    radius = scale * (0.3 + 0.2 * min(1.0, abs(shade)))
    return f'<circle cx="{place[0]:.1f}" cy="{place[1]:.1f}" r="{radius:.1f}" fill="{colour}"{ring}/>'


def _strongest(row: Row, structure: Structure) -> str:
    """Return the strongest atoms in words, each by its element and its number in the SMILES."""
    sizes = np.abs(np.nan_to_num(row.values))
    top = [int(i) for i in np.argsort(-sizes, kind="stable")[:TOP] if sizes[i] >= SMALLEST]
    atoms = [f"{structure.elements[i]} (atom {i + 1}) {number(float(row.values[i]), plus=row.is_signed)}" for i in top]
    return f"Strongest: {', '.join(atoms)}".replace("−", "-") if atoms else ""  # fonts of PNGs may have no minus sign


def _of_atoms(row: Row) -> Row:
    """Return a row that speaks of atoms where it speaks of words."""
    return replace(row, about=in_units(row.about, UNITS["molecule"]))
