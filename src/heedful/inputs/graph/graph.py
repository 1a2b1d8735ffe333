"""A graph: nodes with vectors, edges, and neighbour lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError, listed
from heedful.files.fingerprint import fingerprint

MOST_CELLS = 5_000_000  # nodes × neighbour slots: attention keeps a key and a value for each
MOST_NUMBERS = 100_000_000  # nodes × width
ITSELF, FIRST_KIND = 1, 2  # see `data/features.py`

Places = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Graph:
    """Named nodes with a vector each, and edges between node indices."""

    names: tuple[str, ...]
    vectors: NDArray[np.float32]  # (node, width)
    edges: NDArray[np.int64]  # (edge, 2): source and target node
    kinds: tuple[str, ...] | None = None  # (edge,): edge types, if there are several
    columns: tuple[str, ...] = ()  # (width,): names of the vector's columns, if any

    def __post_init__(self) -> None:
        object.__setattr__(self, "vectors", np.asarray(self.vectors, dtype=np.float32))
        object.__setattr__(self, "edges", np.asarray(self.edges, dtype=np.int64).reshape(-1, 2))
        _check_nodes(self)
        _check_edges(self)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"<graph {self.fingerprint()}: {len(self):,} nodes, {len(self.edges):,} edges>"

    @property
    def name(self) -> str:
        """A short description."""
        return f"graph of {len(self):,} nodes"

    def fingerprint(self) -> str:
        """Return a hash of the contents."""
        names = repr((self.names, self.kinds, self.columns)).encode("utf-8", "surrogatepass")
        return fingerprint(names, self.vectors.tobytes(), self.edges.tobytes())

    def keeping(self, kept: NDArray[np.bool_]) -> Graph:
        """Return the subgraph of these nodes (node,)."""
        stays = np.asarray(kept[self.edges]).all(axis=1)
        new_positions = np.cumsum(kept) - 1
        return Graph(
            tuple(self.names[i] for i in np.flatnonzero(kept)),
            self.vectors[kept],
            new_positions[self.edges[stays]],
            tuple(self.kinds[i] for i in np.flatnonzero(stays)) if self.kinds is not None else None,
            self.columns,
        )

    @property
    def width(self) -> int:
        """Width of a node vector."""
        return int(self.vectors.shape[1])


@dataclass(frozen=True, eq=False)
class LabelledGraph:
    """A graph whose nodes, or some of them, have labels."""

    graph: Graph
    labels: tuple[str | None, ...]  # (node,)
    splits: tuple[str | None, ...]  # (node,): train, dev, test, or another value, which is ignored
    named: tuple[str | None, str | None] = (None, None)  # the columns of names and labels


def neighbours(graph: Graph, *, kinds: Sequence[str] = (), directed: bool = False) -> tuple[Places, Places]:
    """Return the neighbours of each node (node, near), itself first, and the edge types (node, near).

    Edges count in both directions unless `directed`: then a node sees the sources of its incoming edges. `kinds` are
    the edge types; without any, all edges have the same type.
    """
    source, target, link = _links(graph, _numbers(graph, kinds), directed=directed)
    counts = np.bincount(target, minlength=len(graph))
    _check_cells(graph, counts)
    near = np.zeros((len(graph), int(counts.max(initial=0)) + 1), dtype=np.int32)
    links = np.zeros_like(near)
    near[:, 0], links[:, 0] = np.arange(len(graph)), ITSELF
    slot = (
        np.arange(len(target)) - np.repeat(np.cumsum(counts) - counts, counts) + 1
    )  # among the neighbours of its target
    near[target, slot], links[target, slot] = source, link
    return near, links


def _links(
    graph: Graph, numbers: NDArray[np.int64], *, directed: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the sources, targets and types of the distinct edges, ordered by target."""
    source, target = graph.edges[:, 0], graph.edges[:, 1]
    if not directed:
        source, target = np.concatenate([source, target]), np.concatenate([target, source])
        numbers = np.concatenate([numbers, numbers])
    is_between = source != target  # each node is already its own neighbour
    pairs = target[is_between] * len(graph) + source[is_between]
    pairs, first = np.unique(pairs, return_index=True)  # of duplicate edges, the first
    return pairs % len(graph), pairs // len(graph), numbers[is_between][first]


def _numbers(graph: Graph, kinds: Sequence[str]) -> NDArray[np.int64]:
    if not kinds:
        return np.full(len(graph.edges), FIRST_KIND, dtype=np.int64)
    if graph.kinds is None:
        raise HeedfulError(f"the edges have no kind, expected {listed(kinds)}")
    known = {kind: FIRST_KIND + i for i, kind in enumerate(kinds)}
    for (start, end), kind in zip(graph.edges, graph.kinds, strict=True):
        if kind not in known:
            edge = f"{graph.names[start]} – {graph.names[end]}"
            raise HeedfulError(f"the edge {edge} has the kind {kind!r}, expected one of {listed(kinds)}")
    return np.array([known[kind] for kind in graph.kinds], dtype=np.int64)


def _check_cells(graph: Graph, counts: NDArray[np.int64]) -> None:
    hub, most = int(counts.argmax()), int(counts.max())
    if len(graph) * (most + 1) > MOST_CELLS:
        raise HeedfulError(
            f"node {graph.names[hub]!r} has {most:,} neighbours, which takes {len(graph):,} × {most + 1:,} = "
            f"{len(graph) * (most + 1):,} neighbour slots, expected at most {MOST_CELLS:,}. "
            "Remove edges of the nodes with the most neighbours"
        )


def _check_nodes(graph: Graph) -> None:
    names, shape = graph.names, graph.vectors.shape
    if not names:
        raise HeedfulError("the graph has no nodes")
    if len(shape) != 2 or shape[0] != len(names):
        raise HeedfulError(f"vectors has the shape {shape}, expected ({len(names)}, width): one vector per node")
    if graph.columns and len(graph.columns) != shape[1]:
        raise HeedfulError(f"the vectors have width {shape[1]}, but there are {len(graph.columns)} column names")
    if len(set(names)) != len(names):
        twice, _ = Counter(names).most_common(1)[0]
        raise HeedfulError(f"node {twice!r} occurs twice")
    if not (good := np.isfinite(graph.vectors).all(axis=1)).all():
        raise HeedfulError(f"the vector of node {names[int(good.argmin())]!r} has a number that is not finite")


def _check_edges(graph: Graph) -> None:
    wrong = (graph.edges < 0) | (graph.edges >= len(graph.names))
    if wrong.any():
        edge, end = (int(i) for i in np.argwhere(wrong)[0])
        end_node = int(graph.edges[edge, end])
        raise HeedfulError(f"edges[{edge}] refers to node {end_node}, expected 0 to {len(graph.names) - 1}")
    if graph.kinds is not None and len(graph.kinds) != len(graph.edges):
        raise HeedfulError(f"there are {len(graph.edges)} edges, but {len(graph.kinds)} kinds")
