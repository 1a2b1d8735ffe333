from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import heedful
from heedful.errors import HeedfulError
from heedful.files.atomic import replacing, write_bytes, write_text

SOURCE = Path(heedful.__file__).parent
# Files that write by themselves, and why.
ALONE = {
    "files/atomic.py": "the one place",
    "data/files/rows.py": "a temporary copy of standard input",
    "files/lock.py": "the lock itself",
    "store/folder.py": "a folder, written beside its place and moved",
    "engines/output.py": "places that are not on this machine",
    "engines/run.py": "through Output.writing",
    "engines/run_part.py": "through Output.writing",
    "engines/part_writer.py": "through Output.writing",
    "engines/model_files.py": "a folder of its own that goes with the process",
    "engines/cluster.py": "to nowhere",
    "cli/streams.py": "to nowhere",
    "jobs/output/sinks.py": "a Partial",
    "jobs/output/csv_tsv.py": "a Partial",
    "jobs/output/parquet.py": "a Partial",
    "jobs/encoders/teacher.py": "a Partial",
    "jobs/teach/scores.py": "a Partial",
}
WRITING = """
import sys, time
from pathlib import Path
from heedful.files.atomic import replacing
with replacing(Path(sys.argv[1])) as partial:
    partial.path.write_text("half")
    print("writing", flush=True)
    time.sleep(600)
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_whole_and_alone(tmp_path):
    write_text(tmp_path / "a.txt", "ünï \ud800")
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "ünï \ufffd"
    write_bytes(tmp_path / "a.txt", b"other")
    assert (tmp_path / "a.txt").read_bytes() == b"other"
    assert names(tmp_path) == ["a.txt"]
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask() -> int:
    now = os.umask(0)
    os.umask(now)
    return now


def test_after_an_error_the_older_file_is_there_and_nothing_else(tmp_path):
    write_text(tmp_path / "a.txt", "older")
    with pytest.raises(KeyboardInterrupt), replacing(tmp_path / "a.txt") as partial:
        partial.path.write_text("new")
        raise KeyboardInterrupt
    assert (tmp_path / "a.txt").read_text() == "older" and names(tmp_path) == ["a.txt"]


def test_a_full_disk_is_one_message_and_leaves_nothing(tmp_path, limited_files):
    with limited_files(1_000), pytest.raises(HeedfulError, match=r"page\.html cannot be written: File too large"):
        write_text(tmp_path / "page.html", "x" * 5_000)
    assert names(tmp_path) == []


def test_what_a_killed_process_left_is_removed_and_what_another_writes_is_not(tmp_path):
    started = [
        subprocess.Popen([sys.executable, "-c", WRITING, str(tmp_path / "a.csv")], stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    try:
        assert all(one.stdout is not None and one.stdout.readline() == b"writing\n" for one in started)
        assert len(names(tmp_path)) == 2
        started[0].kill()
        started[0].wait()
        write_text(tmp_path / "a.csv", "done")
        assert [name.endswith(".partial") for name in names(tmp_path)] == [True, False]
    finally:
        for one in started:
            one.kill()
            one.wait()
            assert one.stdout is not None
            one.stdout.close()
    (tmp_path / ".a.csv.1234.partial").write_text("of an older heedful")
    write_text(tmp_path / "a.csv", "again")
    assert names(tmp_path) == ["a.csv"]


def test_a_device_is_written_to_and_not_replaced(tmp_path):
    write_text(Path(os.devnull), "x")
    assert Path(os.devnull).is_char_device()
    with pytest.raises(HeedfulError, match="/dev/full cannot be written: No space left on device"):
        write_text(Path("/dev/full"), "x")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(HeedfulError, match="not a regular file"), replacing(tmp_path / "pipe"):
        pytest.fail("a pipe cannot be replaced")
    with pytest.raises(HeedfulError, match="is a folder"):
        write_text(tmp_path, "x")


def test_the_longest_name_can_be_written(tmp_path):
    write_text(tmp_path / ("x" * 251 + ".csv"), "x")
    assert names(tmp_path) == ["x" * 251 + ".csv"]


def test_a_name_that_is_not_utf8_can_be_written(tmp_path):
    path = tmp_path / os.fsdecode(b"bad\xff.csv")
    write_text(path, "x")
    assert path.read_text() == "x"


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda p: p.relative_to(SOURCE).as_posix())
def test_nothing_else_writes_files(path):
    """A new place that writes goes through files/atomic.py, or says in ALONE why not."""
    if path.relative_to(SOURCE).as_posix() in ALONE:
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        is_method = isinstance(node.func, ast.Attribute)
        assert not (is_method and name in ("write_text", "write_bytes")), f"line {node.lineno}"
        assert not (is_method and name in ("save", "savez", "save_file") and _is_numpy(node)), f"line {node.lineno}"
        if name == "open":
            modes = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            assert not any(set(mode) & set("wax") and len(mode) <= 3 for mode in modes), f"line {node.lineno}"


def _is_numpy(node: ast.Call) -> bool:
    assert isinstance(node.func, ast.Attribute)
    return isinstance(node.func.value, ast.Name) and node.func.value.id in ("np", "numpy")
