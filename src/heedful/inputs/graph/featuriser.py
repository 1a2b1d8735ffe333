"""Graphs to vectors and neighbours: what a model of graphs knows about its input."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.config import Config
from heedful.data.features import LINKS, NEAR, Item, Parts, parts_of_names
from heedful.data.input_spec import MAX_TOKENS, MAX_WIDTH, InputShape, is_size
from heedful.errors import DataError, HeedfulError, ModelFolderError
from heedful.inputs.graph.graph import FIRST_KIND, MOST_CELLS, Graph, neighbours
from heedful.inputs.graph.graphml import graph_of, networkx_columns, networkx_kinds, opened

MOST_NODES = 100_000
MOST_TAGGED = 8_000  # where each node has a label, and weights over all the others
NEIGHBOURS, ALL = "neighbours", "all"


class GraphFeaturiser:
    """The columns of a node's vector, the kinds of edges, and whether a node sees its neighbours or all nodes."""

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
        """Return the featuriser in which all of these graphs can be told.

        Where vectors have nothing but 1 for what is there and 0 for what is not, all are scaled to a sum of 1 (as Kipf
        and Welling do): a node of which much is said is not larger for that.
        """
        given = list(sources)
        columns, kinds = _columns_and_kinds(given)
        most = MOST_TAGGED if config.task == "tag" else MOST_NODES
        featuriser = cls(columns, kinds=kinds, reach=config.source.reach, max_tokens=most)
        featuriser.row_sum = 1.0 if featuriser.marks.all() else 0.0
        return featuriser

    @property
    def width(self) -> int:
        """How many numbers a node's vector has."""
        return len(self.columns)

    @property
    def shape(self) -> InputShape:
        """Vectors come in, and unless each node sees all, links; with the kinds for none and for itself."""
        return InputShape(width=self.width, n_links=FIRST_KIND + max(1, len(self.kinds)) if self.reach != ALL else 0)

    @property
    def marks(self) -> NDArray[np.bool_]:
        """Which columns (width,) have 1 for what is there and 0 for what is not: they need no scale."""
        return np.array(["=" in column for column in self.columns], dtype=np.bool_)

    def graph(self, source: Any) -> Graph:
        """Return our graph for a path of GraphML or a graph of NetworkX, in the columns that were learned."""
        if isinstance(source, Graph):
            return source
        networkx_graph = opened(source)
        try:
            return graph_of(networkx_graph, self.columns).graph
        except HeedfulError as error:
            raise (DataError(source, str(error)) if isinstance(source, (str, Path)) else error) from None

    def features(self, source: Any) -> Item:
        """Return the nodes' vectors, and unless each sees all, their neighbours."""
        graph = self.graph(source)
        self._check(graph)
        vectors = self._told(graph)
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
        """Return False: a graph is read whole or not at all."""
        return False

    def _vectors(self, graph: Graph) -> NDArray[np.float32]:
        """Return the vectors (node, width) in our columns; what is not there is 0, but a number must be there."""
        if graph.columns == self.columns or (not graph.columns and graph.width == self.width):
            return graph.vectors
        indices = {column: i for i, column in enumerate(graph.columns)}
        shared = [column for column in self.columns if column in indices]
        if not shared or any("=" not in column and column not in indices for column in self.columns):
            raise HeedfulError(
                f"the vectors of the nodes are {graph.width} wide{_named(graph.columns)}, "
                f"the model expects {self.width}{_named(self.columns)}"
            )
        vectors = np.zeros((len(graph), self.width), dtype=np.float32)
        ours = {column: i for i, column in enumerate(self.columns)}
        vectors[:, [ours[column] for column in shared]] = graph.vectors[:, [indices[column] for column in shared]]
        return vectors

    def _check(self, graph: Graph) -> None:
        if len(graph) > self.max_tokens:
            raise HeedfulError(f"the graph has {len(graph):,} nodes, at most {self.max_tokens:,} are read")
        if self.reach == ALL and len(graph) ** 2 > MOST_CELLS:
            most = int(MOST_CELLS**0.5)
            raise HeedfulError(
                f"the graph has {len(graph):,} nodes; where each sees all, at most {most:,} are possible"
            )

    def to_json(self) -> str:
        """Return what `from_json` reads."""
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
        """Read what `to_json` wrote."""
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
            raise ModelFolderError(f"the input of the model is not readable: {error}") from None
        raise ModelFolderError("the input of the model is not readable: expected columns, kinds and options of graphs")


_OPTIONS = {"row_sum": float, "reach": str, "directed": bool, "max_tokens": int}


def _columns_and_kinds(sources: Sequence[Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    ours = [source for source in sources if isinstance(source, Graph)]
    others = [opened(source) for source in sources if not isinstance(source, Graph)]
    if ours and others:
        raise HeedfulError(f"found {len(ours)} graphs of heedful and {len(others)} others, expected all of one sort")
    if ours:
        return _same_columns(ours), _kinds_of(ours)
    return networkx_columns(others), networkx_kinds(others)


def _same_columns(graphs: Sequence[Graph]) -> tuple[str, ...]:
    first = graphs[0]
    for i, graph in enumerate(graphs):
        if (graph.width, graph.columns) != (first.width, first.columns):
            raise HeedfulError(
                f"graph {i + 1} has vectors {graph.width} wide{_named(graph.columns)}, "
                f"graph 1 {first.width} wide{_named(first.columns)}"
            )
    return first.columns or tuple(str(i + 1) for i in range(first.width))


def _kinds_of(graphs: Sequence[Graph]) -> tuple[str, ...]:
    if any(graph.kinds is None for graph in graphs):
        return ()
    return tuple(sorted({kind for graph in graphs for kind in graph.kinds or ()}))


def _named(columns: Sequence[str]) -> str:
    names = ", ".join(columns[:4]) + (", …" if len(columns) > 4 else "")
    return f" ({names})" if columns else ""
