"""Explanation of the label of one node."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError, did_you_mean
from heedful.explain.attention.explanation import LEAVE_ONE_OUT, Explanation
from heedful.inputs.graph.featuriser import ALL, GraphFeaturiser
from heedful.inputs.graph.graph import Graph
from heedful.tasks.tag.explain import explain_word

if TYPE_CHECKING:
    from heedful.tasks.tag.model import Tagger

MOST_AT_ONCE = 300  # nodes, each with weights over all nodes
FEW_TO_GUESS = 5_000  # names: with more, the search for similar names takes too long


def explain_node(
    model: Tagger,
    source: Any,
    node: int | str,
    *,
    methods: str | Collection[str] = (LEAVE_ONE_OUT,),
    label: str | None = None,
) -> Explanation:
    """Explain the label of one node, given by its name or its number from 1.

    Each layer reaches one edge further, so only nodes within that distance can affect the label and are included.
    """
    featuriser = cast("GraphFeaturiser", model.featuriser)
    graph = featuriser.graph(source)
    at = _index(graph, node)
    steps = len(graph) if featuriser.reach == ALL else model.config.model.n_layers + 1
    kept = around(graph, at, steps)
    explanation = explain_word(model, graph.keeping(kept), int(kept[:at].sum()) + 1, methods=methods, label=label)
    about = f"This explains the label of node {graph.names[at]}."
    if not kept.all():
        about += f" It shows the {int(kept.sum()):,} nodes at most {steps} edges away; no other node affects the label."
    return replace(explanation, notes=(about, *explanation.notes[1:]))


def check_few(model: Tagger, sources: Sequence[Any]) -> None:
    """Raise if a graph is too large to explain all of its nodes at once."""
    for source in sources:
        n = len(cast("GraphFeaturiser", model.featuriser).graph(source))
        if n > MOST_AT_ONCE:
            raise HeedfulError(
                f"the graph has {n:,} nodes, and at most {MOST_AT_ONCE} can be explained at once. "
                "Choose a node with word=NAME"
            )


def around(graph: Graph, at: int, steps: int) -> NDArray[np.bool_]:
    """Return a mask (node,) of the nodes at most `steps` edges away."""
    kept = np.zeros(len(graph), dtype=np.bool_)
    kept[at] = True
    for _ in range(steps):
        ends = graph.edges[kept[graph.edges].any(axis=1)]
        if kept[ends].all():
            break
        kept[ends] = True
    return kept


def _index(graph: Graph, node: int | str) -> int:
    if isinstance(node, str):
        if node in graph.names:
            return graph.names.index(node)
        suggestion = did_you_mean(node, graph.names) if len(graph) <= FEW_TO_GUESS else ""
        raise HeedfulError(f"there is no node {node!r} in this graph.{suggestion}")
    if not 1 <= node <= len(graph):
        raise HeedfulError(f"there is no node {node}: expected 1 to {len(graph)}, or a name")
    return node - 1
