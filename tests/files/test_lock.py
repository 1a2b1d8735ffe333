from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from heedful.errors import HeedfulError, ModelFolderError
from heedful.files.lock import exclusive_lock

HOLDS = """
import sys, time
from pathlib import Path
from heedful.files.lock import exclusive_lock
with exclusive_lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def holder(tmp_path):
    """Another process that holds the lock."""
    process = subprocess.Popen([sys.executable, "-c", HOLDS, str(tmp_path / "model")], stdout=subprocess.PIPE)
    assert process.stdout is not None and process.stdout.readline() == b"held\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_the_second_is_told_which_process_has_it(holder, tmp_path):
    message = rf"model is being written by process {holder.pid} on .* since \d+-"
    with pytest.raises(ModelFolderError, match=message), exclusive_lock(tmp_path / "model", error=ModelFolderError):
        pytest.fail("two had it")
    with exclusive_lock(tmp_path / "other"):
        pass


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM])
def test_a_process_that_dies_holds_nothing(holder, tmp_path, sign):
    holder.send_signal(sign)
    holder.wait()
    with exclusive_lock(tmp_path / "model"):
        assert [p.name for p in tmp_path.iterdir()] == [".model.lock"]
    assert list(tmp_path.iterdir()) == []


def test_a_thread_of_the_same_process_is_kept_out_too(tmp_path):
    with exclusive_lock(tmp_path / "model"):
        with pytest.raises(HeedfulError, match=f"process {os.getpid()} "), exclusive_lock(tmp_path / "model"):
            pytest.fail("two had it")
        with pytest.raises(HeedfulError, match="is being written"), exclusive_lock(Path(tmp_path, "x", "..", "model")):
            pytest.fail("the first must not have lost it")


def test_folders_made_for_the_lock_alone_are_removed_again(tmp_path):
    with pytest.raises(ValueError, match="nothing came of it"), exclusive_lock(tmp_path / "a" / "b" / "model"):
        raise ValueError("nothing came of it")
    assert list(tmp_path.iterdir()) == []
    with exclusive_lock(tmp_path / "a" / "b" / "model"):
        (tmp_path / "a" / "b" / "model").mkdir()
    assert [p.name for p in (tmp_path / "a" / "b").iterdir()] == ["model"]


def test_a_place_without_room_for_a_lock_is_one_message():
    with pytest.raises(HeedfulError, match="/proc/x cannot be written"), exclusive_lock(Path("/proc/x")):
        pytest.fail("nothing can be written there")
