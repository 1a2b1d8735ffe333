"""Folders of text and Markdown files; names and contents are untrusted."""

from __future__ import annotations

import os

import pytest

from heedful.data.bad_rows import STRICT, BadRows
from heedful.errors import DataError
from heedful.search import documents
from heedful.search.documents import is_documents, read_documents


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "notes"
    (place / "sub").mkdir(parents=True)
    (place / "a.md").write_text("---\nx: 1\n---\n\n## A title ##\n\nText.", encoding="utf-8")
    (place / "sub" / "b.TXT").write_text("# not a heading here\r\nbus", encoding="utf-8")
    return place


def rows(path, faults=STRICT):
    return [dict(row.values) for row in read_documents(str(path), faults=faults)]


def test_each_file_is_a_document_with_path_title_and_text(folder):
    assert is_documents(str(folder))
    assert rows(folder) == [
        {"path": "a.md", "title": "A title", "text": "---\nx: 1\n---\n\n## A title ##\n\nText."},
        {"path": "sub/b.TXT", "title": "b", "text": "# not a heading here\nbus"},
    ]
    assert is_documents(str(folder / "a.md")) and rows(folder / "a.md")[0]["path"] == "a.md"
    assert not is_documents(str(folder / "sub" / "b.TXT")) and not is_documents("-") and not is_documents("none")


def test_tables_and_models_are_not_documents(folder):
    (folder / "data.csv").write_text("text\nbus\n")
    assert not is_documents(str(folder))
    (folder / "data.csv").rename(folder / "config.toml")
    assert not is_documents(str(folder))


def test_hidden_files_links_and_other_kinds_are_left_out(folder, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    (folder / "link.txt").symlink_to(secret)
    (folder / "linked").symlink_to(tmp_path, target_is_directory=True)
    (folder / "round").symlink_to(folder, target_is_directory=True)
    (folder / ".git").mkdir()
    (folder / ".git" / "x.md").write_text("hidden")
    (folder / ".x.md").write_text("hidden")
    (folder / "x.py").write_text("code")
    os.mkfifo(folder / "pipe.txt")
    assert [row["path"] for row in rows(folder)] == ["a.md", "sub/b.TXT"]


@pytest.mark.parametrize(
    ("raw", "problem"),
    [(b"a\0b", "zero bytes"), (bytes(range(128, 200)), "not UTF-8"), (b"x" * 101, "larger than")],
)
def test_a_file_that_cannot_be_read_is_skipped_and_named(folder, monkeypatch, raw, problem):
    monkeypatch.setattr(documents, "MAX_BYTES", 100)
    (folder / "b.txt").write_bytes(raw)
    faults = BadRows(skip=True)
    assert len(rows(folder, faults)) == 2 and faults.n == 1
    assert "b.txt" in faults.report[1] and problem in faults.report[1]
    with pytest.raises(DataError, match=problem):
        rows(folder)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_other_encodings_are_read(folder, encoding):
    (folder / "e.txt").write_bytes("Ein schöner Zug fährt über die Brücke nach Köln.".encode(encoding))
    assert next(row for row in rows(folder) if row["path"] == "e.txt")["text"].startswith("Ein schöner Zug")
