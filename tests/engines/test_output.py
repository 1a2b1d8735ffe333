import pytest
from pyarrow import fs

from heedful.engines import output as output_module
from heedful.engines.output import Output
from heedful.errors import HeedfulError


@pytest.fixture(params=["here", "far"])
def out(request, tmp_path, monkeypatch):
    """An output on this machine, and one on a file system that cannot move files into place."""
    if request.param == "far":
        far = fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem())
        monkeypatch.setattr(output_module, "file_system", lambda _: (far, "out"))
    made = Output(str(tmp_path / "out"))
    made.prepare()
    return made


def test_a_file_comes_into_its_place_when_it_is_whole(out, tmp_path):
    with out.writing("part-000000.parquet") as fresh:
        fresh.write_text("half")
        assert not (tmp_path / "out/part-000000.parquet").exists()
        fresh.write_text("whole")
    assert (tmp_path / "out/part-000000.parquet").read_text() == "whole" and not fresh.exists()


def test_a_fault_while_writing_leaves_nothing(out, tmp_path):
    with pytest.raises(ZeroDivisionError), out.writing("part-000000.parquet") as fresh:
        fresh.write_text("half")
        raise ZeroDivisionError
    assert out.names() == ["_bad", "_done", "_tried"] and not fresh.exists()


def test_clearing_removes_what_is_ours_and_nothing_else(out, tmp_path):
    for name in ("part-000000.parquet", "_plan.json", "_done/part-000000.json", "mine.txt"):
        (tmp_path / "out" / name).write_text("x")
    out.clear()
    assert out.names() == ["mine.txt"]


def test_a_clearing_that_is_killed_leaves_a_folder_that_is_known_as_ours(out, monkeypatch):
    for name in ("part-000000.parquet", "_plan.json"):
        out.write_text(name, "x")
    remove = out.remove

    def killed(name):
        remove(name)
        raise KeyboardInterrupt

    monkeypatch.setattr(out, "remove", killed)
    with pytest.raises(KeyboardInterrupt):
        out.clear()
    assert out.names() == ["_plan.json"]


def test_a_file_in_the_way_is_one_message(tmp_path):
    (tmp_path / "out").write_text("mine")
    with pytest.raises(HeedfulError, match=r"out is a file, expected a folder\. Choose another output folder"):
        Output(str(tmp_path / "out")).check_folder()


def test_an_output_knows_its_own_files(tmp_path):
    assert Output(str(tmp_path / "out")).holds(str(tmp_path / "out/part-000000.parquet"))
    assert not Output(str(tmp_path / "out")).holds(str(tmp_path / "output.parquet"))
    assert Output("file:///tmp/out/").holds("file:///tmp/out/part-000000.parquet")


def test_small_files_are_read_and_removed(out):
    assert out.read_text("_plan.json") is None
    out.write_text("_plan.json", "ä")
    assert out.read_text("_plan.json") == "ä"
    out.remove("_plan.json")
    out.remove("_plan.json")
    assert out.read_text("_plan.json") is None
