"""A minimal parser of the protobuf wire format, to inspect an ONNX file without copying its weights.

The `onnx` package could do it, but adds 20 MB to the run-time install. This parser is stricter than any protobuf
library: a repeated field where one is expected, or another wire type, is an error. So no file can mean one thing here
and another in ONNX Runtime.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5

_Value = TypeVar("_Value", int, memoryview)


class WireError(ValueError):
    """Bytes that are not a valid message."""


def fields(message: memoryview) -> Iterator[tuple[int, int, int | memoryview]]:
    """Yield the number, wire type and value of each field. Fixed-size values are bytes."""
    at, end = 0, len(message)
    while at < end:
        key, at = _varint(message, at)
        number, wire = key >> 3, key & 7
        if wire == VARINT:
            value, at = _varint(message, at)
            yield number, wire, value
            continue
        if wire == BYTES:
            size, at = _varint(message, at)
        elif wire in (FIXED32, FIXED64):
            size = 4 if wire == FIXED32 else 8
        else:
            raise WireError(f"wire type {wire} is not supported")
        if size > end - at:
            raise WireError("the file is truncated")
        yield number, wire, message[at : at + size]
        at += size


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(message):
            raise WireError("the file is truncated")
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
        shift += 7
        if shift > 63:
            raise WireError("a number has more than 64 bits")
    if value >= 2**64:
        raise WireError("a number has more than 64 bits")
    return value, at


class Message:
    """The fields of a message by name, grouped by wire type; an unexpected wire type is an error."""

    def __init__(self, content: memoryview, known: Mapping[int, str], *, name: str) -> None:
        self._name = name
        self._varints: dict[str, list[int]] = {}
        self._bytes: dict[str, list[memoryview]] = {}
        self._fixed: dict[str, list[memoryview]] = {}
        for number, wire, value in fields(content):
            if number not in known:
                raise WireError(f"{name} has a field {number} that heedful does not write")
            if isinstance(value, int):
                self._varints.setdefault(known[number], []).append(value)
            else:
                (self._bytes if wire == BYTES else self._fixed).setdefault(known[number], []).append(value)

    def number(self, name: str) -> int:
        """Return a signed 64-bit integer, 0 if the field is absent."""
        return _signed(self._single(self._varints, name) or 0)

    def content(self, name: str) -> memoryview:
        """Return bytes, empty if the field is absent."""
        return self._single(self._bytes, name) or memoryview(b"")

    def fixed(self, name: str) -> memoryview:
        """Return the bytes of a float, empty if the field is absent."""
        return self._single(self._fixed, name) or memoryview(b"")

    def text(self, name: str) -> str:
        """Return a string."""
        return decoded(self.content(name))

    def contents(self, name: str) -> list[memoryview]:
        """Return the repeated messages or strings of a field."""
        self._only(self._bytes, name)
        return self._bytes.get(name, [])

    def numbers(self, name: str) -> tuple[int, ...]:
        """Return repeated integers, each in a separate field or packed into one, but not both."""
        if name not in self._bytes:
            self._only(self._varints, name)
            return tuple(map(_signed, self._varints.get(name, [])))
        packed, at, result = self.content(name), 0, []
        while at < len(packed):
            number, at = _varint(packed, at)
            result.append(_signed(number))
        return tuple(result)

    def __contains__(self, name: str) -> bool:
        return any(name in kind for kind in (self._varints, self._bytes, self._fixed))

    def _single(self, kind: Mapping[str, list[_Value]], name: str) -> _Value | None:
        self._only(kind, name)
        values = kind.get(name, [])
        if len(values) > 1:
            raise WireError(f"{self._name} has {name} {len(values)} times")
        return values[0] if values else None

    def _only(self, kind: object, name: str) -> None:
        if any(name in other for other in (self._varints, self._bytes, self._fixed) if other is not kind):
            raise WireError(f"{name} of {self._name} has an unexpected wire type")


def decoded(content: memoryview) -> str:
    """Return bytes as text."""
    try:
        return bytes(content).decode("utf-8")
    except UnicodeDecodeError:
        raise WireError("a name is not UTF-8") from None


def _signed(value: int) -> int:
    return value - 2**64 if value >= 2**63 else value
