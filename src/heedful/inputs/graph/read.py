"""Files of graphs as examples: one graph whose nodes have labels, or a label for each graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from heedful.config import Config
from heedful.data.bad_rows import STRICT, Faults
from heedful.data.columns import Columns
from heedful.data.example import Example, Row
from heedful.data.read import read_labelled, read_texts
from heedful.data.split import stratified_split
from heedful.errors import DataError, HeedfulError
from heedful.inputs.graph.graph import LabelledGraph
from heedful.inputs.graph.graphml import graph_of, read_graphml
from heedful.inputs.graph.tables import NodeColumns, read_tables

TRAIN, DEV, TEST = ("train", "training"), ("dev", "valid", "val", "validation"), ("test",)
GRAPHML = (".graphml", ".graphml.gz", ".xml")


def read_task_file(
    path: str | Path, config: Config, *, asked: Columns, hints: Columns | None = None, faults: Faults = STRICT
) -> tuple[list[Example], Columns]:
    """Read graphs with a label each; or the one graph whose nodes have labels: those for testing, where some are."""
    if config.task != "tag":
        numbers = config.task == "regress"
        return read_labelled(path, asked, hints=hints, numbers=numbers, kind="graph", faults=faults)
    hints = hints or Columns()
    labelled = read_nodes(path, config, Columns(asked.text or hints.text, asked.label or hints.label))
    parts = TEST if any(split in TEST for split in labelled.splits) else None
    return [_example(labelled, parts)], Columns(*labelled.named)


def read_sources(
    path: str | Path, config: Config, *, asked: Columns, faults: Faults = STRICT
) -> Iterator[tuple[Row, Any]]:
    """Yield graphs without their answers: the paths that stand in a table, or the one graph that a file of nodes is."""
    if config.task != "tag":
        yield from read_texts(path, text=asked.text, hint=config.data.text, kind="graph", faults=faults)
        return
    labelled = read_nodes(path, config, Columns(asked.text or config.data.text, None))
    yield Row({"graph": str(path)}, 1), labelled.graph


def read_sides(config: Config) -> tuple[list[Example], list[Example], Columns] | None:
    """Read both parts of the data from one graph whose nodes have labels; None if each graph has a label."""
    return read_node_sides(config.data.train or "", config) if config.task == "tag" else None


def read_node_sides(path: str | Path, config: Config) -> tuple[list[Example], list[Example], Columns]:
    """Read the one graph whose nodes have labels, twice: with the labels to learn from, and with those to check by.

    A column of splits says which are which; without it, a share of the nodes is kept back.
    """
    labelled = read_nodes(path, config, Columns(config.data.text, config.data.label))
    if not any(label is not None for label in labelled.labels):
        raise DataError(path, "no node has a label. Say --label NAME for the column that they stand in")
    if any(split in (*TRAIN, *DEV) for split in labelled.splits):
        train, valid = _example(labelled, TRAIN), _example(labelled, DEV)
    else:
        train, valid = _kept_back(labelled, config)
    for example, which in ((train, TRAIN[0]), (valid, DEV[0])):
        if not any(example.label):
            raise DataError(path, f"no node that has a label is marked as {which} in the column of splits")
    return [train], [valid], Columns(*labelled.named)


def read_nodes(path: str | Path, config: Config, asked: Columns) -> LabelledGraph:
    """Read one graph with its nodes' labels: from GraphML, or from two tables."""
    if str(path).endswith(GRAPHML):
        try:
            return graph_of(read_graphml(path))
        except DataError:
            raise
        except HeedfulError as error:
            raise DataError(path, str(error)) from None
    settings = config.source
    if settings.edges is None:
        raise DataError(path, "a file of nodes needs one of edges. Say --edges FILE, with columns source and target")
    features = tuple(name.strip() for name in (settings.features or "").split(",") if name.strip())
    named = NodeColumns(asked.text, asked.label, settings.split, features)
    return read_tables(path, settings.edges, asked=named)


def _example(labelled: LabelledGraph, parts: Sequence[str] | None) -> Example:
    """Return the graph with the labels of these parts alone, or with all."""
    pairs = zip(labelled.labels, labelled.splits, strict=True)
    return Example(labelled.graph, tuple(_kept(label, parts is None or split in parts) for label, split in pairs))


def _kept_back(labelled: LabelledGraph, config: Config) -> tuple[Example, Example]:
    known = [i for i, label in enumerate(labelled.labels) if label is not None]
    groups = [str(labelled.labels[i]) for i in known]
    held = {known[i] for i in stratified_split(groups, config.data.valid_share, seed=config.train.seed)[1]}
    sides = (
        tuple(_kept(label, (i in held) is is_held) for i, label in enumerate(labelled.labels))
        for is_held in (False, True)
    )
    train, valid = (Example(labelled.graph, labels) for labels in sides)
    return train, valid


def _kept(label: str | None, is_kept: bool) -> str:
    return label or "" if is_kept else ""
