"""Graphs from GraphML, and from NetworkX."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.parsers import expat

import numpy as np

from heedful.data.files.lines import open_bytes
from heedful.errors import DataError, HeedfulError, need
from heedful.inputs.graph.columns import DEGREE, Cell, columns_of, number, vectors_of
from heedful.inputs.graph.graph import Graph, LabelledGraph

MOST_BYTES = 256 * 2**20  # of a file, uncompressed
MOST_ELEMENTS = 5_000_000
DEEPEST = 50  # nested elements
NOT_FEATURES = ("label", "split", "name", "id")
LABEL, SPLIT, KIND = "label", "split", "kind"


def is_networkx(source: object) -> bool:
    """Return whether this is a NetworkX graph, without importing NetworkX."""
    return any(cls.__module__.partition(".")[0] == "networkx" for cls in type(source).__mro__)


def read_graphml(path: str | Path) -> Any:
    """Read a GraphML file into a NetworkX graph, after a check for malicious XML."""
    networkx = need("networkx", feature="Reading GraphML", extra="graph")
    raw = _read(path)
    _Scan(path).check(raw)
    try:
        return networkx.parse_graphml(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise DataError(path, "not UTF-8, expected a GraphML file in UTF-8") from None
    except (networkx.NetworkXException, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(path, f"invalid GraphML: {error}") from None


def opened(source: Any) -> Any:
    """Return a NetworkX graph: the source itself, or the graph of a GraphML file."""
    if isinstance(source, (str, Path)):
        return read_graphml(source)
    if is_networkx(source):
        return source
    raise HeedfulError(
        f"found {type(source).__name__}, expected a graph: the path of a GraphML file, or a NetworkX graph"
    )


def networkx_columns(graphs: Iterable[Any]) -> tuple[str, ...]:
    """Return the columns that cover the nodes of all graphs."""
    return columns_of(cells for graph in graphs for cells in _all_cells(graph)) or (DEGREE,)


def networkx_kinds(graphs: Iterable[Any]) -> tuple[str, ...]:
    """Return the edge types, or none if any edge lacks a type."""
    all_kinds: set[str] = set()
    for graph in graphs:
        kinds = _kinds(graph)
        if kinds is None:
            return ()
        all_kinds.update(kinds)
    return tuple(sorted(all_kinds))


def graph_of(graph: Any, columns: Sequence[str] | None = None) -> LabelledGraph:
    """Convert a NetworkX graph: node attributes except label, split, name and id become features."""
    nodes = list(graph.nodes(data=True))
    columns = tuple(columns) if columns is not None else networkx_columns([graph])
    indices = {name: i for i, (name, _) in enumerate(nodes)}
    pairs = np.array([(indices[a], indices[b]) for a, b in graph.edges()], dtype=np.int64).reshape(-1, 2)
    cells = _all_cells(graph)
    if DEGREE in columns:
        degrees = np.bincount(pairs.reshape(-1), minlength=len(nodes))
        cells = [{DEGREE: float(n), **cell} for n, cell in zip(degrees, cells, strict=True)]
    names = tuple(str(name) for name, _ in nodes)
    converted = Graph(names, vectors_of(names, cells, columns), pairs, _kinds(graph), columns)
    labels, splits = (tuple(_answer(values, key) for _, values in nodes) for key in (LABEL, SPLIT))
    return LabelledGraph(converted, labels, splits)


def _kinds(graph: Any) -> tuple[str, ...] | None:
    kinds = [values.get(KIND) for _, _, values in graph.edges(data=True)]
    return tuple(map(str, kinds)) if kinds and None not in kinds else None


def _all_cells(graph: Any) -> list[dict[str, Cell]]:
    """Return the features of each node; GraphML's default values are in `node_default`."""
    default = graph.graph.get("node_default", {})
    return [_cells(f"node {name!r}", {**default, **values}) for name, values in graph.nodes(data=True)]


def _cells(owner: str, values: Mapping[str, Any]) -> dict[str, Cell]:
    """Return the features of a node: numbers, categorical texts, lists and arrays of numbers."""
    cells: dict[str, Cell] = {}
    for name, value in values.items():
        if name in NOT_FEATURES or value is None:
            continue
        if isinstance(value, str):
            cells[name] = frozenset([value])
        elif isinstance(value, (list, tuple, np.ndarray)):
            cells |= {f"{name}_{i + 1}": _number(f"{name}[{i}] of {owner}", part) for i, part in enumerate(value)}
        else:
            cells[name] = _number(f"{name} of {owner}", value)
    return cells


def _number(what: str, value: Any) -> float:
    parsed = number(value)
    if parsed is None:
        raise HeedfulError(f"{what} is {value!r:.40}, expected a finite number or a text")
    return parsed


def _answer(values: Mapping[str, Any], key: str) -> str | None:
    value = values.get(key)
    return None if value is None else str(value).strip() or None


def _read(path: str | Path) -> bytes:
    with open_bytes(path) as file:
        try:
            raw = file.read(MOST_BYTES + 1)
        except (OSError, EOFError) as error:
            raise DataError(path, f"the file is damaged: {error}") from None
    if len(raw) > MOST_BYTES:
        raise DataError(path, f"the file is larger than {MOST_BYTES // 2**20} MiB")
    return raw


class _Scan:
    """Scans an XML file for malicious content and for invalid nodes and edges."""

    def __init__(self, path: str | Path) -> None:
        self.path, self.n_elements, self.depth = path, 0, 0
        self.nodes: dict[str, int] = {}  # name → line
        self.ends: list[tuple[str, int]] = []  # ends of edges, with their lines
        self.parser = expat.ParserCreate()
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._element
        self.parser.EndElementHandler = self._end

    def check(self, raw: bytes) -> None:
        """Raise a DataError for the first problem."""
        try:
            self.parser.Parse(raw, True)
        except expat.ExpatError as error:
            raise DataError(self.path, f"not XML: {expat.ErrorString(error.code)}", line=error.lineno) from None
        if not self.nodes:
            raise DataError(self.path, "no nodes in this file, expected GraphML")
        for name, line in self.ends:
            if name not in self.nodes:
                raise DataError(self.path, f"an edge refers to {name!r}, which is not a node", line=line)

    def _doctype(self, *_: object) -> None:
        raise DataError(self.path, "the file has a DOCTYPE, which GraphML does not need: refused", line=self._line)

    def _element(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.n_elements, self.depth = self.n_elements + 1, self.depth + 1
        if self.depth > DEEPEST:
            raise DataError(self.path, f"more than {DEEPEST} nested elements", line=self._line)
        if self.n_elements > MOST_ELEMENTS:
            raise DataError(self.path, f"more than {MOST_ELEMENTS:,} elements", line=self._line)
        tag = tag.rpartition(":")[2]
        if tag == "node":
            self._node(attributes.get("id", ""))
        elif tag == "edge":
            self.ends += [(attributes.get(end, ""), self._line) for end in ("source", "target")]

    def _end(self, _: str) -> None:
        self.depth -= 1

    def _node(self, name: str) -> None:
        if name in self.nodes:
            raise DataError(self.path, f"node {name!r} was already defined in line {self.nodes[name]}", line=self._line)
        self.nodes[name] = self._line

    @property
    def _line(self) -> int:
        return self.parser.CurrentLineNumber
