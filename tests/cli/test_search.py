from __future__ import annotations

import json
import os
import runpy
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from heedful.cli.main import main
from heedful.search.index import Index

make_encoder = runpy.run_path(str(Path(__file__).parents[1] / "search" / "conftest.py"))["make_encoder"]

CSV = """review,stars,lang
the food came late and cold,1,en
a lovely dinner with quick service,5,en
"my sister lost the parcel, the ""broken"" one",2,de
the bus came late,,en
"""
SLOW = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a test run in the background hands down that it is ignored
from heedful.search import rows
from heedful.search.table import Table
from heedful.cli.main import run
rows.MOST_ROWS = 10
write = Table.write
def slow(*given):
    time.sleep(0.05)
    return write(*given)
Table.write = slow
run(sys.argv[1:])
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return make_encoder(tmp_path_factory.mktemp("encoder") / "tiny")


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "reviews.csv"
    path.write_text(CSV, encoding="utf-8")
    return path


@pytest.fixture
def made(tmp_path, data, model):
    path = tmp_path / "made"
    assert heedful("index", data, "-o", path, "--model", model, "-q") == 0
    return path


def heedful(*arguments: object) -> int:
    return main([str(a) for a in arguments])


def hits(capsys) -> list[dict]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_index_and_search(made, capsys):
    assert heedful("search", made, "dinner service", "-n", 2, "--json") == 0
    found = hits(capsys)
    assert len(found) == 2 and found[0]["score"] >= found[1]["score"]
    for hit in found:
        assert hit["text"] in CSV.replace('""', '"')
        assert set(hit["columns"]) == {"stars", "lang"}
        assert hit["words"][0]["query"] in ("dinner", "service") and hit["words"][0]["text"] in hit["text"]


def test_the_terminal_shows_score_columns_text_and_words(made, capsys):
    assert heedful("search", made, "the food came late and cold", "-n", 1) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("1. 0.6") and "+ 0.300 meaning" in shown and "stars=1  lang=en" in shown
    assert "the food came late and cold" in shown and "~" in shown


def test_html_writes_a_page_of_the_hits(made, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert heedful("search", made, "dinner <script>", "-n", 2, "--html", page) == 0
    captured = capsys.readouterr()
    assert captured.out == "" and f"page written to {page}" in captured.err.replace("\n", "")
    source = page.read_text(encoding="utf-8")
    assert source.count('<section class="card">') == 2 and "dinner &lt;script&gt;" in source
    assert heedful("search", made, "dinner", "--where", "stars > 5", "--html", page) == 0
    assert "No results." in page.read_text(encoding="utf-8")


def test_numbers_of_a_csv_can_be_compared(made, capsys):
    heedful("search", made, "dinner", "--where", "stars >= 2 AND lang = 'en'", "--json")
    assert [hit["columns"] for hit in hits(capsys)] == [{"stars": 5, "lang": "en"}]
    heedful("search", made, "dinner", "--where", "stars IS NULL", "--json")
    assert [hit["columns"]["stars"] for hit in hits(capsys)] == [None]


def test_a_filter_that_fits_nothing_says_so(made, capsys):
    assert heedful("search", made, "dinner", "--where", "stars > 5") == 0
    captured = capsys.readouterr()
    assert captured.out == "" and "no row fits the filter" in captured.err


def test_adding_and_deleting(made, data, tmp_path, capsys):
    more = tmp_path / "more.jsonl"
    more.write_text('{"review": "soup", "stars": 3, "new": true}\n{"review": "wine"}\n', encoding="utf-8")
    lines = tmp_path / "lines.txt"
    lines.write_text("bread\n", encoding="utf-8")
    assert heedful("index", more, lines, data, "-o", made, "--add", "--json", "-q") == 0
    (done,) = hits(capsys)
    assert (done["rows"], done["read"], done["new"], done["replaced"]) == (7, 7, 3, 0)
    heedful("search", made, "soup", "-n", 1, "--json")
    (hit,) = hits(capsys)
    assert hit["text"] == "soup" and hit["columns"] == {"stars": 3, "lang": None, "new": True}
    assert heedful("index", "-o", made, "--delete", hit["id"], "none", "--json") == 0
    assert hits(capsys)[0]["deleted"] == 1
    assert Index.open(made).count() == 6


def test_ids_are_the_users(tmp_path, model, capsys):
    data = tmp_path / "in.tsv"
    data.write_text("key\ttext\n7\tbus\n8\ttrain\n7\train\n", encoding="utf-8")
    assert heedful("index", data, "-o", tmp_path / "i", "--id", "key", "--model", model) == 0
    assert "2 rows (2 new, 1 unchanged)" in capsys.readouterr().err
    heedful("search", tmp_path / "i", "rain", "--where", "key = '7'", "--json")
    assert [(hit["id"], hit["text"]) for hit in hits(capsys)] == [("7", "rain")]


def test_faults_are_one_message_and_exit_2(made, data, model, tmp_path, capsys):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").touch()
    broken = tmp_path / "broken.csv"
    broken.write_text(CSV + "soup,many,en\n", encoding="utf-8")
    empty = tmp_path / "empty.csv"
    empty.write_text("text\n", encoding="utf-8")
    new = tmp_path / "new"
    dotted = tmp_path / "dotted.jsonl"
    dotted.write_text('{"text": "bus", "a.b": 1}\n', encoding="utf-8")
    for said, arguments in [
        ("already exists", ["index", data, "-o", made, "--model", model]),
        ("will not be overwritten", ["index", data, "-o", tmp_path / "folder", "--overwrite", "--model", model]),
        ("exclude each other", ["index", data, "-o", made, "--add", "--overwrite"]),
        ("give a file", ["index", "-o", made]),
        ("no column 'revue' (setting text)", ["index", data, "-o", new, "--text", "revue", "--model", model]),
        ("no column 'key' (--id)", ["index", data, "-o", new, "--id", "key", "--model", model]),
        ("it cannot change", ["index", data, "-o", made, "--add", "--text", "lang"]),
        ("no rows", ["index", empty, "-o", new, "--model", model]),
        ("line 6: stars is 'many', expected a number", ["index", broken, "-o", made, "--add"]),
        ("'a.b' is not a valid column name", ["index", dotted, "-o", new, "--model", model]),
        ("does not exist", ["search", new, "bus"]),
        ("is not an index", ["search", tmp_path / "folder", "bus"]),
        ("query is empty", ["search", made, " "]),
        ("Did you mean stars", ["search", made, "bus", "--where", "star = 1"]),
        ("expected at least 1", ["search", made, "bus", "-n", "0"]),
        ("give one of them", ["search", made, "bus", "--html", new, "--json"]),
        ("cannot be written", ["search", made, "bus", "--html", new / "page.html"]),
    ]:
        assert heedful(*arguments) == 2, said
        captured = capsys.readouterr()
        assert said in captured.err and captured.out == ""
    assert not new.exists() and Index.open(made).count() == 4


@pytest.mark.slow
def test_ctrl_c_leaves_a_valid_index_and_says_how_to_go_on(tmp_path, model):
    data, path = tmp_path / "in.txt", tmp_path / "index"
    data.write_text("".join(f"bus number {i}\n" for i in range(3_000)), encoding="utf-8")
    arguments = ["index", str(data), "-o", str(path), "--model", str(model)]
    process = subprocess.Popen([sys.executable, "-c", SLOW, *arguments], stderr=subprocess.PIPE, text=True)
    try:
        while len(list((path / "rows.lance" / "_versions").glob("*"))) < 3:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=600)
    finally:
        process.kill()
    assert process.returncode == 130 and "Traceback" not in errors, errors
    assert f"To continue: heedful index {data} -o {path} --model {model} --add" in errors
    assert 0 < Index.open(path).count() < 3_000
    assert heedful(*arguments, "--add", "-q") == 0
    assert Index.open(path).count() == 3_000


