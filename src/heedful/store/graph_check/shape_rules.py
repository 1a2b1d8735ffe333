"""The size of what each operator returns, from the sizes of what it takes.

Sizes are upper bounds. The values of small whole-number tensors are kept too: they are the shapes that others ask for.
The operators that may compute such a value never make it larger when an input becomes smaller, so a bound for a long
text is a bound for every shorter one. An operator that is not in `RULES` is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from heedful.store.graph_check.graph_file import LARGEST, MAX_KNOWN, Attribute, Node
from heedful.store.graph_check.protobuf import WireError


@dataclass(frozen=True)
class Size:
    """The dimensions of a tensor, the values of a small one of whole numbers, and multiplications to compute it."""

    dims: tuple[int, ...]
    numbers: NDArray[np.int64] | None = None
    is_constant: bool = False
    multiplications: int = 0

    @property
    def elements(self) -> int:
        """How many elements it has."""
        return prod(self.dims)


Rule = Callable[[Node, Sequence[Size]], Size]


def size_of(node: Node, inputs: Sequence[Size]) -> Size:
    """Return the size of a node's result. Of an LSTM, that of its largest output: the states."""
    rule, allowed = RULES.get(node.operator, (None, ()))
    if rule is None:
        raise WireError(f"operator {node.operator[:60]!r} is not allowed")
    if unknown := sorted(set(node.attributes) - set(allowed)):
        raise WireError(f"attribute {unknown[0][:60]!r} of {node.operator} is not allowed")
    try:
        return rule(node, inputs)
    except (LookupError, ValueError, TypeError, ZeroDivisionError, OverflowError) as error:
        if isinstance(error, WireError):
            raise
        raise WireError(f"{node.operator} does not fit what it is given") from None


def _same(_: Node, inputs: Sequence[Size]) -> Size:
    return Size(inputs[0].dims)


def _kept(_: Node, inputs: Sequence[Size]) -> Size:
    return Size(inputs[0].dims, inputs[0].numbers)


def _broadcast(_: Node, inputs: Sequence[Size]) -> Size:
    return Size(joined(*(each.dims for each in inputs)))


