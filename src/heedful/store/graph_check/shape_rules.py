"""Shape inference: the size of each operator's result from the sizes of its inputs.

Sizes are upper bounds, and never 0 if a longer text would have more. The values of small integer tensors are tracked
too, because they are shapes for other operators. The operators that may compute such a value never make it larger when
an input becomes smaller, so a bound for a long text holds for every shorter one. Operators that are not in `RULES` are
rejected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

import numpy as np

from heedful.store.graph_check.graph_file import LARGEST, MAX_KNOWN, Node
from heedful.store.graph_check.protobuf import WireError
from heedful.store.graph_check.size import (
    Size,
    axis_of,
    integer,
    integers,
    joined,
    known_numbers,
    of_numbers,
    small,
)

Rule = Callable[[Node, Sequence[Size]], Size]


def size_of(node: Node, inputs: Sequence[Size]) -> Size:
    """Return the size of a node's result; for an LSTM, that of its largest output, the states."""
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
        raise WireError(f"{node.operator} does not match its inputs") from None


def _same(_: Node, inputs: Sequence[Size]) -> Size:
    return Size(inputs[0].dims)


def _kept(_: Node, inputs: Sequence[Size]) -> Size:
    return Size(inputs[0].dims, inputs[0].numbers)


def _broadcast(_: Node, inputs: Sequence[Size]) -> Size:
    return Size(joined(*(size.dims for size in inputs)))


def _add(node: Node, inputs: Sequence[Size]) -> Size:
    first, second = inputs[0].numbers, inputs[1].numbers
    known = first is not None and second is not None and first.min(initial=0) >= 0 and second.min(initial=0) >= 0
    return Size(_broadcast(node, inputs).dims, small(first + second) if known else None)  # type: ignore[operator]


