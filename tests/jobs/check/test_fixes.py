from __future__ import annotations

import csv
import json

import pytest
from tests.jobs.check.test_check import made

import heedful
from heedful.data.columns import Columns
from heedful.errors import DataError
from heedful.jobs.check.fixes import CORRECT, apply_fixes, read_fixes, write_fixes
from heedful.jobs.check.source import open_data


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_rows(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture
def world(tmp_path):
    """Return a file with wrong labels, its check, and the table of suspicious rows."""
    texts, labels, wrong = made(120, wrong=6)
    texts[3] = '=SUM(1), "quoted"\nin two lines'
    texts[5] = texts[4]
    data = tmp_path / "in.csv"
    write_rows(data, [{"id": i, "text": t, "label": n} for i, (t, n) in enumerate(zip(texts, labels, strict=True))])
    check = heedful.check(data, curve=False, progress=False)
    source, fixes = open_data(data, Columns()), tmp_path / "fixes.csv"
    n = write_fixes(check, source, fixes)
    return data, source, fixes, n, wrong


def test_the_table_has_the_suspicious_rows_and_conflicts_with_an_empty_column(world):
    *_, fixes, n, wrong = world
    rows = rows_of(fixes)
    assert len(rows) == n and all(row[CORRECT] == "" for row in rows)
    assert len({i + 1 for i in wrong} & {int(row["row"]) for row in rows}) >= 4
    conflicts = [row for row in rows if row["why"] == "same text, other label"]
    assert {int(row["row"]) for row in conflicts} <= {5, 6}


def test_an_empty_column_corrects_nothing(world, tmp_path):
    _, source, fixes, *_ = world
    assert read_fixes(fixes) == {}
    with pytest.raises(DataError, match="no corrections"):
        apply_fixes(source, {}, fixes, tmp_path / "out.csv")


def test_corrections_make_a_new_file_and_leave_the_old_one(world, tmp_path):
    data, source, fixes, *_ = world
    before = data.read_bytes()
    rows = rows_of(fixes)
    for row in rows[:3]:
        row[CORRECT] = row["suggested"]
    write_rows(fixes, rows)
    out = tmp_path / "out.csv"
    assert apply_fixes(source, read_fixes(fixes), fixes, out) == 3
    old, new = rows_of(data), rows_of(out)
    changed = {int(row["row"]) - 1: row["suggested"] for row in rows[:3]}
    assert data.read_bytes() == before and len(old) == len(new)
    for i, (a, b) in enumerate(zip(old, new, strict=True)):
        assert b == {**a, "label": changed.get(i, a["label"])}


def test_a_changed_file_is_refused_and_nothing_is_written(world, tmp_path):
    data, _, fixes, *_ = world
    rows = rows_of(fixes)
    rows[0][CORRECT] = "app"
    write_rows(fixes, rows)
    lines = rows_of(data)
    write_rows(data, [lines[-1], *lines[:-1]])
    out = tmp_path / "out.csv"
    with pytest.raises(DataError, match="was the file changed since"):
        apply_fixes(open_data(data, Columns()), read_fixes(fixes), fixes, out)
    write_rows(data, lines[:1])
    with pytest.raises(DataError, match=r"has no row|was the file changed"):
        apply_fixes(open_data(data, Columns()), read_fixes(fixes), fixes, out)
    assert not out.exists()


def test_a_misspelled_label_is_refused_unless_new_labels_are_allowed(world, tmp_path):
    _, source, fixes, *_ = world
    rows = rows_of(fixes)
    rows[0][CORRECT] = "delivry"
    write_rows(fixes, rows)
    with pytest.raises(DataError, match="Did you mean delivery"):
        apply_fixes(source, read_fixes(fixes), fixes, tmp_path / "out.csv")
    assert apply_fixes(source, read_fixes(fixes), fixes, tmp_path / "out.csv", new_labels=True) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("row,label\n1,a\n", "no column key"),
        ("row,label,key,correct\nx,a,k,b\n", "expected a number"),
        ("row,label,key,correct\n1,a,k,b\n1,a,k,c\n", "corrected twice"),
    ],
)
def test_a_wrong_table_is_an_error(tmp_path, content, said):
    path = tmp_path / "fixes.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=said):
        read_fixes(path)


def test_numbers_stay_numbers_and_formulas_stay_labels(tmp_path):
    rows = [{"text": f"text number {i} of them", "label": i % 2} for i in range(4)]
    data = tmp_path / "in.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    source = open_data(data, Columns())
    from heedful.jobs.check.fixes import Fix, key_of

    fixes = {1: Fix(1, "0", key_of(rows[0]["text"]), "1", 2), 2: Fix(2, "1", key_of(rows[1]["text"]), "=x", 3)}
    out = tmp_path / "out.jsonl"
    assert apply_fixes(source, fixes, tmp_path / "f.csv", out, new_labels=True) == 2
    assert [json.loads(line)["label"] for line in out.read_text(encoding="utf-8").splitlines()] == [1, "=x", 0, 1]
