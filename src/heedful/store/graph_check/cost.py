"""The cost of running a graph, known before it is run."""

from __future__ import annotations

from collections.abc import Mapping

from heedful.errors import ModelFolderError
from heedful.store.graph_check.graph_file import GraphFile, read_graph
from heedful.store.graph_check.protobuf import WireError
from heedful.store.graph_check.shape_rules import Size, size_of

BATCH, TIME = 2, 256  # a batch of the least size that every kind of model takes, and a long text
OTHER_AXES = 16  # characters of a word, neighbours of an atom and the like
MAX_ELEMENTS = 2**26  # of one tensor, for a text of TIME tokens
MAX_AT_LOAD = 2**24  # elements of all tensors beyond the weights, for a text of one token: what loading a model runs
MAX_USES = 16  # multiplications with each weight, for each token
MAX_OTHER_WORK = 2**32  # multiplications beyond that: tokens with tokens


def check_graph(content: bytes, *, name: str) -> None:
    """Raise where a graph has what our exporter does not write, or where running it costs too much."""
    try:
        graph = read_graph(content)
        _check_costs(graph, time=1, all_elements=MAX_AT_LOAD + 4 * graph.n_weights)
        _check_costs(graph, time=TIME, all_elements=None)
    except WireError as error:
        raise ModelFolderError(f"{name} is not a graph that heedful writes: {error}") from None


def _check_costs(graph: GraphFile, *, time: int, all_elements: int | None) -> None:
    sizes, total, work = _inputs(graph, time), 0, 0
    most_work = MAX_OTHER_WORK + MAX_USES * BATCH * time * graph.n_weights
    for node in graph.nodes:
        if missing := [name for name in node.inputs if name and name not in sizes]:
            raise WireError(f"{node.operator[:60]} takes {missing[0][:60]!r}, which no earlier node makes")
        given = [sizes[name] for name in node.inputs if name]
        size = size_of(node, given)
        is_constant = bool(given) and all(each.is_constant for each in given)
        total, work = total + size.elements, work + size.multiplications
        if size.elements > MAX_ELEMENTS + graph.n_weights or (all_elements is not None and total > all_elements):
            raise WireError(f"{node.operator} makes a tensor of shape {size.dims}, which is too large")
        if work > most_work:
            raise WireError(f"{node.operator} takes the graph beyond {most_work:.1g} multiplications")
        for output in node.outputs:
            if output in sizes:
                raise WireError(f"{output[:60]!r} is made twice")
            sizes[output] = Size(size.dims, size.numbers, is_constant)


def _inputs(graph: GraphFile, time: int) -> dict[str, Size]:
    axes: Mapping[str, int] = {"batch": BATCH, "time": time, "one or answers": 1}
    sizes = {
        name: Size(tuple(axes.get(dim, OTHER_AXES) if isinstance(dim, str) else dim for dim in dims))
        for name, dims in graph.inputs.items()
    }
    for name, constant in graph.constants.items():
        if name in sizes:  # an input with a default: a run may bring another
            continue
        sizes[name] = Size(constant.dims, constant.numbers, is_constant=True)
    return sizes