def _divide(node: Node, inputs: Sequence[Size]) -> Size:
    numerator, denominator = inputs[0].numbers, inputs[1].numbers
    known = numerator is not None and denominator is not None and inputs[1].is_constant
    known = known and numerator.min(initial=0) >= 0 and denominator.min(initial=1) > 0  # type: ignore[union-attr]
    return Size(_broadcast(node, inputs).dims, small(-(-numerator // denominator)) if known else None)  # type: ignore[operator]


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
    order = integers(node.attributes.get("perm", tuple(reversed(range(len(dims))))))
    if sorted(order) != list(range(len(dims))):
        raise ValueError
    return Size(tuple(dims[i] for i in order))


def _unsqueeze(_: Node, inputs: Sequence[Size]) -> Size:
    dims, axes = list(inputs[0].dims), known_numbers(inputs[1]).ravel().tolist()
    rank = len(dims) + len(axes)
    for axis in sorted(axis_of(axis, rank) for axis in axes):
        dims.insert(axis, 1)
    numbers = inputs[0].numbers
    return Size(tuple(dims), None if numbers is None else numbers.reshape(dims))


def _squeeze(_: Node, inputs: Sequence[Size]) -> Size:
    dims = inputs[0].dims
    axes = {axis_of(axis, len(dims)) for axis in known_numbers(inputs[1]).ravel().tolist()}
    return Size(tuple(dim for i, dim in enumerate(dims) if i not in axes))


def _reshape(_: Node, inputs: Sequence[Size]) -> Size:
    wanted = known_numbers(inputs[1]).ravel().tolist()
    dims = [inputs[0].dims[i] if dim == 0 else dim for i, dim in enumerate(wanted)]
    if dims.count(-1) == 1:
        rest = prod(dim for dim in dims if dim != -1)
        dims[dims.index(-1)] = -(-inputs[0].elements // rest) if rest else 0
    if prod(dims) > 2 * inputs[0].elements + MAX_KNOWN:  # twice, because both sides are upper bounds
        raise WireError("Reshape asks for more elements than there are")
    return Size(tuple(dims))


def _gather(_: Node, inputs: Sequence[Size]) -> Size:
    table, indices = inputs
    dims = (*indices.dims, *table.dims[1:])
    known = table.numbers is not None and indices.numbers is not None and indices.is_constant
    return Size(dims, small(np.take(table.numbers, indices.numbers, axis=0)) if known else None)  # type: ignore[arg-type]


def _gather_nd(node: Node, inputs: Sequence[Size]) -> Size:
    table, indices = inputs[0].dims, inputs[1].dims
    batch = integer(node.attributes.get("batch_dims", 0))
    return Size((*indices[:-1], *table[batch + indices[-1] :]))


def _concat(node: Node, inputs: Sequence[Size]) -> Size:
    axis = axis_of(integer(node.attributes["axis"]), len(inputs[0].dims))
    columns = list(zip(*(size.dims for size in inputs), strict=True))
    dims = tuple(sum(column) if i == axis else max(column) for i, column in enumerate(columns))
    numbers = [size.numbers for size in inputs if size.numbers is not None]
    return Size(dims, small(np.concatenate(numbers, axis=axis)) if len(numbers) == len(inputs) else None)


def _shape(node: Node, inputs: Sequence[Size]) -> Size:
    dims = inputs[0].dims
    start, end = (integer(node.attributes.get(name, default)) for name, default in (("start", 0), ("end", len(dims))))
    return of_numbers(np.array(dims[start:end], dtype=np.int64))


def _slice(_: Node, inputs: Sequence[Size]) -> Size:
    """Return the size without slicing, as an upper bound for longer texts. Tracked values are sliced."""
    whole, arguments = inputs[0], inputs[1:]
    if whole.numbers is None or not all(
        argument.is_constant and argument.numbers is not None for argument in arguments
    ):
        return Size(whole.dims)
    starts, ends, axes, steps = _cuts(whole, arguments)
    slices: list[slice] = [slice(None)] * len(whole.dims)
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        slices[axis_of(axis, len(whole.dims))] = slice(start, end if end > -LARGEST else None, step)
    return of_numbers(whole.numbers[tuple(slices)])


def _cuts(whole: Size, arguments: Sequence[Size]) -> list[list[int]]:
    given = [known_numbers(argument).ravel().tolist() for argument in arguments]
    n = len(given[0])
    return [*given, *([list(range(len(whole.dims)))[:n], [1] * n][len(given) - 2 :])]


def _expand(_: Node, inputs: Sequence[Size]) -> Size:
    return Size(joined(inputs[0].dims, tuple(known_numbers(inputs[1]).ravel().tolist())))


def _range(_: Node, inputs: Sequence[Size]) -> Size:
    start, limit, step = (int(known_numbers(size).ravel()[0]) for size in inputs)
    if not (inputs[0].is_constant and inputs[2].is_constant and start >= 0 and step > 0):
        raise WireError("Range has a start or a step that is not allowed")
    return Size((max(1, -(-limit // step)),))


def _one_hot(node: Node, inputs: Sequence[Size]) -> Size:
    dims = list(inputs[0].dims)
    axis = axis_of(integer(node.attributes.get("axis", -1)), len(dims) + 1)
    dims.insert(axis, int(known_numbers(inputs[1]).ravel()[0]))
    return Size(tuple(dims))


def _reduced(node: Node, inputs: Sequence[Size]) -> Size:
    dims = inputs[0].dims
    given = integers(node.attributes.get("axes", tuple(range(len(dims)))))
    return _without(dims, known_numbers(inputs[1]).ravel().tolist() if len(inputs) > 1 else given, node)


def _arg_max(node: Node, inputs: Sequence[Size]) -> Size:
    return _without(inputs[0].dims, (integer(node.attributes.get("axis", 0)),), node)


def _without(dims: tuple[int, ...], axes: Sequence[int], node: Node) -> Size:
    gone, keep = {axis_of(axis, len(dims)) for axis in axes}, integer(node.attributes.get("keepdims", 1))
    return Size(tuple(1 if i in gone else dim for i, dim in enumerate(dims) if keep or i not in gone))


def _product(node: Node, inputs: Sequence[Size]) -> Size:
    dims, numbers = _reduced(node, inputs).dims, inputs[0].numbers
    is_known = numbers is not None and prod(dims) == 1 and numbers.min(initial=0) >= 0
    total = prod(numbers.ravel().tolist()) if is_known else 0  # type: ignore[union-attr]
    return Size(dims, small(np.full(dims, min(total, LARGEST), dtype=np.int64)) if is_known else None)


def _flatten(_: Node, inputs: Sequence[Size]) -> Size:
    dims = inputs[0].dims
    return Size((prod(dims[:1]), prod(dims[1:])))


def _non_zero(_: Node, inputs: Sequence[Size]) -> Size:
    return Size((len(inputs[0].dims), inputs[0].elements))


def _conv(node: Node, inputs: Sequence[Size]) -> Size:
    (batch, channels, *time), (filters, depth, *window) = inputs[0].dims, inputs[1].dims
    pads = integers(node.attributes.get("pads", (0,) * 2 * len(window)))
    if min(pads) < 0 or max(pads) > max(window):
        raise WireError("Conv has pads that are not allowed")
    both = [pads[i] + pads[i + len(window)] for i in range(len(window))]
    dims = (batch, filters, *(size + more for size, more in zip(time, both, strict=True)))
    return Size(dims, multiplications=prod(dims) * max(channels, depth) * prod(window))


def _lstm(node: Node, inputs: Sequence[Size]) -> Size:
    (time, batch, width), (directions, gates, inner) = inputs[0].dims, inputs[1].dims
    units = integer(node.attributes["hidden_size"])
    if units < 1 or gates != 4 * units:
        raise ValueError
    work = time * batch * directions * gates * (max(width, inner) + units)
    return Size((time, directions, batch, units), multiplications=work)


def _all(rule: Rule, *operators: str, attributes: tuple[str, ...] = ()) -> dict[str, tuple[Rule, tuple[str, ...]]]:
    return dict.fromkeys(operators, (rule, attributes))


# Every operator that our exporter writes, with its attributes.
RULES: Mapping[str, tuple[Rule, tuple[str, ...]]] = {
    **_all(_same, "Abs", "Cos", "CumSum", "Elu", "Erf", "Relu", "Round", "ScatterND", "Sigmoid", "Sin", "Sqrt", "Tanh"),
    **_all(_same, "LeakyRelu", attributes=("alpha",)),
    **_all(_same, "LayerNormalization", attributes=("axis", "epsilon")),
    **_all(_same, "LogSoftmax", "Softmax", attributes=("axis",)),
    **_all(_same, "ScatterElements", attributes=("axis", "reduction")),
    **_all(_kept, "Identity"),
    **_all(_kept, "Cast", attributes=("to",)),
    **_all(_broadcast, "And", "Greater", "Less", "Max", "Min", "Mod", "Mul", "Sub", "Where"),
    **_all(_add, "Add"),
    **_all(_divide, "Div"),
    **_all(_matmul, "MatMul", "MatMulInteger"),
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
