"""Rows that cannot be read."""

from __future__ import annotations

import pytest

from heedful.cli.main import main
from heedful.data.bad_rows import MAX_REPORTED, BadRows
from heedful.data.columns import Columns
from heedful.data.read import read_labelled, read_rows
from heedful.errors import DataError

BAD_CSV = "text,label\ngood,a\nbad\nalso good,b\nthis,has,three\nempty label,\nfine,a\n"


def test_the_first_bad_row_ends_the_work(tmp_path):
    (tmp_path / "x.csv").write_text(BAD_CSV)
    with pytest.raises(DataError, match="line 3"):
        read_labelled(tmp_path / "x.csv", Columns())


def test_bad_rows_are_left_out_counted_and_told(tmp_path):
    (tmp_path / "x.csv").write_text(BAD_CSV)
    faults = BadRows(skip=True)
    found, _ = read_labelled(tmp_path / "x.csv", Columns(), faults=faults)
    assert [(e.text, e.label, e.line) for e in found] == [("good", "a", 2), ("also good", "b", 4), ("fine", "a", 7)]
    assert faults.n == 3
    assert "3 rows could not be read" in faults.report[0]
    assert [line for line in ("line 3", "line 5", "line 6") if any(line in said for said in faults.report)] == [
        "line 3", "line 5", "line 6",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content"),
    [("x.tsv", "text\tlabel\na\tb\nbroken\nc\td\n"), ("x.jsonl", '{"text": "a"}\n{broken\n{"text": "c"}\n')],
)
def test_every_format_goes_on_after_a_bad_row(tmp_path, name, content):
    (tmp_path / name).write_text(content)
    faults = BadRows(skip=True)
    assert [row.values["text"] for row in read_rows(tmp_path / name, faults=faults)] == ["a", "c"]
    assert faults.n == 1


def test_only_the_first_faults_are_shown():
    faults = BadRows(skip=True)
    for i in range(12):
        faults.take(DataError("f.csv", "bad", line=i + 1))
    assert len(faults.first) == MAX_REPORTED
    assert faults.report[-1].strip() == f"… and {12 - MAX_REPORTED} more"


def test_training_says_what_it_left_out(tmp_path, capsys):
    rows = "".join(f"{word} text {i},{label}\n" for i in range(20) for word, label in (("good", "a"), ("poor", "b")))
    (tmp_path / "x.csv").write_text(f"text,label\n{rows}one cell\n")
    flags = ["--start", "none", "--encoder", "static", "--epochs", "1", "--out", str(tmp_path / "model")]
    assert main(["train", str(tmp_path / "x.csv"), *flags]) == 2
    assert "line 42" in capsys.readouterr().err
    assert main(["train", str(tmp_path / "x.csv"), *flags, "--skip-bad"]) == 0
    told = capsys.readouterr().err
    assert "1 row could not be read and left out:\n" in told
    assert "line 42" in told
    assert told.rstrip().endswith("Skipped 1 row that could not be read.")
