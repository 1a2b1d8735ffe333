"""Reading safetensors: the arrays of good files, one message for bad ones."""

from __future__ import annotations

import json

import numpy as np
import pytest
from safetensors.numpy import save

from heedful.errors import ModelFolderError
from heedful.store.safetensors_read import MAX_HEADER, tensors_from
from heedful.store.weights import read_weights, rounded, weights_file

RNG = np.random.default_rng(0)
KINDS = ("<f8", "<f4", "<f2", "<i8", "<i4", "i1", "u1", "?")


def file_of(header: object, numbers: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + numbers


def test_arrays_come_back_as_they_were_saved(tmp_path):
    shapes = [(), (1,), (0, 3), (2, 3), (2, 0), (4, 1, 5)]
    tensors = {
        f"{kind} {shape}": np.asarray(RNG.uniform(0, 100, size=shape), dtype=kind) for kind in KINDS for shape in shapes
    }
    content = save(tensors, metadata={"made": "here"})
    arrays = tensors_from(content, tmp_path / "w")
    assert arrays.keys() == tensors.keys()
    for name, value in tensors.items():
        assert arrays[name].dtype == value.dtype and arrays[name].shape == value.shape
        np.testing.assert_array_equal(arrays[name], value)


@pytest.mark.parametrize("small", [False, True])
def test_weights_come_back_as_they_were_kept(tmp_path, small):
    weights = {"embed.weight": RNG.normal(size=(20, 8)), "head.map.weight": RNG.normal(size=(4, 16))}
    weights = {name: value.astype(np.float32) for name, value in weights.items()}
    (tmp_path / "w").write_bytes(weights_file(weights, small=small))
    found, expected = read_weights(tmp_path / "w"), rounded(weights) if small else weights
    assert found.keys() == expected.keys() == weights.keys()
    for name, value in expected.items():
        assert found[name].dtype == np.float32
        np.testing.assert_array_equal(found[name], value)


def test_a_scale_of_nothing_is_one_message(tmp_path):
    (tmp_path / "w").write_bytes(save({"embed.weight.scale": np.ones((3, 1), np.float32)}))
    with pytest.raises(ModelFolderError, match=r"cannot be read: .* has no matching table"):
        read_weights(tmp_path / "w")


ONE = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}


@pytest.mark.parametrize(
    "content",
    [
        b"", b"rubbish", (2**63).to_bytes(8, "little") + b"{}", b"\x00" * 8, file_of(b"[" * 100_000), file_of([]),
        file_of({"a": 3}), file_of({"a": {}}), file_of({"a": ONE}), file_of({"a": ONE}, b"1234567"),
        file_of({"a": {**ONE, "dtype": "F3"}}, b"12345678"), file_of({"a": {**ONE, "shape": [-2]}}, b"12345678"),
        file_of({"a": {**ONE, "shape": [2**40, 2**40]}}, b"12345678"),
        file_of({"a": {**ONE, "data_offsets": [-8, 0]}}, b"12345678"),
        file_of({"a": {**ONE, "data_offsets": [8, 0]}}, b"12345678"),
        file_of({"a": {**ONE, "shape": [0.5, 4]}}, b"12345678"),
    ],
)  # fmt: skip
def test_a_bad_file_is_one_message(tmp_path, content):
    with pytest.raises(ModelFolderError, match="w cannot be read") as raised:
        tensors_from(content, tmp_path / "w")
    assert "\n" not in str(raised.value)


def test_a_header_of_many_megabytes_is_refused_before_it_is_parsed(tmp_path):
    header = {"__metadata__": {"padding": " " * MAX_HEADER}}
    with pytest.raises(ModelFolderError, match="header is too large"):
        tensors_from(file_of(header), tmp_path / "w")
