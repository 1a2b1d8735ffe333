"""Several who write to an index, and disks that are full."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from heedful.cli.main import main
from heedful.errors import HeedfulError
from heedful.files.lock import exclusive_lock
from heedful.search.index import Index


@pytest.fixture
def texts_file(tmp_path, examples):
    path = tmp_path / "texts.csv"
    path.write_text("text\n" + "".join(f"{e.text} {i}\n" for i, e in enumerate(examples(200))))
    return path


def fault(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    err = capsys.readouterr().err
    lines = [line for line in err.splitlines() if line.startswith("heedful: ")]
    assert code == 2 and len(lines) == 1, err
    return lines[0]


def test_who_comes_second_is_told_and_can_come_again(tmp_path, texts_file, capsys):
    out = tmp_path / "my.index"
    assert main(["index", str(texts_file), "-o", str(out), "--model", "en-small", "-q"]) == 0
    with exclusive_lock(out, inside=True):
        for more in (["--add"], ["--overwrite", "--model", "en-small"]):
            assert "is being written by process" in fault(capsys, "index", texts_file, "-o", out, "-q", *more)
        assert "is being written by process" in fault(capsys, "index", "-o", out, "-q", "--delete", "a")
        index = Index.open(out)
        assert index.count() == 200 and index.search("great", 1)  # reading needs no lock
        with pytest.raises(HeedfulError, match="is being written"):
            index.add([{"text": "one more"}])
    assert main(["index", str(texts_file), "-o", str(out), "--add", "-q"]) == 0
    assert Index.open(out).count() == 200
    assert sorted(p.name for p in tmp_path.iterdir()) == ["my.index", "texts.csv"]
    assert ".heedful.lock" not in [p.name for p in out.iterdir()]


def test_two_commands_at_once_end_well_or_say_why(tmp_path, texts_file):
    out = tmp_path / "my.index"
    assert main(["index", str(texts_file), "-o", str(out), "--model", "en-small", "-q"]) == 0
    for i in range(2):
        (tmp_path / f"{i}.txt").write_text("".join(f"row {i} {n}\n" for n in range(300)))
    commands = [[sys.executable, "-m", "heedful", "index", f"{i}.txt", "-o", out, "--add", "-q"] for i in range(2)]
    started = [subprocess.Popen(c, stderr=subprocess.PIPE, text=True, cwd=tmp_path) for c in commands]
    ended = [(one.communicate(timeout=200)[1], one.returncode) for one in started]
    codes = sorted(code for _, code in ended)
    assert codes in ([0, 0], [0, 2])
    for said, code in ended:
        assert "Traceback" not in said and (code == 0 or "is being written by process" in said)
    assert Index.open(out).count() == 200 + 300 * codes.count(0)


def test_threads_that_share_an_index_take_turns(tmp_path):
    index = Index.create(tmp_path / "my.index", "en-small")
    threads = [
        threading.Thread(target=lambda i=i: index.add([{"text": f"text {i} {n}"} for n in range(20)])) for i in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert index.count() == 80


@pytest.mark.parametrize("most", [10, 4_000])
def test_an_index_on_a_full_disk_is_one_line_and_can_be_made_again(tmp_path, texts_file, capsys, limited_files, most):
    out = tmp_path / "my.index"
    arguments = ["index", texts_file, "-o", out, "--model", "en-small", "-q"]
    with limited_files(most):
        assert "cannot be written: " in fault(capsys, *arguments)
    assert [p.name for p in tmp_path.iterdir()] == ["texts.csv"]
    assert main([str(argument) for argument in arguments]) == 0
    assert Index.open(out).count() == 200


def test_adding_on_a_full_disk_is_one_line_and_the_rows_from_before_are_there(
    tmp_path, texts_file, capsys, limited_files
):
    out = tmp_path / "my.index"
    assert main(["index", str(texts_file), "-o", str(out), "--model", "en-small", "-q"]) == 0
    (tmp_path / "more.txt").write_text("".join(f"another row {n}\n" for n in range(300)))
    with limited_files(4_000):
        assert "cannot be written: File too large" in fault(
            capsys, "index", tmp_path / "more.txt", "-o", out, "--add", "-q"
        )
    assert Index.open(out).count() == 200


def test_a_name_that_is_not_utf8_is_refused(tmp_path, texts_file, capsys):
    line = fault(capsys, "index", texts_file, "-o", tmp_path / "bad\udcff.index", "--model", "en-small", "-q")
    assert "must be UTF-8" in line


def test_what_a_killed_process_left_beside_an_index_is_put_right(tmp_path, texts_file, capsys):
    out = tmp_path / "my.index"
    assert main(["index", str(texts_file), "-o", str(out), "--model", "en-small", "-q"]) == 0
    (tmp_path / ".my.index.abc.old").mkdir()
    out.rename(tmp_path / ".my.index.abc.old" / "my.index")  # killed between its two moves
    (tmp_path / ".my.index.xyz.new").mkdir()
    with pytest.raises(HeedfulError, match="already exists"):
        Index.create(out, "en-small")
    assert Index.open(out).count() == 200
    assert sorted(p.name for p in tmp_path.iterdir()) == ["my.index", "texts.csv"]