def joined(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape that all of these are broadcast to."""
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(dims)) + dims for dims in shapes]
    return tuple(0 if 0 in column else max(column) for column in zip(*padded, strict=True))


def _add(node: Node, inputs: Sequence[Size]) -> Size:
    first, second = inputs[0].numbers, inputs[1].numbers
    known = first is not None and second is not None and first.min(initial=0) >= 0 and second.min(initial=0) >= 0
    return Size(_broadcast(node, inputs).dims, _small(first + second) if known else None)  # type: ignore[operator]


def _divide(node: Node, inputs: Sequence[Size]) -> Size:
    above, below = inputs[0].numbers, inputs[1].numbers
    known = above is not None and below is not None and inputs[1].is_constant
    known = known and above.min(initial=0) >= 0 and below.min(initial=1) > 0  # type: ignore[union-attr]
    return Size(_broadcast(node, inputs).dims, _small(above // below) if known else None)  # type: ignore[operator]


def _matmul(_: Node, inputs: Sequence[Size]) -> Size:
    first, second = inputs[0].dims, inputs[1].dims
    left = first if len(first) > 1 else (1, *first)
    right = second if len(second) > 1 else (*second, 1)
    dims = (*joined(left[:-2], right[:-2]), left[-2], right[-1]) if len(left) + len(right) > 4 else (left[0], right[1])
    return Size(dims, multiplications=prod(dims) * max(left[-1], right[-2]))


def _gemm(node: Node, inputs: Sequence[Size]) -> Size:
    (rows, inner), (first, second) = inputs[0].dims, inputs[1].dims
    width, depth = (first, second) if node.attributes.get("transB") else (second, first)
    return Size((rows, width), multiplications=rows * width * max(inner, depth))


def _transpose(node: Node, inputs: Sequence[Size]) -> Size:
    dims = inputs[0].dims
    order = _integers(node.attributes.get("perm", tuple(reversed(range(len(dims))))))
    if sorted(order) != list(range(len(dims))):
        raise ValueError
    return Size(tuple(dims[i] for i in order))


def _unsqueeze(_: Node, inputs: Sequence[Size]) -> Size:
    dims, axes = list(inputs[0].dims), _known(inputs[1]).ravel().tolist()
    rank = len(dims) + len(axes)
    for axis in sorted(_axis(axis, rank) for axis in axes):
        dims.insert(axis, 1)
    numbers = inputs[0].numbers
    return Size(tuple(dims), None if numbers is None else numbers.reshape(dims))


def _squeeze(_: Node, inputs: Sequence[Size]) -> Size:
    dims = inputs[0].dims
    axes = {_axis(axis, len(dims)) for axis in _known(inputs[1]).ravel().tolist()}
    return Size(tuple(dim for i, dim in enumerate(dims) if i not in axes))


def _reshape(_: Node, inputs: Sequence[Size]) -> Size:
    wanted = _known(inputs[1]).ravel().tolist()
    dims = [inputs[0].dims[i] if dim == 0 else dim for i, dim in enumerate(wanted)]
    if dims.count(-1) == 1:
        rest = prod(dim for dim in dims if dim != -1)
        dims[dims.index(-1)] = -(-inputs[0].elements // rest) if rest else 0
    if prod(dims) > 2 * inputs[0].elements + MAX_KNOWN:  # twice: the bound of one side may be larger than of the other
        raise WireError("Reshape asks for more elements than there are")
    return Size(tuple(dims))


def _gather(_: Node, inputs: Sequence[Size]) -> Size:
    table, places = inputs
    dims = (*places.dims, *table.dims[1:])
    known = table.numbers is not None and places.numbers is not None and places.is_constant
    return Size(dims, _small(np.take(table.numbers, places.numbers, axis=0)) if known else None)  # type: ignore[arg-type]


def _gather_nd(node: Node, inputs: Sequence[Size]) -> Size:
    table, places = inputs[0].dims, inputs[1].dims
    batch = _integer(node.attributes.get("batch_dims", 0))
    return Size((*places[:-1], *table[batch + places[-1] :]))


def _concat(node: Node, inputs: Sequence[Size]) -> Size:
    axis = _axis(_integer(node.attributes["axis"]), len(inputs[0].dims))
    columns = list(zip(*(each.dims for each in inputs), strict=True))
    dims = tuple(sum(column) if i == axis else max(column) for i, column in enumerate(columns))
    numbers = [each.numbers for each in inputs if each.numbers is not None]
    return Size(dims, _small(np.concatenate(numbers, axis=axis)) if len(numbers) == len(inputs) else None)


def _shape(node: Node, inputs: Sequence[Size]) -> Size:
    dims = inputs[0].dims
    start, end = (_integer(node.attributes.get(name, default)) for name, default in (("start", 0), ("end", len(dims))))
    return _of_numbers(np.array(dims[start:end], dtype=np.int64))


def _slice(_: Node, inputs: Sequence[Size]) -> Size:
    """Return the size as if nothing were cut off, unless all places are constants."""
    whole, places = inputs[0], inputs[1:]
    if not all(each.is_constant and each.numbers is not None for each in places):
        return Size(whole.dims)
    starts, ends, axes, steps = _cuts(whole, places)
    cut: list[slice] = [slice(None)] * len(whole.dims)
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        cut[_axis(axis, len(whole.dims))] = slice(start, end if end > -LARGEST else None, step)
    dims = tuple(len(range(*each.indices(dim))) for each, dim in zip(cut, whole.dims, strict=True))
    return Size(dims, None if whole.numbers is None else _small(whole.numbers[tuple(cut)]))


def _cuts(whole: Size, places: Sequence[Size]) -> list[list[int]]:
    given = [_known(each).ravel().tolist() for each in places]
    n = len(given[0])
    return [*given, *([list(range(len(whole.dims)))[:n], [1] * n][len(given) - 2 :])]


def _expand(_: Node, inputs: Sequence[Size]) -> Size:
    return Size(joined(inputs[0].dims, tuple(_known(inputs[1]).ravel().tolist())))


def _range(_: Node, inputs: Sequence[Size]) -> Size:
    start, limit, step = (int(_known(each).ravel()[0]) for each in inputs)
    if not (inputs[0].is_constant and inputs[2].is_constant and start >= 0 and step > 0):
        raise WireError("Range has a start or a step that is not allowed")
    return Size((max(0, -(-(limit - start) // step)),))


def _one_hot(node: Node, inputs: Sequence[Size]) -> Size:
    dims = list(inputs[0].dims)
    axis = _axis(_integer(node.attributes.get("axis", -1)), len(dims) + 1)
    dims.insert(axis, int(_known(inputs[1]).ravel()[0]))
    return Size(tuple(dims))


def _reduced(node: Node, inputs: Sequence[Size]) -> Size:
    dims = inputs[0].dims
    given = _integers(node.attributes.get("axes", tuple(range(len(dims)))))
    return _without(dims, _known(inputs[1]).ravel().tolist() if len(inputs) > 1 else given, node)


def _arg_max(node: Node, inputs: Sequence[Size]) -> Size:
    return _without(inputs[0].dims, (_integer(node.attributes.get("axis", 0)),), node)


def _without(dims: tuple[int, ...], axes: Sequence[int], node: Node) -> Size:
    gone, keep = {_axis(axis, len(dims)) for axis in axes}, _integer(node.attributes.get("keepdims", 1))
    return Size(tuple(1 if i in gone else dim for i, dim in enumerate(dims) if keep or i not in gone))


def _product(node: Node, inputs: Sequence[Size]) -> Size:
    dims, numbers = _reduced(node, inputs).dims, inputs[0].numbers
    is_known = numbers is not None and prod(dims) == 1 and numbers.min(initial=0) >= 0
    total = prod(numbers.ravel().tolist()) if is_known else 0  # type: ignore[union-attr]
    return Size(dims, _small(np.full(dims, min(total, LARGEST), dtype=np.int64)) if is_known else None)


def _flatten(_: Node, inputs: Sequence[Size]) -> Size:
    dims = inputs[0].dims
    return Size((prod(dims[:1]), prod(dims[1:])))


def _non_zero(_: Node, inputs: Sequence[Size]) -> Size:
    return Size((len(inputs[0].dims), inputs[0].elements))


def _conv(node: Node, inputs: Sequence[Size]) -> Size:
    (batch, channels, *time), (filters, depth, *window) = inputs[0].dims, inputs[1].dims
    pads = _integers(node.attributes.get("pads", (0,) * 2 * len(window)))
    if min(pads) < 0 or max(pads) > max(window):
        raise WireError("Conv has pads that are not allowed")
    both = [pads[i] + pads[i + len(window)] for i in range(len(window))]
    places = [max(0, size + more - width + 1) for size, more, width in zip(time, both, window, strict=True)]
    dims = (batch, filters, *places)
    return Size(dims, multiplications=prod(dims) * max(channels, depth) * prod(window))


def _lstm(node: Node, inputs: Sequence[Size]) -> Size:
    (time, batch, width), (directions, gates, inner) = inputs[0].dims, inputs[1].dims
    units = _integer(node.attributes["hidden_size"])
    if units < 1 or gates != 4 * units:
        raise ValueError
    work = time * batch * directions * gates * (max(width, inner) + units)
    return Size((time, directions, batch, units), multiplications=work)


def _known(size: Size) -> NDArray[np.int64]:
    """Return the values of a tensor that says how large another is."""
    if size.numbers is None or np.abs(size.numbers).max(initial=0) > 2**62:
        raise WireError("a shape is computed in a way that is not allowed")
    return size.numbers


def _small(numbers: NDArray[np.int64]) -> NDArray[np.int64] | None:
    return np.minimum(numbers, LARGEST) if numbers.size <= MAX_KNOWN else None


def _of_numbers(numbers: NDArray[np.int64]) -> Size:
    return Size(numbers.shape, numbers)


def _axis(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise ValueError
    return axis % rank


def _integer(value: Attribute) -> int:
    if type(value) is not int or abs(value) > LARGEST:
        raise ValueError
    return value


def _integers(value: Attribute) -> tuple[int, ...]:
    if not isinstance(value, tuple):
        raise ValueError
    return value


def _all(rule: Rule, *operators: str, attributes: tuple[str, ...] = ()) -> dict[str, tuple[Rule, tuple[str, ...]]]:
    return dict.fromkeys(operators, (rule, attributes))


# Every operator that our exporter writes, with its attributes.
RULES: Mapping[str, tuple[Rule, tuple[str, ...]]] = {
    **_all(_same, "Abs", "Cos", "CumSum", "Elu", "Erf", "Relu", "ScatterND", "Sigmoid", "Sin", "Sqrt", "Tanh"),
    **_all(_same, "LeakyRelu", attributes=("alpha",)),
    **_all(_same, "LayerNormalization", attributes=("axis", "epsilon")),
    **_all(_same, "LogSoftmax", "Softmax", attributes=("axis",)),
    **_all(_same, "ScatterElements", attributes=("axis", "reduction")),
    **_all(_kept, "Identity"),
    **_all(_kept, "Cast", attributes=("to",)),
    **_all(_broadcast, "And", "Greater", "Less", "Max", "Mod", "Mul", "Sub", "Where"),
    **_all(_add, "Add"),
    **_all(_divide, "Div"),
    **_all(_matmul, "MatMul"),
    **_all(_gemm, "Gemm", attributes=("transB",)),
    **_all(_transpose, "Transpose", attributes=("perm",)),
    **_all(_unsqueeze, "Unsqueeze"),
    **_all(_squeeze, "Squeeze"),
    **_all(_reshape, "Reshape"),
    **_all(_gather, "Gather"),
    **_all(_gather_nd, "GatherND", attributes=("batch_dims",)),
    **_all(_concat, "Concat", attributes=("axis",)),
    **_all(_shape, "Shape", attributes=("start", "end")),
    **_all(_slice, "Slice"),
    **_all(_expand, "Expand"),
    **_all(_range, "Range"),
    **_all(_one_hot, "OneHot", attributes=("axis",)),
    **_all(_reduced, "ReduceL2", "ReduceMax", "ReduceMean", attributes=("axes", "keepdims")),
    **_all(_reduced, "ReduceSum", attributes=("keepdims",)),
    **_all(_arg_max, "ArgMax", attributes=("axis", "keepdims")),
    **_all(_product, "ReduceProd", attributes=("keepdims",)),
    **_all(_flatten, "Flatten"),
    **_all(_non_zero, "NonZero"),
    **_all(_conv, "Conv", attributes=("pads",)),
    **_all(_lstm, "LSTM", attributes=("direction", "hidden_size")),
}
