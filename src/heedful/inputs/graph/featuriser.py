"""Graphs to node vectors and neighbour lists."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.config import Config
from heedful.data.features import LINKS, NEAR, Item, Parts, parts_of_names
from heedful.data.input_spec import MAX_TOKENS, MAX_WIDTH, InputSpec, is_size
from heedful.errors import DataError, HeedfulError, ModelFolderError
from heedful.inputs.graph.graph import FIRST_KIND, MOST_CELLS, Graph, neighbours
from heedful.inputs.graph.graphml import graph_of, networkx_columns, networkx_kinds, opened

MOST_NODES = 100_000
MOST_TAGGED = 8_000  # if each node has a label, and weights over all other nodes
NEIGHBOURS, ALL = "neighbours", "all"


class GraphFeaturiser:
    """The columns of node vectors, the edge types, and whether nodes attend to their neighbours or to all nodes."""

    kind = "graph"

    def __init__(
        self,
        columns: Sequence[str],
        *,
        kinds: Sequence[str] = (),
        row_sum: float = 0.0,
        reach: str = NEIGHBOURS,
        directed: bool = False,
        max_tokens: int = MOST_NODES,
    ) -> None:
        if reach not in (NEIGHBOURS, ALL):
            raise HeedfulError(f"reach is {reach!r}, expected {NEIGHBOURS} or {ALL}")
        self.columns, self.kinds = tuple(columns), tuple(kinds)
        self.row_sum, self.reach, self.directed, self.max_tokens = row_sum, reach, directed, max_tokens

    @classmethod
    def learned(cls, sources: Iterable[Any], config: Config) -> GraphFeaturiser:
        """Return a featuriser whose columns and edge types cover these graphs.

        If all columns are indicators, vectors are scaled to a sum of 1 (as in Kipf and Welling), so that nodes with
        more attributes do not have larger vectors.
        """
        given = list(sources)
        columns, kinds = _columns_and_kinds(given)
        most = MOST_TAGGED if config.task == "tag" else MOST_NODES
        featuriser = cls(columns, kinds=kinds, reach=config.source.reach, max_tokens=most)
        featuriser.row_sum = 1.0 if featuriser.marks.all() else 0.0
        return featuriser

    @property
    def width(self) -> int:
        """Width of a node vector."""
        return len(self.columns)

    @property
    def shape(self) -> InputSpec:
        """The network takes vectors and, unless nodes attend to all nodes, typed edges (two types are reserved)."""
        return InputSpec(width=self.width, n_links=FIRST_KIND + max(1, len(self.kinds)) if self.reach != ALL else 0)

    @property
    def marks(self) -> NDArray[np.bool_]:
        """Mask (width,) of the indicator columns, which need no scaling."""
        return np.array(["=" in column for column in self.columns], dtype=np.bool_)

    def graph(self, source: Any) -> Graph:
        """Convert a GraphML path or a NetworkX graph, with the columns of this featuriser."""
        if isinstance(source, Graph):
            return source
        networkx_graph = opened(source)
        try:
            return graph_of(networkx_graph, self.columns).graph
        except HeedfulError as error:
            raise (DataError(source, str(error)) if isinstance(source, (str, Path)) else error) from None

    def features(self, source: Any) -> Item:
        """Return the node vectors and, unless nodes attend to all nodes, their neighbours."""
        graph = self.graph(source)
        self._check(graph)
        vectors = self._vectors(graph)
        if self.row_sum:
            vectors = vectors * (self.row_sum / np.maximum(np.abs(vectors).sum(axis=1, keepdims=True), 1e-12))
        if self.reach == ALL:
            return Item({"vectors": vectors})
        near, links = neighbours(graph, kinds=self.kinds, directed=self.directed)
        return Item({"vectors": vectors, NEAR: near, LINKS: links})

    def parts(self, source: Any) -> Parts:
        """Return the names of the nodes."""
        return parts_of_names(self.graph(source).names)

    def is_cut(self, _: Any) -> bool:
        """Return False: graphs are never truncated."""
        return False

    def _vectors(self, graph: Graph) -> NDArray[np.float32]:
        """Return the vectors (node, width) in our columns: missing indicators are 0, missing numbers are an error."""
        if graph.columns == self.columns or (not graph.columns and graph.width == self.width):
            return graph.vectors
        indices = {column: i for i, column in enumerate(graph.columns)}
        shared = [column for column in self.columns if column in indices]
        if not shared or any("=" not in column and column not in indices for column in self.columns):
            raise HeedfulError(
                f"the node vectors have width {graph.width}{_named(graph.columns)}, "
                f"expected {self.width}{_named(self.columns)}"
            )
        vectors = np.zeros((len(graph), self.width), dtype=np.float32)
        ours = {column: i for i, column in enumerate(self.columns)}
        vectors[:, [ours[column] for column in shared]] = graph.vectors[:, [indices[column] for column in shared]]
        return vectors

    def _check(self, graph: Graph) -> None:
        if len(graph) > self.max_tokens:
            raise HeedfulError(f"the graph has {len(graph):,} nodes, expected at most {self.max_tokens:,}")
        if self.reach == ALL and len(graph) ** 2 > MOST_CELLS:
            most = int(MOST_CELLS**0.5)
            raise HeedfulError(f"the graph has {len(graph):,} nodes, expected at most {most:,} if reach is {ALL!r}")

    def to_json(self) -> str:
        """Return the settings as JSON."""
        values = {
            "kind": self.kind,
            "columns": self.columns,
            "kinds": self.kinds,
            "row_sum": self.row_sum,
            "reach": self.reach,
            "directed": self.directed,
            "max_tokens": self.max_tokens,
        }
        return json.dumps(values, ensure_ascii=False, indent=0)

    @classmethod
    def from_json(cls, text: str) -> GraphFeaturiser:
        """Read the output of `to_json`."""
        try:
            values = json.loads(text)
            kind, columns, kinds = (values.pop(name) for name in ("kind", "columns", "kinds"))
            good = kind == cls.kind and all(isinstance(name, str) for name in [*columns, *kinds])
            good = good and is_size(len(columns), MAX_WIDTH) and is_size(values.get("max_tokens"), MAX_TOKENS)
            good = good and np.isfinite(values.get("row_sum", 0.0)) and len(kinds) <= MAX_WIDTH
            good = good and {key: type(value) for key, value in values.items()} == _OPTIONS
            if good:
                return cls(columns, kinds=kinds, **values)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, HeedfulError) as error:
            raise ModelFolderError(f"input.json is not readable: {error}") from None
        raise ModelFolderError("input.json is not readable: expected columns, kinds and options of graphs")


_OPTIONS = {"row_sum": float, "reach": str, "directed": bool, "max_tokens": int}


def _columns_and_kinds(sources: Sequence[Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    ours: list[Graph] = []
    others: list[Any] = []
    for source in sources:
        if isinstance(source, Graph):
            ours.append(source)
        else:
            others.append(opened(source))
    if ours and others:
        raise HeedfulError(f"found {len(ours)} heedful graphs and {len(others)} others, expected all of one type")
    if ours:
        return _same_columns(ours), _kinds_of(ours)
    return networkx_columns(others), networkx_kinds(others)


def _same_columns(graphs: Sequence[Graph]) -> tuple[str, ...]:
    first = graphs[0]
    for i, graph in enumerate(graphs):
        if (graph.width, graph.columns) != (first.width, first.columns):
            raise HeedfulError(
                f"graph {i + 1} has vectors of width {graph.width}{_named(graph.columns)}, "
                f"expected {first.width}{_named(first.columns)} as in graph 1"
            )
    return first.columns or tuple(str(i + 1) for i in range(first.width))


def _kinds_of(graphs: Sequence[Graph]) -> tuple[str, ...]:
    if any(graph.kinds is None for graph in graphs):
        return ()
    return tuple(sorted({kind for graph in graphs for kind in graph.kinds or ()}))


def _named(columns: Sequence[str]) -> str:
    names = ", ".join(columns[:4]) + (", …" if len(columns) > 4 else "")
    return f" ({names})" if columns else ""
