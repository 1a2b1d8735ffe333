"""The forms of a vector."""

from __future__ import annotations

import numpy as np
import pytest

from heedful.errors import HeedfulError
from heedful.runtime.vector_form import VectorForm, unit

VECTORS = np.random.default_rng(0).normal(size=(50, 384)).astype(np.float32)


def cosines(a, b):
    a, b = a.astype(np.float64), b.astype(np.float64)
    return (a * b).sum(1) / (np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1))


def test_as_they_are():
    assert VectorForm().shaped(VECTORS) is VECTORS


def test_unit_vectors_have_length_1_and_the_same_direction():
    found = VectorForm(normalize=True).shaped(VECTORS)
    assert found.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(cosines(found, VECTORS), 1, atol=1e-6)


def test_a_short_vector_is_the_first_numbers_and_has_length_1_of_its_own():
    np.testing.assert_array_equal(VectorForm(width=100).shaped(VECTORS), VECTORS[:, :100])
    found = VectorForm(width=100, normalize=True).shaped(VECTORS)
    np.testing.assert_allclose(found, unit(VECTORS[:, :100]), atol=1e-7)
    assert found.flags.c_contiguous and VectorForm(width=100).shaped(VECTORS).flags.c_contiguous


@pytest.mark.parametrize("normalize", [False, True])
def test_bytes_keep_the_direction(normalize):
    found = VectorForm(dtype="int8", normalize=normalize).shaped(VECTORS)
    assert found.dtype == np.int8 and (np.abs(found.astype(int)).max(1) == 127).all()
    assert cosines(found, VECTORS).min() > 0.999


def test_bytes_do_not_depend_on_the_length():
    np.testing.assert_array_equal(*(VectorForm(dtype="int8").shaped(VECTORS * k) for k in (np.float32(1), 1024)))


@pytest.mark.parametrize("form", [VectorForm(), VectorForm(normalize=True), VectorForm(dtype="int8")])
def test_an_empty_text_and_no_text_stay_what_they_are(form):
    assert not form.shaped(np.zeros((2, 5), np.float32)).any()
    assert form.shaped(np.zeros((0, 5), np.float32)).shape == (0, 5)


@pytest.mark.parametrize("width", [0, -1, 385])
def test_a_width_that_is_not_there_is_refused(width):
    with pytest.raises(HeedfulError, match=f"width is {width}, expected 1 to 384"):
        VectorForm(width=width).check(384)


def test_a_type_that_is_not_known_is_refused():
    with pytest.raises(HeedfulError, match="dtype is 'float16', expected one of float32, int8"):
        VectorForm(dtype="float16").check(384)
    VectorForm(width=384, dtype="int8").check(384)
