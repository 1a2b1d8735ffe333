from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

from heedful.data.read import read_rows
from heedful.errors import DataError, HeedfulError
from heedful.jobs.output.sinks import SINKS, open_sink

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
            pytest.raises(HeedfulError, match="cannot hold vectors"),
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
    expected = pytest.raises(DataError, match=r"out\.parquet: column 'n' has values of types")
    with expected as caught, open_sink(tmp_path / "out.parquet") as sink:
        sink.write([{"n": 1}])
        sink.write([{"n": "one"}])
    assert "partial" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("value", [2**63, [1, "two"], {"a": 1}])
def test_what_parquet_cannot_hold_is_named_and_not_a_traceback(tmp_path, value):
    with pytest.raises(DataError, match=r"column 'n'.*\.jsonl"), open_sink(tmp_path / "out.parquet") as sink:
        sink.write([{"n": 1}, {"n": value}])
    assert list(tmp_path.iterdir()) == []


UNEVEN = [[{"a": "1"}, {"a": "2", "b": "x"}], [{"c": "y", "a": "3"}], [{"d": 'z, "w"\nv'}], [{"a": "5"}]]


def as_read(path: Path) -> list[dict[str, object]]:
    found = pyarrow.parquet.read_table(path).to_pylist() if path.suffix == ".parquet" else None
    return found or [{name: cell or None for name, cell in row.values.items()} for row in read_rows(path)]


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".parquet"])
def test_a_column_that_comes_late_is_kept(tmp_path, ending):
    path = tmp_path / f"out{ending}"
    with open_sink(path) as sink:
        for rows in UNEVEN:
            sink.write(rows)
    plain = [row for rows in UNEVEN for row in rows]
    if ending == ".tsv":
        plain = [{name: cell.replace("\n", " ") for name, cell in row.items()} for row in plain]
    assert as_read(path) == [{name: row.get(name) for name in "abcd"} for row in plain]
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_vectors_stay_beside_their_rows_when_a_column_comes_late(tmp_path):
    with open_sink(tmp_path / "out.parquet") as sink:
        sink.write([{"a": 1}, {"a": 2}], VECTORS[:2])
        sink.write([{"a": 3, "b": None}], VECTORS[2:3])
        sink.write([{"a": 4.5, "b": {"x": 1}}, {"b": {"y": "2"}}], VECTORS[3:])
    table = pyarrow.parquet.read_table(tmp_path / "out.parquet")
    assert table["a"].to_pylist() == [1.0, 2.0, 3.0, 4.5, None]
    assert table["b"].to_pylist() == [None, None, None, {"x": 1, "y": None}, {"x": None, "y": "2"}]
    np.testing.assert_array_equal(np.array(table["vector"].to_pylist(), dtype=np.float32), VECTORS)


def test_many_chunks_with_a_new_column_each_are_kept(tmp_path):
    for ending in (".parquet", ".csv"):
        with open_sink(tmp_path / f"out{ending}") as sink:
            for i in range(300):
                sink.write([{"a": str(i), f"c{i}": "x"}])
        rows = as_read(tmp_path / f"out{ending}")
        assert [row["a"] for row in rows] == [str(i) for i in range(300)]
        assert all(row[f"c{i}"] == "x" for i, row in enumerate(rows))


def test_numbers_that_are_not_finite_are_null_in_json_lines(tmp_path):
    with open_sink(tmp_path / "out.jsonl") as sink:
        sink.write([{"a": float("nan"), "b": [1.5, float("inf")], "c": {"d": -float("inf")}}])
    assert json.loads((tmp_path / "out.jsonl").read_text(), parse_constant=pytest.fail) == {
        "a": None, "b": [1.5, None], "c": {"d": None},
    }  # fmt: skip


FORMULAS = ["=cmd|' /C calc'!A0", "+1+1", "@SUM(1)", "-2+3", "-1.5", "+4", "plain", ""]


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_formulas_are_made_harmless_where_it_is_asked_for(tmp_path, ending):
    for safe in (False, True):
        with open_sink(tmp_path / f"{safe}{ending}", safe_csv=safe) as sink:
            sink.write([{"a": cell, "b": "x"} for cell in FORMULAS])
    assert [row.values["a"] for row in read_rows(tmp_path / f"False{ending}")] == FORMULAS
    safe = [f"'{cell}" for cell in FORMULAS[:4]] + FORMULAS[4:]  # numbers stay numbers
    assert [row.values["a"] for row in read_rows(tmp_path / f"True{ending}")] == safe


@pytest.mark.parametrize("ending", SINKS)
def test_a_full_disk_is_one_message_that_names_the_file(tmp_path, ending, limited_files):
    older = tmp_path / f"out{ending}"
    older.write_bytes(b"older")
    rng = np.random.default_rng(0)
    expected = pytest.raises(DataError, match=r"out\.\w+: cannot be written: ")
    with limited_files(20_000), expected as caught, open_sink(older) as sink:
        for _ in range(400):
            rows = [{"text": rng.bytes(600).hex()} for _ in range(3)]
            sink.write(rows, rng.normal(size=(3, 100)).astype(np.float32) if ending == ".npy" else None)
    assert "partial" not in str(caught.value)
    assert older.read_bytes() == b"older"
    assert [p.name for p in tmp_path.iterdir()] == [older.name]


def test_the_target_of_a_link_is_written_and_permissions_stay(tmp_path):
    (tmp_path / "real.csv").write_text("older")
    (tmp_path / "real.csv").chmod(0o640)
    (tmp_path / "link.csv").symlink_to("real.csv")
    with open_sink(tmp_path / "link.csv") as sink:
        sink.write([{"a": "1"}])
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_bytes() == b"a\r\n1\r\n"
    assert (tmp_path / "real.csv").stat().st_mode & 0o777 == 0o640
