import gzip
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from heedful.data.files import parquet
from heedful.data.files.parquet import read_parquet
from heedful.errors import DataError, MissingExtraError

VALUES = {"text": ["a\nb", "", "çok 👍"], "label": ["x", None, "y"], "n": [1, 2, 3]}


@pytest.fixture
def raw(tmp_path) -> bytes:
    pq.write_table(pa.table(VALUES), tmp_path / "made.parquet")
    return (tmp_path / "made.parquet").read_bytes()


def put(folder: Path, name: str, raw: bytes) -> Path:
    (folder / name).write_bytes(raw)
    return folder / name


@pytest.mark.parametrize("is_zipped", [False, True])
def test_rows_come_back_numbered_from_one(tmp_path, raw, is_zipped):
    path = put(tmp_path, "a.parquet.gz", gzip.compress(raw)) if is_zipped else put(tmp_path, "a.parquet", raw)
    rows = list(read_parquet(path))
    assert [row.line for row in rows] == [1, 2, 3]
    assert [dict(row.values) for row in rows] == pa.table(VALUES).to_pylist()


def test_numbering_goes_on_over_slices(tmp_path, raw, monkeypatch):
    monkeypatch.setattr(parquet, "SLICE", 2)
    assert [row.line for row in read_parquet(put(tmp_path, "a.parquet", raw))] == [1, 2, 3]


def test_dictionary_columns_come_as_plain_strings(tmp_path):
    pq.write_table(pa.table({"text": pa.array(["a", "b", "a"]).dictionary_encode()}), tmp_path / "a.parquet")
    assert [row.values["text"] for row in read_parquet(tmp_path / "a.parquet")] == ["a", "b", "a"]


def test_a_file_without_rows_has_none(tmp_path):
    pq.write_table(pa.table({"text": pa.array([], pa.string())}), tmp_path / "a.parquet")
    assert list(read_parquet(tmp_path / "a.parquet")) == []


def test_damaged_files_are_one_message(tmp_path, raw):
    broken = {
        "cut.parquet": raw[:-30],
        "empty.parquet": b"",
        "csv.parquet": b"text,label\na,b\n",
        "cut.parquet.gz": gzip.compress(raw)[:-20],
        "plain.parquet.gz": raw,
    }
    for name, content in broken.items():
        with pytest.raises(DataError, match=rf"{name}: not a parquet file, or damaged"):
            list(read_parquet(put(tmp_path, name, content)))


def test_a_string_that_is_not_utf8_is_one_message(tmp_path):
    offsets = pa.py_buffer((0).to_bytes(4, "little") + (2).to_bytes(4, "little"))
    bad = pa.Array.from_buffers(pa.string(), 1, [None, offsets, pa.py_buffer(b"\xff\xfe")])
    pq.write_table(pa.table({"text": bad}), tmp_path / "a.parquet")
    with pytest.raises(DataError, match="damaged: 'utf-8' codec"):
        list(read_parquet(tmp_path / "a.parquet"))


def test_columns_that_share_a_name_are_numbered_and_none_is_lost(tmp_path):
    table = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["text", "text"])
    pq.write_table(table, tmp_path / "a.parquet")
    assert [row.values for row in read_parquet(tmp_path / "a.parquet")] == [{"text_1": "a", "text_2": "b"}]


def test_without_pyarrow_the_extra_is_named(tmp_path, raw, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r'Reading parquet needs .*pip install "heedful\[parquet\]"'):
        list(read_parquet(put(tmp_path, "a.parquet", raw)))
