"""Processes stopped in the middle: nothing half-written, and the way on leads to the same model."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from heedful import load
from heedful.errors import ModelFolderError

pytestmark = pytest.mark.slow

SETTINGS = {"units": 24, "n-hops": 3, "embed-width": 16, "epochs": 2, "batch-size": 8}
SAVE_FOREVER = """
import sys
from pathlib import Path
from heedful.store.folder import write_folder
files = {file.name: file.read_bytes() for file in Path(sys.argv[1]).iterdir()}
print("ready", flush=True)
while True:
    write_folder(Path(sys.argv[2]), files, overwrite=True)
"""


def start(data: Path, out: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "heedful", "train", str(data), "--out", str(out), "--checkpoint-minutes", "0"]
    command += [word for name, value in SETTINGS.items() for word in (f"--{name}", str(value))]
    return subprocess.Popen([*command, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str]) -> str:
    """Return stderr of a process that must end well."""
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors
    assert "Traceback" not in errors
    return errors


def saved_at(out: Path) -> int:
    """Return when the last checkpoint was written, 0 where there is none."""
    file = out.with_name(out.name + ".training") / "checkpoint.safetensors"
    return file.stat().st_mtime_ns if file.exists() else 0


def checkpoint_comes(process: subprocess.Popen[str], out: Path, *, after: int = 0) -> bool:
    """Wait for a checkpoint; return False if training ended without one that was seen."""
    while process.poll() is None:
        if saved_at(out) > after:
            return True
        time.sleep(0.005)
    return False


def weights(folder: Path) -> bytes:
    return (folder / "weights.safetensors").read_bytes()


@pytest.fixture(scope="module")
def data(tmp_path_factory, examples, write_csv):
    return write_csv(tmp_path_factory.mktemp("kill") / "in.csv", examples(600))


@pytest.fixture(scope="module")
def unbroken(data, tmp_path_factory):
    out = tmp_path_factory.mktemp("unbroken") / "model"
    finish(start(data, out))
    return out


def killed_twice(data: Path, out: Path) -> bool:
    """Kill a training and then its resumption; return False if one was over before the kill, on a busy machine."""
    for more in ([], ["--resume"]):
        before = saved_at(out)
        process = start(data, out, *more)
        if checkpoint_comes(process, out, after=before):
            time.sleep(0.1)  # some steps more, so that the kill comes at any point of one
            process.kill()
        _, errors = process.communicate()
        if process.returncode == 0:
            return False
        assert process.returncode == -signal.SIGKILL, errors
        with pytest.raises(ModelFolderError):
            load(out)
    return True


def test_killed_and_resumed_training_gives_the_unbroken_model(data, unbroken, tmp_path):
    tries = (tmp_path / str(i) / "model" for i in range(10))
    out = next((out for out in tries if killed_twice(data, out)), None)
    assert out is not None, "training was always over before it could be killed"
    finish(start(data, out, "--resume"))
    assert weights(out) == weights(unbroken)
    texts = ["the parcel was great", "slow and broken", ""]
    assert load(out).predict_proba(texts).tolist() == load(unbroken).predict_proba(texts).tolist()
    assert [p.name for p in out.parent.iterdir()] == ["model"]


def test_an_interrupt_keeps_a_model_and_names_the_way_on(data, unbroken, tmp_path):
    out = tmp_path / "a model"
    process = start(data, out, "--json")
    while not process.stderr.readline().startswith("epoch  1"):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    answer, errors = process.communicate(timeout=600)
    assert process.returncode == 130 and "Traceback" not in errors
    assert json.loads(answer)["interrupted"] is True
    way_on = errors.splitlines()[-1]
    assert way_on.startswith("Stopped early. To resume: heedful train ")
    assert f"--out '{out}'" in way_on and way_on.endswith("--resume")
    assert load(out).predict("the parcel was great") in ("bad", "good")
    assert weights(out) != weights(unbroken)
    finish(start(data, out, "--resume"))
    assert weights(out) == weights(unbroken)
    assert [p.name for p in tmp_path.iterdir()] == ["a model"]


def test_an_interrupt_in_the_first_epoch_replaces_no_model(data, tiny_folder, tmp_path):
    out = tmp_path / "model"
    shutil.copytree(tiny_folder, out)
    process = start(data, out, "--overwrite")
    assert checkpoint_comes(process, out), process.communicate()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 130 and "no model was written" in errors
    assert weights(out) == weights(tiny_folder)


def test_a_kill_while_saving_leaves_all_or_nothing(tiny_folder, tmp_path):
    out, rng = tmp_path / "model", random.Random(0)
    whole = {file.name: file.read_bytes() for file in tiny_folder.iterdir()}
    seen = n = 0
    while n < 12 or (not seen and n < 100):
        n += 1
        process = subprocess.Popen(
            [sys.executable, "-c", SAVE_FOREVER, str(tiny_folder), str(out)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(rng.uniform(0, 0.05))
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        if out.exists():
            seen += 1
            assert {file.name: file.read_bytes() for file in out.iterdir()} == whole
            load(out)
        else:
            with pytest.raises(ModelFolderError):
                load(out)
    assert seen > 0, "no save was ever finished: the test shows nothing"
