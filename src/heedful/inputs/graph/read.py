"""Graph files as examples: one graph with labelled nodes, or many graphs with a label each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from heedful.config import Config
from heedful.data.bad_rows import STRICT, BadRows
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
    path: str | Path, config: Config, *, asked: Columns, hints: Columns | None = None, faults: BadRows = STRICT
) -> tuple[list[Example], Columns]:
    """Read graphs with a label each, or one graph with labelled nodes: those of the test split if there is one."""
    if config.task != "tag":
        numbers = config.task == "regress"
        return read_labelled(path, asked, hints=hints, numbers=numbers, kind="graph", faults=faults)
    hints = hints or Columns()
    labelled = read_nodes(path, config, Columns(asked.text or hints.text, asked.label or hints.label))
    wanted_splits = TEST if any(split in TEST for split in labelled.splits) else None
    return [_example(labelled, wanted_splits)], Columns(*labelled.named)


def read_sources(
    path: str | Path, config: Config, *, asked: Columns, faults: BadRows = STRICT
) -> Iterator[tuple[Row, Any]]:
    """Yield graphs without labels: those listed in a table, or the single graph of a node file."""
    if config.task != "tag":
        yield from read_texts(path, text=asked.text, hint=config.data.text, kind="graph", faults=faults)
        return
    labelled = read_nodes(path, config, Columns(asked.text or config.data.text, None))
    yield Row({"graph": str(path)}, 1), labelled.graph


def read_sides(config: Config) -> tuple[list[Example], list[Example], Columns] | None:
    """Read both parts of the data from one graph whose nodes have labels; None if each graph has a label."""
    return read_node_sides(config.data.train or "", config) if config.task == "tag" else None


def read_node_sides(path: str | Path, config: Config) -> tuple[list[Example], list[Example], Columns]:
    """Read one graph with labelled nodes as two examples: with the training labels and with the validation labels.

    The split column decides; without it, a share of the nodes is held out for validation.
    """
    labelled = read_nodes(path, config, Columns(config.data.text, config.data.label))
    if not any(label is not None for label in labelled.labels):
        raise DataError(path, "no node has a label. Set data.label to the column that contains them")
    if any(split in (*TRAIN, *DEV) for split in labelled.splits):
        train, valid = _example(labelled, TRAIN), _example(labelled, DEV)
    else:
        train, valid = _held_out(labelled, config)
    for example, which in ((train, TRAIN[0]), (valid, DEV[0])):
        if not any(example.label):
            raise DataError(path, f"no labelled node is marked as {which} in the split column")
    return [train], [valid], Columns(*labelled.named)


def read_nodes(path: str | Path, config: Config, asked: Columns) -> LabelledGraph:
    """Read one graph with node labels from GraphML or from two tables."""
    if str(path).endswith(GRAPHML):
        try:
            return graph_of(read_graphml(path))
        except DataError:
            raise
        except HeedfulError as error:
            raise DataError(path, str(error)) from None
    settings = config.source
    if settings.edges is None:
        raise DataError(
            path, "a node table needs an edge table. Set source.edges to a file with columns source and target"
        )
    features = tuple(name.strip() for name in (settings.features or "").split(",") if name.strip())
    named = NodeColumns(asked.text, asked.label, settings.split, features)
    return read_tables(path, settings.edges, asked=named)


def _example(labelled: LabelledGraph, wanted_splits: Sequence[str] | None) -> Example:
    """Return the graph with the labels of these splits only, or with all labels."""
    pairs = zip(labelled.labels, labelled.splits, strict=True)
    return Example(
        labelled.graph, tuple(_kept(label, wanted_splits is None or split in wanted_splits) for label, split in pairs)
    )


def _held_out(labelled: LabelledGraph, config: Config) -> tuple[Example, Example]:
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
