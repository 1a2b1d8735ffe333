"""A graph as a picture: its nodes on grounds as strong as where the model looked, and as what each node does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import Explanation
from heedful.inputs.graph.graph import Graph
from heedful.inputs.graph.graphml import graph_of, opened
from heedful.inputs.graph.layout import Points, laid_out
from heedful.show.heatmaps.description import description
from heedful.show.heatmaps.picture import CALM, DOUBT, MARGIN, MOST_WIDE, NARROWEST, Drawer
from heedful.show.heatmaps.units import UNITS, in_units
from heedful.show.heatmaps.view import ATTENTION_ONLY, HeatmapView, Row, view
from heedful.show.kit.svg import svg
from heedful.show.kit.svg.shades import FAINT
from heedful.show.kit.text.text_width import advance, fitted

ACCOUNT = (
    "Attention is where the model looked: it has no sign and belongs to no label. Effects have both: a blue node "
    "speaks for the label that is named, an orange one with a dark ring against it."
)
MOST_NODES, MOST_AROUND, FAR = 150, 60, 2  # drawn whole up to this; of a larger graph, so many so few steps away
NODE, HALO, NAME = 5.0, 17.0, 11.0  # radius of a node, of the strongest ground; size of letters
LONGEST = 9.0  # em of a name
EDGES = 2 * HALO + 24  # above and below the nodes: the strongest ground, and a name
EDGE_COLOUR = "#b4bcc6"
OUTLINED = f'stroke="{svg.PAPER}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"'  # edges pass behind


def picture_of(explanation: Explanation, *, width: int = 760) -> str:
    """Return the picture of an explanation whose input was a graph: ours, a path of GraphML, or one of NetworkX."""
    source = explanation.source
    graph = source if isinstance(source, Graph) else graph_of(opened(source), ()).graph
    return graph_picture(view(explanation), graph, width=width, node=_asked_about(explanation))


def graph_picture(drawn: HeatmapView, source: Graph, *, width: int = 760, node: str | None = None) -> str:
    """Return a picture of a view whose words are the nodes of a graph.

    Of a large graph, what lies around one node is drawn: the one that is named, or else the strongest.
    """
    if not NARROWEST <= width <= MOST_WIDE:
        raise HeedfulError(f"width is {width}, a picture is from {NARROWEST} to {MOST_WIDE} wide")
    if len(drawn.words) != len(source):
        raise HeedfulError(f"found numbers for {len(drawn.words)} nodes, but the graph has {len(source)}")
    plan = _plan(drawn.rows[0], source, node)
    drawer = _GraphDrawer(width, source, plan)
    drawer.heading(drawn)
    for line in drawn.remarks:
        drawer.note(line, DOUBT)
    for line in (_about(source, plan), *drawn.notes):
        drawer.soft(line)
    for row in drawn.rows[:2]:
        drawer.caption(replace(row, about=in_units(row.about, UNITS["graph"])))
        drawer.graph(row)
    if drawn.verdict:
        drawer.note(drawn.verdict.replace("`", "'"), DOUBT if drawn.is_doubtful else CALM)
    drawer.soft(drawn.account or (ACCOUNT if drawn.has_effects else ATTENTION_ONLY))
    title = f"{drawn.title} {drawn.value}".strip() or drawn.rows[0].name
    return svg.drawing(width, drawer.y + MARGIN, title=title, about=description(drawn), body="\n".join(drawer.drawn))


def _asked_about(explanation: Explanation) -> str | None:
    """Return the node whose label is explained: it has no effect of its own."""
    for effects in explanation.effects.values():
        if np.isnan(effects).sum() == 1:
            return explanation.words[int(np.isnan(effects).argmax())].text
    return None


@dataclass(frozen=True)
class _Plan:
    """Which nodes are drawn, where, and around which one."""

    nodes: NDArray[np.int64]
    edges: NDArray[np.int64]  # (edge, 2) among these, by their places in `nodes`
    points: Points
    centre: int | None  # its place in `nodes`


class _GraphDrawer(Drawer):
    """Draws the same graph once for each row."""

    def __init__(self, width: int, graph: Graph, plan: _Plan) -> None:
        super().__init__(width)
        self.names, self.plan = [graph.names[i] for i in plan.nodes], plan
        self.top = float(plan.points[:, 1].min(initial=1.0))
        tall = float(np.clip(110 + 34 * len(plan.nodes) ** 0.5, 150, 520)) - EDGES
        self.scale = np.array([self.inner - 2 * HALO - 40, tall])
        self.high = EDGES + tall * max(0.0, float(plan.points[:, 1].max(initial=0.0)) - self.top)  # a path is flat

    def graph(self, row: Row) -> None:
        """Draw edges, then grounds, then nodes, and the names that there is room for, the strongest first."""
        places = np.array([MARGIN + HALO + 20, self.y + HALO + 8]) + (self.plan.points - [0, self.top]) * self.scale
        shades = row.shades[self.plan.nodes]
        self.drawn.append(_lines(places, self.plan.edges))
        self.drawn += [_ground(x, y, shade, row.is_signed) for x, y, shade in _weakest_first(places, shades)]
        self.drawn += [_node(x, y, shade, row.is_signed) for x, y, shade in _weakest_first(places, shades)]
        if self.plan.centre is not None:
            x, y = places[self.plan.centre]
            self.drawn.append(_circle(x, y, NODE + 4, f'fill="none" stroke="{svg.INK}" stroke-width="1.2"'))
        self._words(places, shades)
        self.y += self.high

    def _words(self, places: Points, shades: NDArray[np.float32]) -> None:
        taken = [(x - NODE, y - NODE, x + NODE, y + NODE) for x, y in places]
        strongest = sorted(range(len(shades)), key=lambda i: (i != self.plan.centre, -abs(float(shades[i])), i))
        for i in strongest:
            name = fitted(self.names[i], LONGEST)
            wide = advance(name) * NAME
            ring = NODE + 4 if i == self.plan.centre else NODE
            for x, y in _sides(places[i], wide, max(ring, _radius(float(shades[i])))):
                box = (x, y - NAME * 0.8, x + wide, y + NAME * 0.25)
                inside = box[0] >= 2 and box[2] <= self.width - 2 and box[3] <= self.y + self.high + 4
                if inside and not any(_overlap(box, other) for other in taken):
                    taken.append(box)
                    self.drawn.append(svg.text(name, x, y, size=NAME, length=wide, more=OUTLINED))
                    break


def _plan(row: Row, graph: Graph, node: str | None) -> _Plan:
    if node is not None and node not in graph.names:
        raise HeedfulError(f"there is no node {node!r} in this graph")
    centre = graph.names.index(node) if node is not None else int(np.abs(row.shades).argmax())
    is_whole = len(graph) <= MOST_NODES
    nodes = np.arange(len(graph)) if is_whole else _around(graph, centre, np.abs(row.shades))
    places = np.full(len(graph), -1)
    places[nodes] = np.arange(len(nodes))
    edges = places[graph.edges]
    edges = edges[(edges >= 0).all(axis=1) & (edges[:, 0] != edges[:, 1])]
    marked = int(places[centre]) if node is not None or not is_whole else None
    return _Plan(nodes, edges, laid_out(len(nodes), edges), marked)


def _around(graph: Graph, centre: int, strength: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return the nodes few steps away, nearer ones and among these stronger ones first."""
    nodes, front = [centre], np.array([centre])
    for _ in range(FAR):
        touched = np.isin(graph.edges, front).any(axis=1)
        front = np.setdiff1d(graph.edges[touched], nodes)
        front = front[np.argsort(-strength[front], kind="stable")][: MOST_AROUND - len(nodes)]
        nodes += front.tolist()
    return np.array(nodes, dtype=np.int64)


