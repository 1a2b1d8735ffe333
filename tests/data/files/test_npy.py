import io
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from heedful.data.files import npy as array_files
from heedful.data.files.npy import read_npy, read_npz
from heedful.errors import DataError

ARRAYS = hnp.arrays(
    st.sampled_from([np.float32, np.float64, np.int8, np.bool_, ">f4", "<U3"]),
    hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
)


@given(array=ARRAYS, is_zipped=st.booleans(), is_fortran=st.booleans())
def test_what_numpy_writes_is_read_back(tmp_path_factory, array, is_zipped, is_fortran):
    array = np.asfortranarray(array) if is_fortran and array.ndim else array
    folder = tmp_path_factory.mktemp("arrays")
    (np.savez_compressed if is_zipped else np.savez)(folder / "a.npz", x=array, other=array)
    np.save(folder / "a.npy", array)
    for found in (read_npz(folder / "a.npz", ("x", "y"))["x"], read_npy(folder / "a.npy")):
        assert found.dtype == array.dtype and found.shape == array.shape
        np.testing.assert_array_equal(found, array)


def test_only_arrays_that_are_there_come_back(tmp_path):
    np.savez(tmp_path / "a.npz", x=np.zeros(2))
    assert set(read_npz(tmp_path / "a.npz", ("x", "y"))) == {"x"}


class Evil:
    def __reduce__(self):
        return print, ("this ran",)


def test_objects_are_refused_and_never_run(tmp_path, capsys):
    objects = np.array([Evil(), Evil()], dtype=object)
    np.save(tmp_path / "a.npy", objects, allow_pickle=True)
    np.savez(tmp_path / "a.npz", x=objects)
    for read in (lambda: read_npy(tmp_path / "a.npy"), lambda: read_npz(tmp_path / "a.npz", ("x",))):
        with pytest.raises(DataError, match="holds Python objects, which could run code"):
            read()
    assert "this ran" not in capsys.readouterr().out


def header(shape):
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": shape})
    return file.getvalue()


def test_a_header_that_says_more_than_is_there_is_refused_before_memory_is_taken(tmp_path):
    for shape, said in (((2**20, 2**20), "4096.0 GiB, expected at most 4 GiB"), ((1000, 1000), "expected 4,000,")):
        (tmp_path / "a.npy").write_bytes(header(shape) + b"\0" * 64)
        with zipfile.ZipFile(tmp_path / "a.npz", "w") as file:
            file.writestr("x.npy", header(shape) + b"\0" * 64)
        for read in (lambda: read_npy(tmp_path / "a.npy"), lambda: read_npz(tmp_path / "a.npz", ("x",))):
            with pytest.raises(DataError, match=said):
                read()


@pytest.mark.parametrize("shape", [(-1, 5, 6), (True, 5, 6), (2, -5, -6)])
def test_an_odd_shape_is_refused(tmp_path, shape):
    (tmp_path / "a.npy").write_bytes(header(shape) + b"\0" * 240)
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as file:
        file.writestr("x.npy", header(shape) + b"\0" * 240)
    for read in (lambda: read_npy(tmp_path / "a.npy"), lambda: read_npz(tmp_path / "a.npz", ("x",))):
        with pytest.raises(DataError, match=r"non-negative integers|not a NumPy array"):
            read()


def test_a_zip_bomb_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(array_files, "FREE_BYTES", 2**16)
    monkeypatch.setattr(array_files, "MOST_TIMES", 100)
    np.savez_compressed(tmp_path / "a.npz", x=np.zeros(2**16, dtype=np.float32))
    with pytest.raises(DataError, match="compression ratio above 100"):
        read_npz(tmp_path / "a.npz", ("x",))


@pytest.mark.parametrize("raw", [b"", b"hello", b"PK\x05\x06", b"\x93NUMPY\x01\x00", b"\x93NUMPY\x07\x00\x10\x00{}"])
def test_what_is_no_array_is_refused(tmp_path, raw):
    for name, read in (("a.npy", read_npy), ("a.npz", lambda path: read_npz(path, ("x",)))):
        (tmp_path / name).write_bytes(raw)
        with pytest.raises(DataError, match=r"is not a NumPy array|not a \.npz file, or damaged"):
            read(tmp_path / name)
    with pytest.raises(DataError, match="no such file"):
        read_npy(tmp_path / "no.npy")
