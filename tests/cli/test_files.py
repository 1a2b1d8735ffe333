"""Files of any form through the command line."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import openpyxl
import pytest

from heedful.cli.main import main
from heedful.config import load_config

WORDS = {"good": ["great", "lovely", "quick", "best"], "bad": ["awful", "slow", "broken", "worst"]}
ROWS = [
    (f"Le café était {word} le {i}, n’est-ce pas", label) for label in WORDS for word in WORDS[label] for i in range(5)
]
QUICK = [
    "--epochs",
    "1",
    "--start",
    "none",
    "--units",
    "4",
    "--embed-width",
    "4",
    "--n-hops",
    "1",
    "--attention-width",
    "4",
]
COMMANDS = (
    "train",
    "predict",
    "evaluate",
    "audit",
    "words",
    "hops",
    "index",
    "explain",
    "embed",
    "distill",
    "pretrain",
)
BEFORE_TORCH = """
import sys
from heedful.cli.main import main
code = main(sys.argv[1:])
print("torch" in sys.modules, code)
"""


def written(path: Path, rows=ROWS, *, sep=",", header=("text", "label"), encoding="utf-8") -> Path:
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=sep).writerows([header, *rows] if header else rows)
    path.write_bytes(file.getvalue().encode(encoding))
    return path


def run(*arguments: object, stdin: bytes = b"", code: str | None = None) -> tuple[int, str, str]:
    start = ["-m", "heedful"] if code is None else ["-c", code]
    done = subprocess.run([sys.executable, *start, *map(str, arguments)], capture_output=True, input=stdin, timeout=600)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("command", COMMANDS)
def test_the_flags_are_in_the_help_of_each_command_that_reads_files(command, capsys):
    with pytest.raises(SystemExit):
        main([command, "--help-all" if command == "train" else "--help"])
    text = capsys.readouterr().out
    assert all(flag in text for flag in ("--sep", "--encoding", "--no-header", "--sheet"))


def train(*arguments: object) -> int:
    return main(["train", *map(str, arguments), *QUICK])


def test_semicolons_in_cp1252_are_trained_on_and_said(tmp_path, capsys):
    file = written(tmp_path / "a.csv", sep=";", encoding="cp1252")
    assert train(file, "-o", tmp_path / "model") == 0
    line = next(line for line in capsys.readouterr().err.splitlines() if line.startswith(str(file)))
    assert "40 rows, columns text, label, separator ';', encoding cp1252 (guessed; reads café, était, n’est" in line
    assert line.endswith("text text, label label")
    assert main(["evaluate", str(tmp_path / "model"), str(file)]) == 0
    assert "separator ';'" in capsys.readouterr().err
    assert main(["evaluate", str(tmp_path / "model"), str(file), "--json"]) == 0
    assert "separator" not in capsys.readouterr().err
    assert train(file, "-o", tmp_path / "quiet", "-q") == 0
    assert "separator" not in capsys.readouterr().err


def test_the_form_is_kept_with_the_model_and_a_file_without_header_is_read_again(tmp_path, capsys):
    rows = [(label, text) for text, label in ROWS]
    file = written(tmp_path / "a.txt", rows, sep="|", header=None, encoding="utf-16")
    form = ["--sep", "|", "--no-header", "--encoding", "utf-16"]
    columns = ["--text", "column_2", "--label", "column_1"]
    assert train(file, "-o", tmp_path / "model", *form, *columns) == 0
    data = load_config(tmp_path / "model" / "config.toml").data
    assert (data.sep, data.header, data.encoding, data.sheet) == ("|", False, "utf-16", None)
    assert train(tmp_path / "model" / "config.toml", "-o", tmp_path / "again") == 0
    other = written(tmp_path / "b.csv", rows, header=None)
    capsys.readouterr()
    assert main(["evaluate", str(tmp_path / "model"), str(other)]) == 0
    assert "40 rows, columns column_1, column_2, no header, separator ',', encoding utf-8" in capsys.readouterr().err


def test_a_sheet_with_subject_and_body(tmp_path, capsys):
    book = openpyxl.Workbook()
    sheet = book.create_sheet("Mails")
    for row in [("subject", "body", "topic"), *(("Hello", text, label) for text, label in ROWS)]:
        sheet.append(row)
    book.save(tmp_path / "mails.xlsx")
    given = [tmp_path / "mails.xlsx", "--sheet", "Mails"]
    assert train(*given, "--text", "subject,body", "--label", "topic", "-o", tmp_path / "model") == 0
    assert "sheet 'Mails', columns subject, body, topic" in capsys.readouterr().err
    out = tmp_path / "out.csv"
    assert main(["predict", str(tmp_path / "model"), *map(str, given), "-o", str(out)]) == 0
    first = next(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"))))
    assert first["subject"] == "Hello" and first["body"] == ROWS[0][0] and first["predicted"] in WORDS


def test_a_pattern_is_trained_on_and_a_folder_predicted(tmp_path, capsys):
    (tmp_path / "parts").mkdir()
    for i in range(4):
        written(tmp_path / "parts" / f"{i}.csv", ROWS[i::4])
    assert train(tmp_path / "parts" / "*.csv", "-o", tmp_path / "model") == 0
    assert "4 files, 40 rows" in capsys.readouterr().err
    for given in (tmp_path / "parts", tmp_path / "parts" / "*.csv", tmp_path / "parts" / "*"):
        assert main(["predict", str(tmp_path / "model"), str(given)]) == 0
        output = capsys.readouterr()
        assert len(output.out.splitlines()) == 40 and "4 files, 40 rows" in output.err


def test_a_table_on_standard_input_is_trained_on(tmp_path):
    content = written(tmp_path / "a.csv", sep=";").read_bytes()
    code, _, errors = run("train", "-", "-o", tmp_path / "model", *QUICK, stdin=content)
    assert code == 0 and "standard input: 40 rows, columns text, label, separator ';'" in errors
    code, output, _ = run("evaluate", tmp_path / "model", "-", "--json", stdin=content)
    assert code == 0 and json.loads(output)["accuracy"] >= 0


def test_a_model_is_a_filter_in_a_pipe(tiny_folder):
    with subprocess.Popen(
        [sys.executable, "-m", "heedful", "predict", tiny_folder, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        for text in ("it was great", "it was awful"):
            process.stdin.write(f"{text}\n".encode())
            process.stdin.flush()
            assert process.stdout.readline().decode().split("\t")[-1] == f"{text}\n"  # before the next line is written
        process.stdin.write(b"no line end")
        rest, _ = process.communicate(timeout=60)
    assert rest.decode().endswith("\tno line end\n") and process.returncode == 0


def test_rows_go_to_standard_output_as_csv_and_vectors_as_json_lines(tiny_folder, tmp_path):
    code, output, _ = run("predict", tiny_folder, "-", "-o", "-", stdin=b"it was great\nso, so\n")
    rows = list(csv.DictReader(io.StringIO(output)))
    assert code == 0 and [row["text"] for row in rows] == ["it was great", "so, so"] and rows[0]["predicted"]
    table = b"id;review\n1;it was great\n2;so so\n"
    code, output, _ = run("predict", tiny_folder, "-", "--text", "review", "-o", "-", stdin=table)
    assert code == 0 and [row["id"] for row in csv.DictReader(io.StringIO(output))] == ["1", "2"]
    file = tmp_path / "a.csv"
    file.write_bytes(table)
    code, output, _ = run("embed", tiny_folder, file, "--text", "review", "-o", "-")
    assert code == 0 and [json.loads(line)["id"] for line in output.splitlines()] == ["1", "2"]


def test_lines_in_another_encoding_name_the_flag(tiny_folder):
    code, output, errors = run("predict", tiny_folder, "-", stdin="café\n".encode("cp1252"))
    assert (code, output) == (2, "") and "line 1: byte 4 (0xe9) is not UTF-8. Set encoding" in errors
    code, output, _ = run("predict", tiny_folder, "-", "--encoding", "cp1252", stdin="café\n".encode("cp1252"))
    assert code == 0 and "café" in output


@pytest.mark.parametrize(
    ("name", "content", "flags", "expected"),
    [
        ("a.xlsx", b"no workbook", [], "not an .xlsx workbook"),
        ("a.json", b"{", [], "expected an array"),
        ("a.csv", "текст;метка\nочень хорошо;да\n".encode("cp1251"), [], "is not UTF-8"),
        ("a.csv", b"good,it was\nbad,so slow\ngood,yes\n", [], "--no-header"),
        ("a.csv", b"text,label\na,b\nc,d\n", ["--sep", "::"], "expected one character"),
        ("a.csv", b"text,label\na,b\nc,d\n", ["--encoding", "klingon"], "expected an encoding"),
        ("a.csv", b"text,label\na,b\nc,d\n", ["--text", "text,body"], "no column 'body'"),
    ],
)
def test_a_wrong_file_is_named_in_one_line_before_torch_is_imported(tmp_path, name, content, flags, expected):
    (tmp_path / name).write_bytes(content)
    _, output, errors = run("train", tmp_path / name, "-o", tmp_path / "model", *flags, code=BEFORE_TORCH)
    assert output.strip() == "False 2" and expected in errors and len(errors.splitlines()) == 1


def test_missing_patterns_and_folders_are_named_before_torch_is_imported(tmp_path):
    for path, expected in ((tmp_path / "*.csv", "no file matches"), (tmp_path, "no file with a known extension")):
        _, output, errors = run("train", path, "-o", tmp_path / "model", code=BEFORE_TORCH)
        assert output.strip() == "False 2" and expected in errors


def test_a_sentence_with_a_star_is_a_text(tiny_folder, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert main(["predict", str(tiny_folder), "it was * great *", "5*"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert list(tmp_path.iterdir()) == []


def test_a_named_pipe_is_read_once_from_its_start(tiny_folder, tmp_path):
    for name, content in (("in.tsv", "id;text\n1;it was great\n"), ("in.csv", "id\ttext\n1\tit was great\n")):
        os.mkfifo(tmp_path / name)
        command = [sys.executable, "-m", "heedful", "predict", tiny_folder, tmp_path / name]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            (tmp_path / name).write_text(content)
            assert process.communicate(timeout=100)[0].decode().endswith("\tit was great\n")