def _lines(places: Points, edges: NDArray[np.int64]) -> str:
    steps = "".join(f"M{places[a][0]:.1f} {places[a][1]:.1f}L{places[b][0]:.1f} {places[b][1]:.1f}" for a, b in edges)
    return f'<path d="{steps}" fill="none" stroke="{EDGE_COLOUR}" stroke-width="1.1"/>' if steps else ""


def _ground(x: float, y: float, shade: float, is_signed: bool) -> str:
    if abs(shade) < FAINT:
        return ""
    colour = svg.shade_colour(shade, is_signed=is_signed)
    more = f'fill="{colour}"' + (f' stroke="{svg.EDGE}" stroke-width="1.6"' if shade < 0 else "")
    return _circle(x, y, _radius(shade), more)


def _radius(shade: float) -> float:
    """Return how far a node reaches with its ground."""
    return NODE if abs(shade) < FAINT else NODE + 3 + (HALO - NODE - 3) * min(1.0, abs(shade))


def _node(x: float, y: float, shade: float, is_signed: bool) -> str:
    fill = svg.PAPER if abs(shade) < FAINT else svg.shade_colour(shade, is_signed=is_signed)
    return _circle(x, y, NODE, f'fill="{fill}" stroke="{svg.SOFT}"')


def _circle(x: float, y: float, radius: float, more: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" {more}/>'


def _weakest_first(places: Points, shades: NDArray[np.float32]) -> list[tuple[float, float, float]]:
    return [
        (float(places[i, 0]), float(places[i, 1]), float(shades[i])) for i in np.argsort(np.abs(shades), kind="stable")
    ]


def _sides(place: Points, wide: float, radius: float) -> list[tuple[float, float]]:
    """Return where a name may begin: below, above, to the right, to the left of its node."""
    x, y = float(place[0]), float(place[1])
    middle, beside = x - wide / 2, y + NAME * 0.35
    below, above, gap = y + radius + NAME, y - radius - 4, radius + 3
    return [(middle, below), (x + gap, beside), (x - gap - wide, beside), (middle, above)]


def _overlap(first: Sequence[float], other: Sequence[float]) -> bool:
    return first[0] < other[2] and other[0] < first[2] and first[1] < other[3] and other[1] < first[3]


def _about(graph: Graph, plan: _Plan) -> str:
    whole = f"A graph of {len(graph):,} nodes and {len(graph.edges):,} edges"
    if len(plan.nodes) == len(graph) or plan.centre is None:
        return whole
    return f"{whole}: {len(plan.nodes)} nodes around {graph.names[plan.nodes[plan.centre]]} are drawn"
