from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

from heedful.data.read import read_rows
from heedful.errors import DataError, HeedfulError
from heedful.jobs.sinks import SINKS, open_sink

ROWS = [
    {"text": 'a, "quoted" cell', "n": "1"},
    {"text": "two\nlines", "n": "2"},
    {"text": "tab\there", "n": "3"},
    {"text": "ünï 未知 🙂", "n": ""},
    {"text": "", "n": "5"},
]
VECTORS = np.random.default_rng(0).normal(size=(5, 4)).astype(np.float32)


def written(path: Path, *, vectors: np.ndarray | None = None) -> Path:
    """Write the rows in two chunks."""
    with open_sink(path) as sink:
        for part in (slice(0, 2), slice(2, 5)):
            sink.write(ROWS[part], None if vectors is None else vectors[part])
        assert not path.exists(), "a file that is not finished has its name already"
    assert [p.name for p in path.parent.iterdir()] == [path.name]
    return path


def test_csv_reads_back_equal(tmp_path):
    path = written(tmp_path / "out.csv")
    with path.open(encoding="utf-8", newline="") as file:
        assert list(csv.DictReader(file)) == ROWS
    assert [dict(row.values) for row in read_rows(path)] == ROWS


def test_jsonl_reads_back_equal(tmp_path):
    lines = written(tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == ROWS


def test_parquet_reads_back_equal(tmp_path):
    assert pyarrow.parquet.read_table(written(tmp_path / "out.parquet")).to_pylist() == ROWS


def test_tsv_reads_back_equal_with_spaces_for_tabs_and_line_breaks(tmp_path):
    expected = [{**row, "text": row["text"].replace("\n", " ").replace("\t", " ")} for row in ROWS]
    assert [dict(row.values) for row in read_rows(written(tmp_path / "out.tsv"))] == expected


def test_npy_reads_back_equal(tmp_path):
    found = np.load(written(tmp_path / "out.npy", vectors=VECTORS), allow_pickle=False)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, VECTORS)


def test_npy_header_has_room_for_many_rows(tmp_path):
    many = np.arange(300_000, dtype=np.float32).reshape(-1, 2)
    with open_sink(tmp_path / "out.npy") as sink:
        sink.write([{}], many[:1])
        sink.write([{}] * (len(many) - 1), many[1:])
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), many)


def test_vectors_in_parquet_read_back_equal(tmp_path):
    table = pyarrow.parquet.read_table(written(tmp_path / "out.parquet", vectors=VECTORS))
    np.testing.assert_array_equal(np.array(table["vector"].to_pylist(), dtype=np.float32), VECTORS)
    assert table.drop_columns("vector").to_pylist() == ROWS


def test_vectors_in_jsonl_read_back_close(tmp_path):
    lines = written(tmp_path / "out.jsonl", vectors=VECTORS).read_text(encoding="utf-8").splitlines()
    np.testing.assert_allclose([json.loads(line)["vector"] for line in lines], VECTORS, rtol=1e-6)


@pytest.mark.parametrize("ending", SINKS)
def test_after_an_exception_there_is_nothing(tmp_path, ending):
    path = tmp_path / f"out{ending}"
    with pytest.raises(KeyboardInterrupt), open_sink(path) as sink:
        sink.write(ROWS, VECTORS if ending == ".npy" else None)
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", SINKS)
def test_after_an_exception_the_older_file_is_untouched(tmp_path, ending):
    path = tmp_path / f"out{ending}"
    path.write_bytes(b"older")
    with pytest.raises(ValueError, match="midway"), open_sink(path) as sink:
        sink.write(ROWS, VECTORS if ending == ".npy" else None)
        raise ValueError("midway")
    assert path.read_bytes() == b"older"


@pytest.mark.parametrize("ending", SINKS)
def test_no_rows_make_a_file_that_can_be_read(tmp_path, ending):
    path = tmp_path / f"out{ending}"
    with open_sink(path):
        pass
    if ending == ".npy":
        assert np.load(path).shape == (0, 0)
    elif ending == ".parquet":
        assert pyarrow.parquet.read_table(path).num_rows == 0
    else:
        assert path.read_bytes() == b""


def test_a_missing_value_is_an_empty_cell(tmp_path):
    with open_sink(tmp_path / "out.csv") as sink:
        sink.write([{"a": "x", "b": None}, {"a": 1.5}])
    assert (tmp_path / "out.csv").read_bytes() == b"a,b\r\nx,\r\n1.5,\r\n"


def test_vectors_need_a_format_that_holds_them(tmp_path):
    for ending in (".csv", ".tsv"):
        with (
            pytest.raises(HeedfulError, match="do not go into csv"),
            open_sink(tmp_path / f"o{ending}") as sink,
        ):
            sink.write(ROWS, VECTORS)
    with pytest.raises(HeedfulError, match="for vectors only"), open_sink(tmp_path / "o.npy") as sink:
        sink.write(ROWS)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_ending_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(DataError, match=r"Known endings: \.jsonl, \.csv"):
        open_sink(tmp_path / "deep" / "out.xlsx")
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_one_message(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(DataError, match="cannot be written"):
        open_sink(tmp_path / "file" / "out.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(DataError, match="this is a folder"):
        open_sink(tmp_path / "folder.csv")


def test_a_column_that_changes_its_type_is_named(tmp_path):
    with pytest.raises(DataError, match="changed their type"), open_sink(tmp_path / "out.parquet") as sink:
        sink.write([{"n": 1}])
        sink.write([{"n": "one"}])
    assert list(tmp_path.iterdir()) == []
