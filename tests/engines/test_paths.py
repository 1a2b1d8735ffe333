from pathlib import Path

import pytest

from heedful.engines.reading.paths import ending, file_system, list_files
from heedful.errors import DataError, HeedfulError


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("in/a.parquet", "in/b.csv.gz", "in/deep/c.jsonl", "in/_done/d.jsonl", "in/.e.txt", "in/notes.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    return tmp_path


def names(*inputs):
    return [file.name for file in list_files(inputs)]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["in"], ["in/a.parquet", "in/b.csv.gz", "in/deep/c.jsonl"]),
        (["in/"], ["in/a.parquet", "in/b.csv.gz", "in/deep/c.jsonl"]),
        (["in/*.parquet"], ["in/a.parquet"]),
        (["in/*"], ["in/a.parquet", "in/b.csv.gz"]),
        (["in/.*"], ["in/.e.txt"]),
        (["in/_done/*"], ["in/_done/d.jsonl"]),
        (["in/**/*.jsonl"], ["in/deep/c.jsonl"]),
        (["in/[ab].*"], ["in/a.parquet", "in/b.csv.gz"]),
        (["in/?.parquet"], ["in/a.parquet"]),
        (["in/deep/c.jsonl", "in/a.parquet", "in/*.parquet"], ["in/deep/c.jsonl", "in/a.parquet"]),
        (["*/a.parquet"], ["in/a.parquet"]),
    ],
)
def test_files_folders_and_patterns(home, given, expected):
    assert names(*given) == expected


def test_a_file_is_known_by_its_place_size_and_time(home):
    file = list_files(["in/a.parquet"])[0]
    stat = Path("in/a.parquet").stat()
    assert (file.place, file.size, file.changed) == (str(home / "in/a.parquet"), stat.st_size, stat.st_mtime_ns)


def test_addresses_are_kept_as_they_are(home):
    (home / "in/with space").mkdir()
    (home / "in/with space/x y.csv").write_text("text\nhi\n")
    for given in (f"file://{home}/in/with space/x y.csv", f"file://{home}/in/with space/*.csv"):
        file = list_files([given])[0]
        assert file.name == file.place == f"file://{home}/in/with space/x y.csv"
        system, path = file_system(file.place)
        assert system.open_input_stream(path).read() == b"text\nhi\n"


def test_a_name_with_brackets_in_it_is_no_pattern(home):
    (home / "in/a[1].csv").write_text("x")
    assert names("in/a[1].csv") == ["in/a[1].csv"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("in/none.csv", "no such file"),
        ("in/*.tsv", "no files found"),
        ("none/*.csv", "no such file"),
        ("in/notes.md", "unknown file extension"),
        ("in/a.parquet.gz", "decompress it first"),
    ],
)
def test_what_is_not_there_is_one_message(home, given, message):
    (home / "in/a.parquet.gz").write_text("")
    with pytest.raises(DataError, match=message) as caught:
        list_files([given])
    assert given.split("/")[0] in str(caught.value)


def test_an_address_of_no_known_kind_is_one_message():
    with pytest.raises(HeedfulError, match="cannot be reached"):
        list_files(["nosuch://bucket/file.csv"])


def test_endings():
    assert ending("a/b.CSV.gz") == (".csv", True)
    assert ending("s3://b/k.jsonl?region=x.y") == (".jsonl", False)
