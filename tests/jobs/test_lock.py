"""Two at once into the same place: the second is told so at once, and loses no time."""

from __future__ import annotations

import subprocess
import sys

import pytest

from heedful.api.distill import distill
from heedful.config import Config
from heedful.errors import HeedfulError, ModelFolderError
from heedful.files.lock import exclusive_lock
from heedful.jobs.demo import run_demo
from heedful.jobs.encoders.encoder import encoder_config
from heedful.jobs.encoders.pretrain import pretrain_model
from heedful.jobs.train.train import train_model
from heedful.store.folder import read_folder

WAITS = """
import sys, time
from pathlib import Path
from heedful.cli.main import main
from heedful.training.loop.trainer import Trainer

def waiting(self, **_):
    print("training", flush=True)
    time.sleep(600)

Trainer.run = waiting
sys.exit(main(sys.argv[1:]))
"""
SMALL = ["--units", "8", "--embed-width", "12", "--attention-width", "8", "--start", "none", "-q", "--epochs", "1"]


@pytest.fixture
def corpus(tmp_path, examples):
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(example.text for example in examples(60)))
    return path


def test_a_second_training_is_refused_before_it_costs_anything(tmp_path, examples, write_csv):
    texts, out = write_csv(tmp_path / "texts.csv", examples(40)), tmp_path / "model"
    arguments = ["train", str(texts), "--out", str(out), *SMALL]
    first = subprocess.Popen([sys.executable, "-c", WAITS, *arguments], stdout=subprocess.PIPE, text=True)
    try:
        assert first.stdout is not None and first.stdout.readline() == "training\n"
        second = subprocess.run(
            [sys.executable, "-m", "heedful", *arguments], capture_output=True, text=True, check=False, timeout=100
        )
        assert second.returncode == 2
        assert f"model is being written by process {first.pid} on " in second.stderr
        assert len(second.stderr.splitlines()) == 1
        made = (examples(40)[:30], examples(40)[30:])
        with pytest.raises(ModelFolderError, match=f"process {first.pid}"):  # in Python too
            train_model(Config(), out, examples=made)
    finally:
        first.kill()
        first.wait()
        assert first.stdout is not None
        first.stdout.close()
    again = subprocess.run(
        [sys.executable, "-m", "heedful", *arguments], capture_output=True, text=True, check=False, timeout=200
    )
    assert again.returncode == 0, again.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["model", "texts.csv"]


def test_every_job_that_trains_holds_its_place(tmp_path, corpus, encoder_settings):
    out = tmp_path / "encoder"
    with exclusive_lock(out):
        with pytest.raises(ModelFolderError, match="is being written"):
            pretrain_model(encoder_config(train=str(corpus), **encoder_settings), out)
        with pytest.raises(ModelFolderError, match="is being written"):
            distill("en-small", corpus, out, **encoder_settings)
        with pytest.raises(HeedfulError, match="is being written"):
            run_demo(out)
    assert [p.name for p in tmp_path.iterdir()] == ["corpus.txt"]


def test_what_a_killed_process_left_beside_a_model_is_put_right(tmp_path, tiny_copy, examples, tiny_settings):
    """Killed between its two moves, the old model was in a folder of another name."""
    out = tmp_path / "model"
    (tmp_path / ".model.abc.old").mkdir()
    tiny_copy.rename(tmp_path / ".model.abc.old" / "model")
    (tmp_path / ".model.xyz.new").mkdir()
    with pytest.raises(ModelFolderError, match="already exists"):
        train_model(Config().changed(**tiny_settings), out, examples=(examples(40)[:30], examples(40)[30:]))
    assert read_folder(out).facts.labels == ("bad", "good")
    assert [p.name for p in tmp_path.iterdir()] == ["model"]
