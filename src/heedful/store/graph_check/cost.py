"""Upper bounds on the cost of running a graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from heedful.errors import ModelFolderError
from heedful.store.graph_check.graph_file import GraphFile, Node, read_graph
from heedful.store.graph_check.protobuf import WireError
from heedful.store.graph_check.shape_rules import size_of
from heedful.store.graph_check.size import Size

SMALLEST, LONG, MANY = (2, 1), (2, 256), (512, 4)  # texts and tokens per text: at load, long texts, many texts
OTHER_AXES = 16  # characters of a word, neighbours of an atom and so on
MAX_ELEMENTS = 2**26  # of one tensor, for long or many texts
MAX_AT_LOAD = 2**24  # elements of all tensors beyond the weights when loading runs a text of one token
MAX_USES = 16  # multiplications with each weight, for each token
MAX_OTHER_WORK = 2**32  # multiplications beyond that: tokens with tokens


def check_graph(content: bytes, *, name: str) -> None:
    """Raise if a graph has anything that our exporter does not write, or costs too much to run."""
    try:
        graph = read_graph(content)
        _check_costs(graph, SMALLEST, most_elements=MAX_AT_LOAD + 4 * graph.n_weights)
        for texts in (LONG, MANY):
            _check_costs(graph, texts, most_elements=None)
    except WireError as error:
        raise ModelFolderError(f"{name} was not written by heedful: {error}") from None


def _check_costs(graph: GraphFile, texts: tuple[int, int], *, most_elements: int | None) -> None:
    """Add up elements and multiplications, and raise at the first node that exceeds the limits."""
    total, work, (batch, time) = 0, 0, texts
    most_work = MAX_OTHER_WORK + MAX_USES * batch * time * graph.n_weights
    for node, size in sizes(graph, {"batch": batch, "time": time}):
        total, work = total + size.elements, work + size.multiplications
        is_large = size.elements > MAX_ELEMENTS + graph.n_weights
        if is_large or (most_elements is not None and total > most_elements):
            raise WireError(f"{node.operator} returns a tensor of shape {size.dims}, which is too large")
        if work > most_work:
            raise WireError(f"the graph exceeds {most_work:.1g} multiplications at {node.operator}")


def sizes(graph: GraphFile, axes: Mapping[str, int]) -> Iterator[tuple[Node, Size]]:
    """Yield each node with the size of its result, for inputs with axes of these lengths."""
    known = _given(graph, {"one or answers": 1, **axes})
    for node in graph.nodes:
        if missing := [name for name in node.inputs if name and name not in known]:
            raise WireError(f"{node.operator[:60]} takes {missing[0][:60]!r}, which no earlier node returns")
        inputs = [known[name] for name in node.inputs if name]
        size = size_of(node, inputs)
        yield node, size
        is_constant = bool(inputs) and all(size_of_input.is_constant for size_of_input in inputs)
        for output in node.outputs:
            if output in known:
                raise WireError(f"{output[:60]!r} is defined twice")
            known[output] = Size(size.dims, size.numbers, is_constant)


def _given(graph: GraphFile, axes: Mapping[str, int]) -> dict[str, Size]:
    """Return the sizes of inputs and constants. An input with a default value is an input: a caller may replace it."""
    constants = {
        name: Size(constant.dims, constant.numbers, is_constant=True) for name, constant in graph.constants.items()
    }
    inputs = {
        name: Size(tuple(axes.get(dim, OTHER_AXES) if isinstance(dim, str) else dim for dim in dims))
        for name, dims in graph.inputs.items()
    }
    return {**constants, **inputs}
