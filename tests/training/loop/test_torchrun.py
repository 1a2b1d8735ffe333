"""Two processes of torch's launcher do together what one does."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from tests.conftest import make_examples
from tests.training import one_of_several

from heedful.config import Config
from heedful.jobs.train.train import train_model
from heedful.runtime.model import load
from heedful.training.loop.torchrun import Processes

ROOT = Path(__file__).parents[3]
FLAGS, STILL = one_of_several.FLAGS, one_of_several.STILL_FLAGS
CONFIG = Config().with_given(**one_of_several.STILL, batch_size=8, epochs=3)


def launched(n: int, *words: str) -> subprocess.Popen[str]:
    """Start n processes as a user would."""
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(n), *words]
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, start_new_session=True
    )


def finished(process: subprocess.Popen[str], *, code: int = 0) -> tuple[str, str]:
    out, err = process.communicate(timeout=600)
    assert process.returncode == code, err
    return out, err


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("texts") / "texts.csv"
    rows = [{"text": example.text, "label": example.label} for example in make_examples(203)]
    file.write_text("text,label\n" + "".join(f"{row['text']},{row['label']}\n" for row in rows))
    one_of_several.to_stream(file).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


@pytest.fixture(scope="module")
def together(texts: Path) -> tuple[Path, str, str]:
    """A model that two processes trained, and what they printed."""
    out = texts.with_name("together")
    words = ["-m", "heedful", "train", str(texts), "-o", str(out), *FLAGS, *STILL, "--epochs", "3"]
    return (out, *finished(launched(2, *words)))


@pytest.fixture(scope="module")
def both(texts: Path) -> tuple[Path, str]:
    """What two processes wrote in one launch, and what they said of it."""
    folder = texts.with_name("both")
    folder.mkdir()
    one_of_several.stopped(texts, folder / "stopped-by-one")
    assert (folder / "stopped-by-one.training" / "checkpoint.safetensors").is_file()
    _, err = finished(launched(2, "-m", "tests.training.one_of_several", str(folder), str(texts)))
    return folder, err


@pytest.fixture(scope="module")
def alone(texts: Path) -> Path:
    """A model that one process trained, without a stop."""
    out = texts.with_name("alone")
    train_model(CONFIG.with_given(train=str(texts)), out)
    return out


def assert_alike(*folders: Path) -> None:
    some = [example.text for example in make_examples(40, seed=3)]
    one, two = (load(folder, threads=1).predict_proba(some) for folder in folders)
    np.testing.assert_allclose(one, two, atol=1e-3)


@pytest.mark.parametrize("kind", one_of_several.KINDS)
def test_gradients_are_those_of_one_process(kind, both):
    one = one_of_several.gradients(kind)
    two = load_file(both[0] / f"{kind}.safetensors")
    assert one.keys() == two.keys()
    for name, expected in one.items():
        torch.testing.assert_close(two[name], expected, rtol=0, atol=1e-5, msg=lambda said, at=name: f"{at}: {said}")


def test_every_text_is_seen_once_in_an_epoch(both):
    first, second = (json.loads((both[0] / f"seen-{rank}.json").read_text()) for rank in (0, 1))
    assert sorted(first + second) == list(range(50))
    assert abs(len(first) - len(second)) <= 8  # one for each batch


@pytest.mark.parametrize("size", [2, 3])
def test_processes_have_equally_much_to_read_in_every_step(size):
    trainer = one_of_several.trainer_of("classify")
    lengths = np.array([len(ids) for ids in trainer.goal.train])
    assert lengths.max() > 10 * lengths.min()
    for batch in trainer.goal.batches(trainer.settings, 0):
        parts = [Processes.part(SimpleNamespace(rank=rank, size=size), batch) for rank in range(size)]
        read = [int(lengths[part].sum()) for part in parts]
        assert max(read) - min(read) <= lengths[batch].max()


def test_two_processes_learn_what_one_learns(alone, together):
    assert_alike(alone, together[0])
    first, second = (
        [json.loads(line) for line in (folder / "history.jsonl").read_text().splitlines()]
        for folder in (alone, together[0])
    )
    assert [row["loss"] for row in first] == pytest.approx([row["loss"] for row in second], abs=1e-3)


def test_one_process_writes_and_speaks(together):
    _, out, err = together
    assert out.count("model written to") == 1
    assert err.count("epoch  3") == 1


def test_a_checkpoint_of_two_processes_is_taken_up_by_one(texts, both, alone, tmp_path):
    stopped = shutil.copytree(both[0] / "stopped-by-two.training", tmp_path / "model.training")
    assert (stopped / "checkpoint.safetensors").is_file()
    train_model(CONFIG.with_given(train=str(texts)), tmp_path / "model", resume=True)
    assert_alike(alone, tmp_path / "model")


def test_a_checkpoint_of_one_process_is_taken_up_by_two(both, alone):
    folder, err = both
    assert "epoch  3" in err
    assert "epoch  1" not in err, "it began anew"
    assert_alike(alone, folder / "stopped-by-one")


def test_two_processes_learn_from_a_stream_what_one_learns(texts, both, tmp_path):
    file = str(one_of_several.to_stream(texts))
    settings = {**one_of_several.STILL, **one_of_several.STREAMED}
    train_model(Config().with_given(**settings, train=file), tmp_path / "alone")
    assert_alike(tmp_path / "alone", both[0] / "streamed")


def test_what_is_wrong_is_said_once(tmp_path):
    process = launched(2, "-m", "heedful", "train", str(tmp_path / "none.csv"), "-o", str(tmp_path / "model"))
    _, err = process.communicate(timeout=600)
    assert process.returncode != 0
    assert err.count("none.csv: no such file") == 1
    assert not list(tmp_path.iterdir())


def test_when_a_process_is_killed_the_others_end_and_the_training_can_go_on(texts, tmp_path):
    out = tmp_path / "model"
    # `--start` is the beginning of two options of torchrun's own: after `--` it takes nothing for itself.
    words = ["-m", "--", "heedful", "train", str(texts), "-o", str(out), *FLAGS, "--start", "none"]
    words += ["--epochs", "400", "--patience", "400", "--checkpoint-minutes", "60"]
    process = launched(2, *words)
    killed = worker_after_an_epoch(process, tmp_path / "model.training")
    os.kill(killed, signal.SIGKILL)
    _, err = process.communicate(timeout=600)
    assert process.returncode != 0
    assert "src/heedful/" not in err.replace(os.sep, "/"), "the launcher's own traceback names none of our files"
    assert (tmp_path / "model.training" / "checkpoint.safetensors").is_file()
    resumed = launched(1, *words, "--resume")
    worker_after_an_epoch(resumed, tmp_path / "model.training")
    os.killpg(resumed.pid, signal.SIGINT)
    _, err = resumed.communicate(timeout=600)
    assert out.is_dir(), err


def worker_after_an_epoch(process: subprocess.Popen[str], folder: Path) -> int:
    """Return the last of the processes, once a checkpoint is written or written anew."""
    before = folder / "checkpoint.safetensors"
    mark = before.stat().st_mtime_ns if before.exists() else 0
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline:
        if before.exists() and before.stat().st_mtime_ns != mark:
            children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
            return int(children[-1])
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.05)
    raise AssertionError("no checkpoint was written")
