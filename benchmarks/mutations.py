"""Small changes to the files of a model folder, as damage or a stranger would make them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Protocol

import onnx

NUMBERS = (0, 1, -1, 2, 127, 255, 256, 65_536, 2**31 - 1, 2**31, -(2**31), 2**32, 2**62, 2**63 - 1, -(2**63), 10**30)
ATOMS: tuple[Any, ...] = (
    None, True, False, "", "x", "\ud800", "a" * 5_000, "\x00", "../../etc/passwd", [], {}, [[]], {"a": {}}, 0.5, 1e308,
    float("nan"), float("inf"), *NUMBERS,
)  # fmt: skip
OPERATORS = (
    "Loop", "If", "Scan", "ConstantOfShape", "Expand", "Tile", "Range", "OneHot", "Concat", "MatMul", "Add", "Reshape",
    "Gather", "Where", "Transpose", "NonZero", "Slice", "Unsqueeze", "Shape", "Mul", "Identity", "LSTM", "Conv",
)  # fmt: skip


class Choices(Protocol):
    """Where choices come from: chance, or the bytes that a fuzzer gives."""

    def below(self, n: int) -> int:
        """Return a whole number from 0 to n - 1."""

    def content(self, most: int) -> bytes:
        """Return some bytes."""


def mutated(name: str, content: bytes, choices: Choices) -> bytes:
    """Return the content of a file with one to four changes."""
    for _ in range(1 + choices.below(4)):
        kinds = _kinds(name)
        content = kinds[choices.below(len(kinds))](content, choices)
    return content


def _kinds(name: str) -> list[Callable[[bytes, Choices], bytes]]:
    of_bytes: list[Callable[[bytes, Choices], bytes]] = [_flipped, _cut, _doubled, _inserted]
    if name.endswith(".json"):
        return [*of_bytes, _json_value, _json_value, _json_value, _json_key]
    if name.endswith(".onnx"):
        return [*of_bytes, _node, _node, _attribute, _constant, _dims, _swapped]
    if name.endswith(".toml"):
        return [*of_bytes, _toml_value, _toml_value, _toml_line]
    return of_bytes


def _flipped(content: bytes, choices: Choices) -> bytes:
    if not content:
        return b"\x00"
    place = choices.below(len(content))
    return content[:place] + bytes([choices.below(256)]) + content[place + 1 :]


def _cut(content: bytes, choices: Choices) -> bytes:
    start = choices.below(len(content) + 1)
    return content[:start] + content[start + choices.below(64) :] if choices.below(2) else content[:start]


def _doubled(content: bytes, choices: Choices) -> bytes:
    start = choices.below(len(content) + 1)
    return content[:start] + content[start : start + choices.below(200)] + content[start:]


def _inserted(content: bytes, choices: Choices) -> bytes:
    place = choices.below(len(content) + 1)
    return content[:place] + choices.content(24) + content[place:]


def _json_value(content: bytes, choices: Choices) -> bytes:
    return _json_changed(
        content, choices, lambda holder, key: holder.__setitem__(key, ATOMS[choices.below(len(ATOMS))])
    )


def _json_key(content: bytes, choices: Choices) -> bytes:
    def change(holder: Any, key: Any) -> None:
        value = holder.pop(key)
        if isinstance(holder, dict) and choices.below(2):
            holder[str(ATOMS[choices.below(len(ATOMS))])] = value

    return _json_changed(content, choices, change)


def _json_changed(content: bytes, choices: Choices, change: Callable[[Any, Any], None]) -> bytes:
    try:
        tree = json.loads(content)
    except (ValueError, RecursionError):
        return content
    holder = tree
    while isinstance(holder, dict | list) and holder:
        keys: list[Any] = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        key = keys[choices.below(len(keys))]
        if not isinstance(holder[key], dict | list) or not holder[key] or choices.below(3) == 0:
            change(holder, key)
            break
        holder = holder[key]
    return json.dumps(tree).encode("utf-8", "surrogatepass")


def _toml_value(content: bytes, choices: Choices) -> bytes:
    lines = content.split(b"\n")
    place = choices.below(len(lines))
    if b" = " in lines[place]:
        value = ATOMS[choices.below(len(ATOMS))]
        text = json.dumps(value) if not isinstance(value, dict) else "{}"
        lines[place] = lines[place].split(b" = ")[0] + b" = " + text.encode("utf-8", "replace")
    return b"\n".join(lines)


def _toml_line(content: bytes, choices: Choices) -> bytes:
    lines = content.split(b"\n")
    place = choices.below(len(lines))
    return b"\n".join(lines[:place] + lines[place + 1 :])


def _graph(content: bytes, change: Callable[[Any], None]) -> bytes:
    try:
        model = onnx.load_from_string(content)
        change(model.graph)
        return bytes(model.SerializeToString())
    except Exception:  # the bytes are no graph any more, or the change does not fit it
        return content


def _node(content: bytes, choices: Choices) -> bytes:
    def change(graph: Any) -> None:
        node = graph.node[choices.below(len(graph.node))]
        if choices.below(2):
            node.op_type = OPERATORS[choices.below(len(OPERATORS))]
        elif node.input:
            names = [value for other in graph.node for value in other.output] + [c.name for c in graph.initializer]
            node.input[choices.below(len(node.input))] = names[choices.below(len(names))]

    return _graph(content, change)


def _attribute(content: bytes, choices: Choices) -> bytes:
    def change(graph: Any) -> None:
        nodes = [node for node in graph.node if node.attribute]
        attribute = nodes[choices.below(len(nodes))]
        attribute = attribute.attribute[choices.below(len(attribute.attribute))]
        number = max(-(2**63), min(NUMBERS[choices.below(len(NUMBERS))], 2**63 - 1))
        if attribute.ints:
            attribute.ints[choices.below(len(attribute.ints))] = number
        else:
            attribute.i = number

    return _graph(content, change)


def _constant(content: bytes, choices: Choices) -> bytes:
    def change(graph: Any) -> None:
        whole = [constant for constant in graph.initializer if constant.data_type == 7 and constant.raw_data]
        constant = whole[choices.below(len(whole))]
        number = max(-(2**63), min(NUMBERS[choices.below(len(NUMBERS))], 2**63 - 1))
        place = 8 * choices.below(len(constant.raw_data) // 8)
        raw = bytearray(constant.raw_data)
        raw[place : place + 8] = number.to_bytes(8, "little", signed=True)
        constant.raw_data = bytes(raw)

    return _graph(content, change)


def _dims(content: bytes, choices: Choices) -> bytes:
    def change(graph: Any) -> None:
        constant = graph.initializer[choices.below(len(graph.initializer))]
        if choices.below(2) and len(constant.dims) == 2:
            constant.dims[:] = list(reversed(constant.dims))
        else:
            constant.dims.append(NUMBERS[choices.below(8)])

    return _graph(content, change)


def _swapped(content: bytes, choices: Choices) -> bytes:
    def change(graph: Any) -> None:
        first, second = (choices.below(len(graph.node)) for _ in range(2))
        outputs = list(graph.node[first].output)
        graph.node[first].output[:] = list(graph.node[second].output)
        graph.node[second].output[:] = outputs

    return _graph(content, change)
