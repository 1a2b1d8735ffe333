from __future__ import annotations

import csv
import json
import subprocess
import sys

import pytest
from tests.jobs.check.test_check import made

from heedful.cli.commands import check as command
from heedful.cli.main import main, run
from heedful.explain.check.results import Check

WITHOUT_TORCH = "import sys; sys.modules['torch'] = None; from heedful.cli.main import run; run(sys.argv[1:])"


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    texts, labels, _ = made(120, wrong=6)
    path = tmp_path_factory.mktemp("check") / "in.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("text", "label"), *zip(texts, labels, strict=True)])
    return path


def test_without_torch_rows_are_checked_and_labels_are_not(data):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT_TORCH, "check", str(data)],
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Check of in.csv\n120 rows, text in column text, 3 labels in column label.")
    assert "needs packages that are not installed" in " ".join(done.stdout.split()) and "\x1b" not in done.stdout
    assert "in.csv: 120 rows" in done.stderr


def test_a_table_of_fixes_comes_back_as_a_new_file(data, tmp_path, capsys):
    fixes, out, page = tmp_path / "fixes.csv", tmp_path / "out.csv", tmp_path / "page.html"
    assert main(["check", str(data), "--no-curve", "--fixes", str(fixes), "--html", str(page), "-q"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "" and "--fixed" in shown.err and page.read_text(encoding="utf-8").startswith("<!doctype html>")
    with fixes.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    rows[0]["correct"] = rows[0]["suggested"]
    with fixes.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    assert main(["check", str(data), "--fixed", str(fixes), "-o", str(out)]) == 0
    assert "1 label changed" in capsys.readouterr().err
    before, after = (path.read_text(encoding="utf-8").splitlines() for path in (data, out))
    assert [i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b] == [int(rows[0]["row"])]


def test_json_is_one_value(data, capsys):
    assert main(["check", str(data), "--json", "--no-labels", "-q"]) == 0
    tree = json.loads(capsys.readouterr().out)
    assert tree["n_rows"] == 120 and tree["label_check"] is None and tree["duplicates"]["n_exact"] == 0


def test_a_table_comes_from_stdin(data):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, "check", "-", "--json", "--no-labels"],
        input=data.read_text(encoding="utf-8"), capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["n_rows"] == 120


def test_ctrl_c_prints_what_is_there_and_ends_with_130(data, capsys, monkeypatch):
    stopped = Check("in.csv", 40, "text", "label", (), notes=("Stopped after 40 rows were read.",), is_stopped=True)
    monkeypatch.setattr(command, "check_data", lambda *_, **__: stopped)
    with pytest.raises(SystemExit) as ended:
        run(["check", str(data)])
    assert ended.value.code == 130 and "Stopped after 40 rows" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--fixed", "f.csv"], "-o go together"),
        (["-o", "out.csv"], "-o go together"),
        (["--html", "{data}"], "which is also read"),
        (["--fixes", "{data}"], "which is also read"),
        (["--label", "stars"], "stars"),
        (["--rows", "-1"], "--rows is -1"),
        (["--test", "nowhere.csv"], "nowhere.csv"),
        (["--model", "nowhere"], "nowhere"),
        (["--fixed", "nowhere.csv", "-o", "out.csv"], "nowhere.csv"),
    ],
)
def test_faults_are_one_message_and_exit_2(data, capsys, flags, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = data.read_bytes()
    assert main(["check", str(data), "-q", *(flag.format(data=data) for flag in flags)]) == 2
    shown = capsys.readouterr()
    assert said in shown.err and shown.out == "" and list(tmp_path.iterdir()) == [] and data.read_bytes() == before