def test_help_does_not_import_the_database():
    code = "import sys; from heedful.cli.main import main; main(sys.argv[1:]); print('lancedb' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, "--help"], capture_output=True, text=True, check=True, env=os.environ
    )
    assert done.stdout.splitlines()[-1] == "False" and "  search " in done.stdout


def test_without_the_extra_there_is_a_hint(made, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "lancedb", None)
    assert heedful("search", made, "bus") == 2
    assert 'pip install "heedful[search]"' in capsys.readouterr().err


@pytest.fixture
def notes(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "long.md").write_text("# Parcels\n\n" + "the broken parcel came on monday. " * 200, encoding="utf-8")
    (folder / "short.txt").write_text("a lovely dinner", encoding="utf-8")
    return folder


def test_a_folder_of_documents_is_indexed_and_read_again(tmp_path, notes, model, capsys):
    path = tmp_path / "notes.index"
    assert heedful("index", notes, "-o", path, "--model", model) == 0
    (notes / "bad.txt").write_bytes(b"\0\1")
    assert heedful("index", notes, "-o", path, "--add") == 0
    said = capsys.readouterr().err
    assert "2 new" in said and "2 replaced" in said and "bad.txt: is not a text" in said
    assert heedful("search", path, "broken parcels", "--json", "-n", 1) == 0
    hit = json.loads(capsys.readouterr().out)
    assert (hit["id"], hit["columns"], hit["passage"]["of"]) == ("long.md", {"title": "Parcels"}, 5)
    assert hit["by_words"] + hit["by_meaning"] == pytest.approx(hit["score"], abs=1e-9)
    assert {match["words"][0] for match in hit["matches"]} == {"broken", "Parcels"}
    assert heedful("search", path, "broken parcels", "-n", 1) == 0
    assert "passage 1 of 5" in capsys.readouterr().out
    assert heedful("index", notes, "-o", tmp_path / "x", "--model", model, "--id", "isbn") == 2
    assert "documents have the columns path, title and text" in capsys.readouterr().err


def test_a_folder_without_a_readable_document_leaves_no_index(tmp_path, notes, model, capsys):
    for file in notes.iterdir():
        file.write_bytes(b"\0")
    assert heedful("index", notes, "-o", tmp_path / "x", "--model", model) == 2
    assert "no document could be read" in capsys.readouterr().err and not (tmp_path / "x").exists()


@pytest.mark.parametrize("by", ["words", "meaning", "both"])
def test_a_search_is_by_words_by_meaning_or_both(made, by, capsys, tmp_path):
    assert heedful("search", made, "a lost parcel", "-n", 1, "--by", by) == 0
    said = capsys.readouterr().out
    assert ("words: " in said) == (by != "meaning") and ("meaning: " in said) == (by != "words")
    assert heedful("search", made, "a lost parcel", "-n", 1, "--by", by, "--html", tmp_path / "page.html") == 0
    page = (tmp_path / "page.html").read_text()
    assert ("is the sum of two parts" in page) == (by == "both")
    assert ('literal"' in page) == (by != "meaning")


def test_an_old_index_is_searched_with_a_note(made, capsys):
    about = json.loads((made / "index.json").read_text())
    (made / "index.json").write_text(json.dumps({**about, "format": 1}))
    assert heedful("search", made, "a lost parcel", "-n", 1, "--by", "words") == 2
    assert "has no words" in capsys.readouterr().err
    assert heedful("search", made, "a lost parcel", "-n", 1) == 0
    assert "is searched by meaning" in capsys.readouterr().err
