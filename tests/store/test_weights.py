"""weights.safetensors, whole and small."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from safetensors.numpy import save

from heedful.errors import ModelFolderError
from heedful.store.weights import TABLE, as_int8, read_weights, rounded, weights_file

RNG = np.random.default_rng(0)
WEIGHTS = {
    TABLE: np.vstack([np.zeros((1, 8)), RNG.normal(size=(20, 8)) * RNG.uniform(1e-6, 1e3, size=(20, 1))]),
    "head.map.weight": RNG.normal(size=(4, 16)),
    "pooler.hops.weight": RNG.normal(size=(2, 3)),
}
WEIGHTS = {name: value.astype(np.float32) for name, value in WEIGHTS.items()}
tables = arrays(np.float32, st.tuples(st.integers(1, 5), st.integers(1, 9)), elements=st.floats(-1e4, 1e4, width=32))


def same(first, second):
    assert first.keys() == second.keys()
    for name in first:
        assert second[name].dtype == np.float32
        np.testing.assert_allclose(first[name], second[name], rtol=1e-6, atol=0)


def test_a_whole_file_gives_every_number_back(tmp_path):
    (tmp_path / "w").write_bytes(weights_file(WEIGHTS, small=False))
    found = read_weights(tmp_path / "w")
    assert found.keys() == WEIGHTS.keys()
    assert all(np.array_equal(found[name], WEIGHTS[name]) for name in WEIGHTS)


def test_a_small_file_gives_the_rounded_numbers_back(tmp_path):
    (tmp_path / "w").write_bytes(weights_file(WEIGHTS, small=True))
    assert not np.array_equal(rounded(WEIGHTS)[TABLE], WEIGHTS[TABLE])
    same(rounded(WEIGHTS), read_weights(tmp_path / "w"))


def test_rounding_what_is_rounded_changes_nothing(tmp_path):
    """The network takes the rounded numbers, and the file is made of these."""
    once = rounded(WEIGHTS)
    same(once, rounded(once))
    (tmp_path / "w").write_bytes(weights_file(once, small=True))
    same(once, read_weights(tmp_path / "w"))


@given(tables)
def test_a_byte_is_within_half_a_step_of_its_number(table):
    values, scales = as_int8(table)
    assert values.dtype == np.int8 and scales.shape == (len(table), 1)
    assert values.min() >= -127
    largest = np.abs(table).max(axis=1, keepdims=True)
    found = values.astype(np.float64) * scales
    assert (np.abs(found - table) <= largest / 127 * 0.5 * (1 + 1e-4) + 1e-12).all()


def test_a_row_of_zeros_stays_one():
    assert np.array_equal(rounded({TABLE: np.zeros((3, 4), np.float32)})[TABLE], np.zeros((3, 4)))


def test_every_row_has_a_step_of_its_own():
    """A rare word's small vector must not be lost beside a large one."""
    table = np.array([[1e-4, -2e-4, 5e-5], [1e3, 2e3, -5e2]], dtype=np.float32)
    found = rounded({TABLE: table})[TABLE]
    assert (np.abs(found - table) < 1e-2 * np.abs(table).max(1, keepdims=True)).all()


def test_a_small_file_is_small():
    big = {TABLE: RNG.normal(size=(1_000, 64)).astype(np.float32), "x": RNG.normal(size=(64, 64)).astype(np.float32)}
    assert len(weights_file(big, small=True)) < 0.32 * len(weights_file(big, small=False))


@pytest.mark.parametrize("content", [b"", b"rubbish", b"\x10\x00\x00\x00\x00\x00\x00\x00{not json at a", "half"])
def test_a_bad_file_is_one_message(tmp_path, content):
    whole = weights_file(WEIGHTS, small=True)
    (tmp_path / "w").write_bytes(whole[: len(whole) // 2] if content == "half" else content)
    with pytest.raises(ModelFolderError, match="w cannot be read"):
        read_weights(tmp_path / "w")


def test_no_file_is_one_message(tmp_path):
    with pytest.raises(ModelFolderError, match="cannot be read"):
        read_weights(tmp_path / "nothing")


@pytest.mark.parametrize(
    "tensors",
    [
        {"embed.weight.scale": np.ones((3, 1), np.float32)},
        {"embed.weight": np.ones((3, 4), np.int8), "embed.weight.scale": np.ones((5, 1), np.float32)},
    ],
    ids=["scale of nothing", "scale of another table"],
)
def test_scales_that_fit_no_table_are_one_message(tmp_path, tensors):
    (tmp_path / "w").write_bytes(save(tensors))
    with pytest.raises(ModelFolderError, match="cannot be read"):
        read_weights(tmp_path / "w")
